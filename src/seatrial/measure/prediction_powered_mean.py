"""Prediction-powered mean: the rate that people would give, from many judged units and a random part of them that people labelled.

Formula: L mean of judge on the unlabelled + mean of (person - L judge) on the labelled; variance L^2 var(judge) / N + var(person -
L judge) / n. L is 1, or from 100 labels on the one with the least variance, cov(person, judge) / ((1 + n / N) var(judge)). Assumption:
the labelled units are a random sample of the same units; labels of another candidate bias it by points. Average the trials of a task
first: a task is the unit. Source: Angelopoulos et al. 2023, Science 382; Angelopoulos, Duchi and Zrnic 2023, arXiv:2311.01453.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from typing import NamedTuple

from seatrial.base.errors import UsageError
from seatrial.measure import student_t
from seatrial.measure.task_count import Interval

TUNED_FROM = 100
"""Labels from which the judge's weight is chosen from the data; below, choosing it covers too little."""


class Powered(NamedTuple):
    """A mean that people would give."""

    value: float
    error: float | None
    """Standard error; `None`: fewer than two labels, or nothing varies."""
    weight: float
    """Weight of the judge, 0 to 1; 0: its words were of no use."""
    people_only: float
    """Mean of the labels alone."""
    labels: int
    """Labelled units."""

    def interval(self, *, confidence: float = 0.95) -> Interval | None:
        """Return value +- t(labels - 1) standard errors, not cut to any scale; `None` without a standard error."""
        if self.error is None:
            return None
        half = student_t.factor(self.labels - 1, confidence) * self.error
        return Interval(self.value - half, self.value + half)


def prediction_powered_mean(
    people: Sequence[float], judge_labelled: Sequence[float], judge_unlabelled: Sequence[float], *, weight: float | None = None
) -> Powered:
    """Return the mean that people would give.

    Args:
        people: Their value of each labelled unit.
        judge_labelled: The judge's value of the same units, in the same order.
        judge_unlabelled: The judge's value of each unlabelled unit.
        weight: Weight of the judge, 0 to 1; `None`: 1 below 100 labels, tuned from there on.

    Returns:
        The mean with its standard error.

    Raises:
        UsageError: No label, no unlabelled unit, another number of judged than of labelled units, or a weight beyond 0 to 1.
    """
    if not people or len(people) != len(judge_labelled) or not judge_unlabelled:
        got = f"{len(people)} labels, {len(judge_labelled)} judged of them, {len(judge_unlabelled)} unlabelled"
        raise UsageError(f"expected at least one label, the judge's value of each, and one unlabelled unit; got {got}.")
    if weight is not None and not 0 <= weight <= 1:
        raise UsageError(f"the judge's weight must lie within 0 to 1, not {weight!r}.")
    used = _tuned(people, judge_labelled, len(judge_unlabelled)) if weight is None else weight
    rest = [person - used * judge for person, judge in zip(people, judge_labelled, strict=True)]
    variance = used**2 * _covariance(judge_unlabelled, judge_unlabelled) / len(judge_unlabelled) + _covariance(rest, rest) / len(rest)
    return Powered(
        value=used * _mean(judge_unlabelled) + _mean(rest),
        error=sqrt(variance) if len(people) > 1 and variance > 0 else None,
        weight=used,
        people_only=_mean(people),
        labels=len(people),
    )


def _tuned(people: Sequence[float], judge: Sequence[float], unlabelled: int) -> float:
    """Return the judge's weight with the least variance, or 1 when there are few labels."""
    if len(people) < TUNED_FROM:
        return 1.0
    spread = _covariance(judge, judge)
    best = _covariance(people, judge) / ((1 + len(people) / unlabelled) * spread) if spread else 0.0
    return min(1.0, max(0.0, best))


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def _covariance(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the covariance over all units, without Bessel's correction, as the source has it."""
    mean_first, mean_second = _mean(first), _mean(second)
    return fsum((a - mean_first) * (b - mean_second) for a, b in zip(first, second, strict=True)) / len(first)
