"""Bounds for unknown trials: a lost trial is neither a pass nor a fail nor gone.

Source: Manski 2003, Partial Identification of Probability Distributions, ch. 1 – the worst and the best completion of the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from seatrial.measure.task_count import Interval, Statistic, TaskCount


class Completions(NamedTuple):
    """A task's value under the worst and the best completion of its unknown trials."""

    all_fail: float
    all_pass: float


def completions(task: TaskCount, statistic: Statistic, k: int) -> Completions:
    """Return a task's value if all its unknown trials failed, and if all passed.

    Args:
        task: Counts of the task.
        statistic: `pass_k.STATISTIC` or `pass_at_k.STATISTIC`.
        k: Fresh trials.

    Returns:
        Both values; 0 and 1 when even the planned trials are fewer than k.
    """
    low = statistic.of_task(task.passed, task.planned, k)
    high = statistic.of_task(task.passed + task.unknown, task.planned, k)
    return Completions(0.0 if low is None else low, 1.0 if high is None else high)


def values(tasks: Sequence[TaskCount], statistic: Statistic, k: int) -> list[float | None]:
    """Return each task's value, as far as it is known.

    A task with fewer than k scored trials can be settled all the same: with one failed and one unknown trial of two, pass^2 is 0 however
    the other ended. Such values count only where all short tasks are settled, for the mean is then what it would be if nothing were
    unknown. Where others are not, to take in the settled ones alone would choose tasks by how they ended.

    Args:
        tasks: Counts of each task.
        statistic: `pass_k.STATISTIC` or `pass_at_k.STATISTIC`.
        k: Fresh trials.

    Returns:
        One value a task, in their order; `None`: fewer than k trials are scored, and not all such tasks are settled.
    """
    settled = [None if task.scored >= k else _settled(task, statistic, k) for task in tasks]
    if any(one is None and task.scored < k for task, one in zip(tasks, settled, strict=True)):
        settled = [None] * len(tasks)
    return [statistic.of_task(task.passed, task.scored, k) if task.scored >= k else one for task, one in zip(tasks, settled, strict=True)]


def _settled(task: TaskCount, statistic: Statistic, k: int) -> float | None:
    """Return the value that a task has however its unknown trials ended; `None`: they decide it."""
    ends = completions(task, statistic, k)
    return ends.all_fail if ends.all_fail == ends.all_pass else None


def bounds(tasks: Sequence[TaskCount], statistic: Statistic, k: int) -> Interval | None:
    """Return the suite's value if every unknown trial failed, and if every unknown trial passed.

    Args:
        tasks: Counts of each task.
        statistic: `pass_k.STATISTIC` or `pass_at_k.STATISTIC`.
        k: Fresh trials.

    Returns:
        Both ends, equal when nothing is unknown; `None` when there is no task.
    """
    if not tasks:
        return None
    both = [completions(task, statistic, k) for task in tasks]
    return Interval(fsum(b.all_fail for b in both) / len(both), fsum(b.all_pass for b in both) / len(both))
