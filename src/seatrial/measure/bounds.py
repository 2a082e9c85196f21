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
