"""The bootstrap over tasks, exactly: the law of the mean of m tasks drawn again with replacement, without drawing.

Counted by convolution over distinct values, in whole numbers. No report and no gate uses its percentiles: they have no width when all
tasks agree, and cover as little as 12 % where 95 % is promised. It is here to show that, and to hold drawn bootstraps against.

Source: Efron 1979, Annals of Statistics 7; Fisher and Hall 1991, Journal of Statistical Planning and Inference 27 (exact computation).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import isfinite, sqrt
from typing import NamedTuple

from seatrial.base.errors import UsageError

MOST = 200_000
"""Distinct sums beyond which the law is not computed."""
_SIMPLE = 1_000_000
"""Denominators up to this are what a rounded number was meant to be."""


class Law(NamedTuple):
    """A discrete law of a mean."""

    points: tuple[Fraction, ...]
    """Distinct means, rising."""
    weights: tuple[int, ...]
    """Ways that lead to each."""

    @property
    def variance(self) -> Fraction:
        """Its exact variance."""
        ways = sum(self.weights)
        mean = Fraction(sum(point * weight for point, weight in zip(self.points, self.weights, strict=True)), ways)
        return sum(((point - mean) ** 2 * weight for point, weight in zip(self.points, self.weights, strict=True)), Fraction()) / ways

    @property
    def standard_error(self) -> float:
        """Its standard deviation."""
        return sqrt(self.variance)

    def at_most(self, value: float) -> Fraction:
        """Return the chance of a mean of at most so much."""
        below = sum(weight for point, weight in zip(self.points, self.weights, strict=True) if point <= value)
        return Fraction(below, sum(self.weights))

    def quantile(self, share: float) -> Fraction:
        """Return the smallest mean whose chance to be at or below it reaches a share (`inverted_cdf`)."""
        wanted, below = _fraction(share) * sum(self.weights), 0
        for point, weight in zip(self.points, self.weights, strict=True):
            below += weight
            if below >= wanted:
                return point
        return self.points[-1]


def law(values: Sequence[float]) -> Law:
    """Return the exact law of the mean of a resample of tasks.

    Args:
        values: One value a task, finite; 0.1 is taken for one tenth, 1/3 for one third.

    Returns:
        The law over all m^m resamples.

    Raises:
        UsageError: No value, one that is not finite, or more than `MOST` distinct sums.
    """
    if not values or not all(isfinite(value) for value in values):
        raise UsageError(f"expected at least one value, all finite, not {list(values)[:5]!r}.")
    steps = Counter(map(_fraction, values))
    sums: dict[Fraction, int] = {Fraction(): 1}
    for _ in values:
        further: defaultdict[Fraction, int] = defaultdict(int)
        for total, ways in sums.items():
            for step, times in steps.items():
                further[total + step] += ways * times
        sums = further
        if len(sums) > MOST:
            raise UsageError(
                f"{len(values)} tasks with {len(steps)} distinct values have more than {MOST:,} sums: draw a bootstrap instead."
            )
    points = sorted(sums)
    return Law(tuple(point / len(values) for point in points), tuple(sums[point] for point in points))


def _fraction(value: float) -> Fraction:
    """Return the simple fraction that a number stands for, or else what it is exactly."""
    simple = Fraction(value).limit_denominator(_SIMPLE)
    return simple if float(simple) == value else Fraction(value)
