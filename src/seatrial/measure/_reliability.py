"""A suite's pass^k and pass@k with their intervals, many k from one set of draws."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from seatrial.measure import dirichlet_ends, one_task
from seatrial.measure.bounds import bounds, completions, values
from seatrial.measure.task_count import Interval, Statistic, TaskCount, cells
from seatrial.records.estimate import Estimate

METHOD = "Dirichlet weights over tasks with half a task at each end"


def mean_value(tasks: Sequence[TaskCount], statistic: Statistic, k: int) -> float | None:
    """Return the mean of a value over tasks, or `None` when it is undefined for one of them or there is none."""
    found = values(tasks, statistic, k)
    known = [one for one in found if one is not None]
    return fsum(known) / len(found) if found and len(known) == len(found) else None


def estimates(tasks: Sequence[TaskCount], statistic: Statistic, ks: Sequence[int], *, seed: int) -> list[Estimate]:
    """Return one estimate a k.

    Args:
        tasks: Counts of each task.
        statistic: `pass_k.STATISTIC` or `pass_at_k.STATISTIC`.
        ks: Numbers of fresh trials.
        seed: Seed of the intervals' draws.

    Returns:
        The estimates, in the order of `ks`. When trials are unknown the lower end of the interval counts them as failed and
        the upper end as passed.
    """
    if not tasks:
        return [Estimate(name=f"{statistic.prefix}{k}", value=None, unit="share", note="no task") for k in ks]
    ranges = [one_task.interval(tasks[0], statistic, k) for k in ks] if len(tasks) == 1 else _ranges(tasks, statistic, ks, seed)
    return [_estimate(tasks, statistic, f"{statistic.prefix}{k}", k, ranges[index]) for index, k in enumerate(ks)]


def _ranges(tasks: Sequence[TaskCount], statistic: Statistic, ks: Sequence[int], seed: int) -> list[Interval]:
    """Return one interval a k over tasks, its ends from the worst and the best completion."""
    rows, counts = cells(tasks)
    both = [[end for k in ks for end in completions(row, statistic, k)] for row in rows]
    found = dirichlet_ends.intervals(both, counts, seed=seed)
    return [Interval(found[2 * index].lower, found[2 * index + 1].upper) for index in range(len(ks))]


def _estimate(tasks: Sequence[TaskCount], statistic: Statistic, name: str, k: int, ends: Interval) -> Estimate:
    """Return one estimate with its bounds and what a reader must know of it."""
    unknown = sum(task.unknown for task in tasks)
    both = bounds(tasks, statistic, k) if unknown else None
    value = mean_value(tasks, statistic, k)
    short = [task for task in tasks if task.scored < k] if value is None else []
    return Estimate(
        name=name,
        value=value,
        lower=ends.lower,
        upper=ends.upper,
        method=_method(len(tasks), unknown),
        tasks=len(tasks),
        trials=sum(task.scored for task in tasks),
        unknown=unknown,
        bound_low=both.lower if both else None,
        bound_high=both.upper if both else None,
        estimand="this suite" if len(tasks) == 1 else "new tasks",
        unit="share",
        note=_short_note(tasks, short, statistic, k) if short else "",
    )


def _method(tasks: int, unknown: int) -> str:
    """Return how the interval was made, in words."""
    basis = one_task.METHOD if tasks == 1 else METHOD
    return f"{basis}; unknown trials failed for the lower end, passed for the upper" if unknown else basis


def _short_note(tasks: Sequence[TaskCount], short: Sequence[TaskCount], statistic: Statistic, k: int) -> str:
    """Return why the value is not computable, and the mean over the other tasks, named as what it is."""
    others = mean_value([task for task in tasks if task.scored >= k], statistic, k)
    rest = "" if others is None else f"; the mean over the other {len(tasks) - len(short)} tasks, another population, is {others:.4f}"
    return f"{len(short)} of {len(tasks)} tasks have fewer than {k} scored trials{rest}"
