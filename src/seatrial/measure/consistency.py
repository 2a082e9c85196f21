"""Consistency: whether two fresh trials of a task end alike, from 0 (a coin) to 1 (always the same).

Formula: 1 - 4 c (n - c) / (n (n - 1)) for c of n trials, unbiased for (2p - 1)^2; the chance that two trials agree, put from its
range of 1/2 to 1 onto 0 to 1. One task's value may be negative, as an unbiased value must when its trials split evenly. The plug-in
(2c/n - 1)^2 is too high by 4 p (1 - p) / n. Assumption: the number of trials did not depend on what was seen.
Source: Hoeffding 1948, Annals of Mathematical Statistics 19 (the mean over all pairs is unbiased).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from seatrial.measure import dirichlet_ends
from seatrial.measure.task_count import Interval, TaskCount, cells, check_draws
from seatrial.records.estimate import Estimate

METHOD = "Dirichlet weights over tasks with half a task at each end"
FEWEST_TASKS = 2


def consistency(passed: int, trials: int) -> float | None:
    """Return the unbiased consistency of one task.

    Args:
        passed: Trials that passed, 0 to `trials`.
        trials: Trials whose success is known.

    Returns:
        -1 to 1; `None` with fewer than two trials, which cannot disagree.

    Raises:
        UsageError: The counts contradict each other.
    """
    check_draws(passed, trials, 1)
    return None if trials < 2 else 1 - 4 * passed * (trials - passed) / (trials * (trials - 1))


def estimate(tasks: Sequence[TaskCount], *, seed: int = 0) -> Estimate:
    """Return the mean consistency of a suite with its interval over tasks, and its bounds when trials are unknown.

    Args:
        tasks: Counts of each task.
        seed: Seed of the interval's draws.

    Returns:
        The estimate; its `value` is `None` when a task has fewer than two scored trials, its interval is cut to 0 to 1 and there is
        none below two tasks.
    """
    if not tasks:
        return Estimate(name="consistency", value=None, unit="share", note="no task")
    found = [consistency(task.passed, task.scored) for task in tasks]
    known = [one for one in found if one is not None]
    ends = [_completions(task) for task in tasks]
    unknown = sum(task.unknown for task in tasks)
    interval = _interval(tasks, seed) if len(tasks) >= FEWEST_TASKS else None
    return Estimate(
        name="consistency",
        value=fsum(known) / len(known) if len(known) == len(tasks) else None,
        lower=interval.lower if interval else None,
        upper=interval.upper if interval else None,
        method=METHOD if interval else "",
        tasks=len(tasks),
        trials=sum(task.scored for task in tasks),
        unknown=unknown,
        bound_low=fsum(end.lower for end in ends) / len(ends) if unknown else None,
        bound_high=fsum(end.upper for end in ends) / len(ends) if unknown else None,
        estimand="new tasks" if interval else "this suite",
        unit="share",
        note=_note(len(tasks), len(tasks) - len(known)),
    )


def _completions(task: TaskCount) -> Interval:
    """Return the least and the greatest value that the unknown trials leave possible; it does not grow with the passes."""
    if task.planned < 2:
        return Interval(0.0, 1.0)
    values = [consistency(task.passed + more, task.planned) or 0.0 for more in range(task.unknown + 1)]
    return Interval(min(values), max(values))


def _interval(tasks: Sequence[TaskCount], seed: int) -> Interval:
    """Return the interval of the chance that two trials agree, put onto 0 to 1."""
    rows, counts = cells(tasks)
    both = [[(1 + end) / 2 for end in _completions(row)] for row in rows]
    low, high = dirichlet_ends.intervals(both, counts, seed=seed)
    return Interval(max(0.0, 2 * low.lower - 1), max(0.0, 2 * high.upper - 1))


def _note(tasks: int, short: int) -> str:
    """Return what a reader must know of the value."""
    few = f"{short} of {tasks} tasks have fewer than 2 scored trials" if short else ""
    return few or ("one task: the spread between tasks cannot be seen" if tasks < FEWEST_TASKS else "")
