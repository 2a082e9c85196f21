"""Plus-two t: Student's interval after one task at each end of the scale is added. Closed form, no draw, about 10 % too wide.

Formula: centre = (sum of values + low + high) / (m + 2); standard error from the m + 2 values; t(m + 1). Assumption: values lie on
the scale; it never has zero width. In the simulations it covered 96.8 % on average and 93 % at worst. Ends may leave the scale.
Source: Agresti and Coull 1998, The American Statistician 52 (add pseudo-observations), with Student's t over tasks.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from seatrial.base.errors import UsageError
from seatrial.measure import standard_error, student_t
from seatrial.measure.task_count import Interval


class PlusTwo(NamedTuple):
    """The interval and what it is made of."""

    centre: float
    """Mean of the values and both ends; not the point estimate, which stays the plain mean."""
    error: float
    """Standard error of the centre."""
    df: int
    """Degrees of freedom: tasks + 1."""
    interval: Interval
    """Not cut to the scale."""


def plus_two(values: Sequence[float], *, low: float = 0.0, high: float = 1.0, confidence: float = 0.95) -> PlusTwo:
    """Return the plus-two interval with its parts.

    Args:
        values: One value a task, each within the scale; none leaves the two ends alone.
        low: Low end of the scale: -1 for a difference.
        high: High end of the scale.
        confidence: Share, 0 to 1.

    Returns:
        Centre, standard error, degrees of freedom, and the interval as it is.

    Raises:
        UsageError: A value outside of the scale, or a scale without width.
    """
    wrong = [value for value in values if not low <= value <= high]
    if wrong or not low < high:
        raise UsageError(f"every value must lie within {low:g} to {high:g}; {wrong[0] if wrong else low!r} does not.")
    points = [*values, low, high]
    error, df = standard_error.of_new_tasks(points) or 0.0, len(values) + 1
    centre, half = fsum(points) / len(points), student_t.factor(df, confidence) * error
    return PlusTwo(centre, error, df, Interval(centre - half, centre + half))


def interval(values: Sequence[float], *, low: float = 0.0, high: float = 1.0, confidence: float = 0.95) -> Interval:
    """Return the plus-two interval, cut to the scale.

    Args:
        values: One value a task, each within the scale.
        low: Low end of the scale.
        high: High end of the scale.
        confidence: Share, 0 to 1.

    Returns:
        The interval within the scale.

    Raises:
        UsageError: A value outside of the scale.
    """
    lower, upper = plus_two(values, low=low, high=high, confidence=confidence).interval
    return Interval(max(low, lower), min(high, upper))
