"""Cover: how many tasks passed in at least a share of the trials that were seen. A count of what happened, and no estimate.

Formula: the number of tasks with c / n >= share. The share of tasks whose true rate reaches a level cannot be estimated without
bias from a few trials: c / n moves in steps of 1 / n. G-Pass@k asks a like question and can be. Source: Dragoi et al. 2025,
arXiv:2510.08325 (Cover@tau).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from seatrial.base.errors import UsageError
from seatrial.measure.task_count import TaskCount

_ROUNDING = 1e-12


class Cover(NamedTuple):
    """Tasks by the rate that was seen of them."""

    reached: int
    """Tasks that passed in at least the share of their scored trials."""
    scored: int
    """Tasks with a scored trial."""
    unseen: int
    """Tasks without one: they are in neither count."""


def cover(tasks: Sequence[TaskCount], share: float) -> Cover:
    """Return how many tasks passed in at least a share of their scored trials.

    Args:
        tasks: Counts of each task.
        share: Above 0 and up to 1.

    Returns:
        The counts, of the observed rates.

    Raises:
        UsageError: The share is not above 0 and up to 1.
    """
    if not 0 < share <= 1:
        raise UsageError(f"a share lies above 0 and up to 1, not {share!r}.")
    seen = [task for task in tasks if task.scored]
    reached = sum(task.passed >= share * task.scored - _ROUNDING for task in seen)
    return Cover(reached, len(seen), len(tasks) - len(seen))
