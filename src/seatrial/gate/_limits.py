"""One-sided limits: how low, and how high, a number may be at 95 % confidence each, with every unknown trial counted against it.

A rule asks one way only, so that each of its limits stands alone at 95 %: together they are the ends of a 90 % interval. The lower limit
counts unknown trials as failed and the upper one as passed. A decision that rests on them is therefore the same for every way in which
the unknown trials may have ended: where it would change between these ways, neither limit reaches the bar.

Source: the intervals are those of `measure.dirichlet_ends` and `measure.one_task`; Berger 1982 for one-sided tests of every bar.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from seatrial.compare.differences import count_of
from seatrial.compare.pairing import Pair
from seatrial.measure import dirichlet_ends, one_task, paired_difference, pass_at_k, pass_k
from seatrial.measure.bounds import completions
from seatrial.measure.task_count import Interval, Statistic, TaskCount, cells
from seatrial.records.estimate import Difference, Estimate
from seatrial.records.grade import Criterion

ONE_SIDED = 0.90
"""Confidence of the two-sided interval whose ends are one-sided limits at 95 %."""


def limited(tasks: Sequence[TaskCount], statistic: Statistic, k: int, *, seed: int) -> Estimate:
    """Return pass^k or pass@k of some tasks with its one-sided limits in place of its interval.

    Args:
        tasks: Counts of each task; at least one.
        statistic: `pass_k.STATISTIC` or `pass_at_k.STATISTIC`.
        k: Fresh trials, 1 or more.
        seed: Seed of the draws.
    """
    estimate = pass_k.estimate if statistic is pass_k.STATISTIC else pass_at_k.estimate
    ends = _of_one(tasks[0], statistic, k) if len(tasks) == 1 else _of_many(tasks, statistic, k, seed)
    found = estimate(tasks, k, seed=seed)
    return structs.replace(found, lower=ends.lower, upper=ends.upper, method=f"each limit alone at 95 %: {found.method}")


def difference_limits(
    found: Difference, pairs: Sequence[Pair], criterion: Criterion, k: int, *, seed: int
) -> tuple[float | None, float | None]:
    """Return the one-sided limits of a difference: as they were computed, or for the worst and the best end of what is not known.

    A task that never had k trials is as unknown as one that lost them: left out, it could hide that it broke.

    Args:
        found: The difference over the tasks with k scored trials in both runs.
        pairs: The shared tasks that it is about.
        criterion: What counts as a pass.
        k: Fresh trials, 1 or more.
        seed: Seed of the draws.
    """
    counts = [(count_of(pair.before, criterion), count_of(pair.after, criterion)) for pair in pairs]
    asked = [(old, new) for old, new in counts if old.planned and new.planned]
    if not found.estimate.unknown and found.tasks == len(asked):
        return found.lower, found.upper
    low, high = [], []
    for old, new in asked:
        before, after = completions(old, pass_k.STATISTIC, k), completions(new, pass_k.STATISTIC, k)
        low.append(after.all_fail - before.all_pass)
        high.append(after.all_pass - before.all_fail)
    worst, best = paired_difference.limits(low, seed=seed), paired_difference.limits(high, seed=seed)
    return worst.one_sided.lower if worst else None, best.one_sided.upper if best else None


def _of_one(task: TaskCount, statistic: Statistic, k: int) -> Interval:
    """Return the limits of one task alone."""
    return one_task.interval(task, statistic, k, confidence=ONE_SIDED)


def _of_many(tasks: Sequence[TaskCount], statistic: Statistic, k: int, seed: int) -> Interval:
    """Return the limits over tasks, from the worst and the best end of unknown trials."""
    rows, counts = cells(tasks)
    both = [completions(row, statistic, k) for row in rows]
    worst, best = dirichlet_ends.intervals(both, counts, confidence=ONE_SIDED, seed=seed)
    return Interval(worst.lower, best.upper)
