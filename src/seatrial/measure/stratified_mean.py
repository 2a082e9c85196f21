"""Stratified mean: an aggregate with fixed weights of slices, which a change of their mix cannot move.

Formula: sum of W_s mean_s, variance = sum of W_s^2 s_s^2 / m_s, with the weights of the suite or of production traffic. Assumption:
strata are disjoint and their weights were fixed in advance. The interval is Student's t with Welch-Satterthwaite's degrees of
freedom. Source: Cochran 1977, Sampling Techniques, ch. 5; Satterthwaite 1946, Biometrics Bulletin 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, isfinite, sqrt
from typing import NamedTuple

from seatrial.base.errors import UsageError
from seatrial.measure import student_t
from seatrial.measure.task_count import Interval


class Stratum(NamedTuple):
    """The tasks of one slice and what it weighs."""

    values: Sequence[float]
    """One value a task."""
    weight: float
    """0 or more, on any scale: shares, or cases a day."""


class StratifiedMean(NamedTuple):
    """An aggregate over strata."""

    mean: float | None
    """`None`: a stratum with weight has no task."""
    variance: float | None
    """Of the mean; `None`: a stratum with weight has fewer than two tasks."""
    df: float | None
    """Welch-Satterthwaite's degrees of freedom; `None`: not computable, or nothing varies."""

    def interval(self, *, confidence: float = 0.95) -> Interval | None:
        """Return mean +- t standard errors, not cut to any scale; `None` when nothing varies or the variance is not known."""
        if self.mean is None or self.variance is None or self.df is None:
            return None
        half = student_t.factor(self.df, confidence) * sqrt(self.variance)
        return Interval(self.mean - half, self.mean + half)


def stratified_mean(strata: Sequence[Stratum]) -> StratifiedMean:
    """Return the mean over strata with fixed weights.

    Args:
        strata: The strata; their weights are divided by their sum.

    Returns:
        Mean and variance; a stratum of weight 0 counts for nothing.

    Raises:
        UsageError: No stratum, a weight that is negative or not finite, or weights that are all 0.
    """
    weights = [stratum.weight for stratum in strata]
    total = fsum(weights)
    if not weights or min(weights) < 0 or not isfinite(total) or total <= 0:
        raise UsageError(f"weights of strata must be 0 or more, and one above 0; got {weights[:5]}.")
    parts = [(stratum.values, stratum.weight / total) for stratum in strata if stratum.weight]
    if any(not values for values, _ in parts):
        return StratifiedMean(None, None, None)
    mean = fsum(weight * fsum(values) / len(values) for values, weight in parts)
    if any(len(values) < 2 for values, _ in parts):
        return StratifiedMean(mean, None, None)
    shares = [(weight**2 * _variance(values) / len(values), len(values) - 1) for values, weight in parts]
    variance = fsum(share for share, _ in shares)
    below = fsum(share**2 / df for share, df in shares)
    return StratifiedMean(mean, variance, variance**2 / below if below else None)


def _variance(values: Sequence[float]) -> float:
    """Return the sample variance of two or more values."""
    mean = fsum(values) / len(values)
    return fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
