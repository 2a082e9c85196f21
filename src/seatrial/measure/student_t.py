"""Student's t over tasks: the textbook interval of a mean. It is here to be compared with, and as the twin of other methods.

Formula: mean +- t(m - 1) s / sqrt(m). Assumption: the mean is near normal. It has zero width when all values are equal and may leave
the scale; on shares it covers as little as 12 % where 95 % is promised (many tasks at 0 or 1), so that reports use `dirichlet_ends`.
Source: Student 1908, Biometrika 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from seatrial.measure import standard_error
from seatrial.measure.task_count import Interval


def interval(values: Sequence[float], *, confidence: float = 0.95) -> Interval | None:
    """Return the interval of the mean of one value a task.

    Args:
        values: One value a task, any scale.
        confidence: Share, 0 to 1.

    Returns:
        The interval, not cut to any scale; `None` below two tasks.
    """
    error = standard_error.of_new_tasks(values)
    if error is None:
        return None
    half = factor(len(values) - 1, confidence) * error
    mean = fsum(values) / len(values)
    return Interval(mean - half, mean + half)


def factor(df: float, confidence: float) -> float:
    """Return the two-sided factor of Student's law: 3.182 for three degrees of freedom at 95 %."""
    from scipy.special import stdtrit

    return float(stdtrit(df, (1 + confidence) / 2))
