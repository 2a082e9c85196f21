"""Student's t over the differences of tasks: the paired test of a mean difference and its limits.

t = (mean - null) / (s / sqrt(m)) with m - 1 degrees of freedom. Assumes that tasks are independent and that enough of them differ
for their mean to be near normal. Without any spread it says nothing: `scipy.stats.ttest_1samp` then gives p = 0 or nan, here it is
`None`.

Source: Student 1908, Biometrika 6; on differences of tasks in evaluations of models Miller 2024, arXiv:2411.00640.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

from seatrial.base.errors import UsageError
from seatrial.measure import standard_error
from seatrial.measure.task_count import Interval

if TYPE_CHECKING:
    from numpy import ndarray

_EQUAL = 1e-12
"""Differences that vary by less than this share of the largest are one number, written with rounding errors."""


class PairedT(NamedTuple):
    """What the t test says of a mean difference."""

    mean: float
    error: float
    """Standard error of the mean."""
    two_sided: Interval
    """The interval at the confidence asked for."""
    one_sided: Interval
    """The lower and the upper limit, each alone at that confidence."""
    p_two_sided: float
    """p that the mean is not the null value."""
    p_greater: float
    """p that the mean lies above the null value."""
    p_less: float
    """p that the mean lies below the null value."""


def paired_t(differences: Sequence[float] | ndarray, *, null: float = 0.0, confidence: float = 0.95) -> PairedT | None:
    """Return the paired t test of one difference a task.

    Args:
        differences: After minus before of each task.
        null: The mean that is tested against.
        confidence: Share, 0 to 1.

    Returns:
        The test and its limits; `None` for fewer than two tasks, or when all differences are equal.

    Raises:
        UsageError: A difference is not finite.
    """
    from scipy.special import stdtr, stdtrit

    found = finite(differences)
    if not _spread(found):
        return None
    error = standard_error.of_new_tasks(found.tolist())
    if not error:
        return None
    mean, freedom = fsum(found) / len(found), len(found) - 1
    t = (mean - null) / error
    below = float(stdtr(freedom, t))
    above = float(stdtr(freedom, -t))
    wide, narrow = (float(stdtrit(freedom, share)) * error for share in ((1 + confidence) / 2, confidence))
    return PairedT(
        mean=mean,
        error=error,
        two_sided=Interval(mean - wide, mean + wide),
        one_sided=Interval(mean - narrow, mean + narrow),
        p_two_sided=min(1.0, 2 * min(below, above)),
        p_greater=above,
        p_less=below,
    )


def finite(values: Sequence[float] | ndarray) -> ndarray:
    """Return values as an array, or raise `UsageError` when one of them is not finite."""
    import numpy as np

    found = np.asarray(values, dtype=float)
    wrong = found[~np.isfinite(found)]
    if wrong.size:
        raise UsageError(f"every value must be finite, not {float(wrong[0])!r}; a task without a value is left out and counted.")
    return found


def _spread(values: ndarray) -> bool:
    """Tell whether values differ by more than errors of rounding."""
    import numpy as np

    return bool(len(values)) and float(np.ptp(values)) > _EQUAL * float(np.abs(values).max())
