"""The pass rate: pass^1 as the mean over tasks, and both denominators as plain counts.

Source: Miller 2024, arXiv:2411.00640 – the task is the unit. The rate pooled over trials is a count, never the headline.
"""

from __future__ import annotations

from collections.abc import Sequence

from seatrial.measure import pass_k
from seatrial.measure.task_count import TaskCount
from seatrial.records.estimate import Estimate
from seatrial.records.kind_summary import Coverage


def estimate(tasks: Sequence[TaskCount], *, seed: int = 0) -> Estimate:
    """Return pass^1 of a suite: the mean over tasks of the share of trials that passed.

    Args:
        tasks: Counts of each task.
        seed: Seed of the interval's draws.

    Returns:
        The estimate, a share; its `value` is `None` when a task has no scored trial.
    """
    return pass_k.estimate(tasks, 1, seed=seed)


def coverage(tasks: Sequence[TaskCount]) -> Coverage:
    """Return what was planned and what could be scored, with the passed trials over both."""
    return Coverage.of(
        tasks=len(tasks),
        tasks_scored=sum(task.scored > 0 for task in tasks),
        planned=sum(task.planned for task in tasks),
        scored=sum(task.scored for task in tasks),
        passed=sum(task.passed for task in tasks),
    )
