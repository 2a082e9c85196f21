"""The candidate minus the baseline on the tasks that both share: each task's own difference first, then their mean.

Tasks without a known result in one of the runs have no difference; they are counted, and the bounds say how far their unknown trials
could move the number. Estimator, interval and tests are those of `measure.paired_difference`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum
from typing import NamedTuple

from msgspec import structs

from seatrial.base.wording import count
from seatrial.compare.pairing import Pair
from seatrial.measure import bounds, pass_k
from seatrial.measure.paired_difference import counted, difference
from seatrial.measure.task_count import TaskCount
from seatrial.records.estimate import Difference, Estimate
from seatrial.records.grade import Criterion, Verdict
from seatrial.records.summary import TaskRow

Values = Callable[[TaskRow], float | None]
"""The value of a task in one run; `None`: not known."""


class Scale(NamedTuple):
    """What is subtracted."""

    name: str
    unit: str = "share"
    reach: float = 1.0
    """The largest difference that is possible, in both directions; infinity: there is none."""


def pass_difference(pairs: Sequence[Pair], criterion: Criterion, *, k: int = 1, seed: int = 0, fewest: int = 0) -> Difference:
    """Return the difference of pass^k on shared tasks, with bounds where trials are unknown.

    Args:
        pairs: The shared tasks.
        criterion: What counts as a pass.
        k: Fresh trials, 1 or more.
        seed: Seed of the draws.
        fewest: Tasks below which it is a plain count, without interval, tests and power.

    Returns:
        The difference, a share; tasks that `pass_values` does not know in one of the runs are left out, and its note counts them.
    """
    counts = [(count_of(pair.before, criterion), count_of(pair.after, criterion)) for pair in pairs]
    asked = [pair for pair, (old, new) in zip(pairs, counts, strict=True) if old.planned and new.planned]
    found = _difference(pass_values(asked, criterion, k), Scale(f"pass^{k}"), seed=seed, fewest=fewest)
    if pairs and not asked:
        found = _renoted(found, "no shared task asks for it")
    estimate = structs.replace(found.estimate, trials=sum(old.scored + new.scored for old, new in counts))
    return structs.replace(found, estimate=_bounded(estimate, [pair for pair in counts if pair[0].planned and pair[1].planned], k))


def pass_values(pairs: Sequence[Pair], criterion: Criterion, k: int) -> list[tuple[float | None, float | None]]:
    """Return pass^k of shared tasks in both runs, as `measure.bounds.values` has it over the tasks of both together.

    Args:
        pairs: The shared tasks.
        criterion: What counts as a pass.
        k: Fresh trials, 1 or more.
    """
    found = bounds.values([count_of(row, criterion) for pair in pairs for row in pair], pass_k.STATISTIC, k)
    return list(zip(found[::2], found[1::2], strict=True))


def value_difference(pairs: Sequence[Pair], value: Values, scale: Scale, *, seed: int = 0, fewest: int = 0) -> Difference:
    """Return the mean difference of a value of shared tasks.

    Args:
        pairs: The shared tasks.
        value: Their value in one run.
        scale: Its name and unit, and how far a difference can reach.
        seed: Seed of the draws.
        fewest: Tasks below which it is a plain count, without interval, tests and power.

    Returns:
        The difference in the scale's unit; tasks whose value is not known in one of the runs are left out, and its note counts them.
    """
    return _difference([(value(pair.before), value(pair.after)) for pair in pairs], scale, seed=seed, fewest=fewest)


def _difference(both: Sequence[tuple[float | None, float | None]], scale: Scale, *, seed: int, fewest: int) -> Difference:
    """Return the mean difference of values of shared tasks, before and after."""
    known = [(old, new) for old, new in both if old is not None and new is not None]
    before, after = [old for old, _ in known], [new for _, new in known]
    few, left_out = len(known) < fewest, len(both) - len(known)
    if few:
        found = counted(before, after, name=scale.name, unit=scale.unit, reach=scale.reach)
    else:
        found = difference(before, after, name=scale.name, seed=seed, unit=scale.unit, reach=scale.reach)
    if both and not known:
        return _renoted(found, f"of {count(len(both), 'shared task')} none has enough known trials in both runs")
    without = f"{left_out:,} of {count(len(both), 'shared task')} left out: too few known trials" if left_out else ""
    return _noted(found, without, f"no interval: fewer than {fewest} tasks" if few else "")


def count_of(row: TaskRow, criterion: Criterion) -> TaskCount:
    """Return passed, scored and planned trials of a task under a criterion; none is planned when the task does not ask the question.

    Args:
        row: The task's line.
        criterion: What counts as a pass.
    """
    if criterion == "strict":
        return TaskCount(row.passed, row.scored, row.scored + row.unknown)
    asks = row.outcome_scored or not row.trials or any(trial.outcome is not Verdict.NOT_APPLICABLE for trial in row.trials)
    return TaskCount(row.outcome_passed, row.outcome_scored, max(row.planned, row.outcome_scored) if asks else 0)


def _bounded(estimate: Estimate, counts: Sequence[tuple[TaskCount, TaskCount]], k: int) -> Estimate:
    """Return an estimate with its bounds: every unknown trial of one side failed and of the other passed."""
    unknown = sum(old.unknown + new.unknown for old, new in counts)
    if not unknown:
        return estimate
    ends = [tuple(bounds.completions(side, pass_k.STATISTIC, k) for side in pair) for pair in counts]
    low = fsum(new.all_fail - old.all_pass for old, new in ends) / len(ends)
    high = fsum(new.all_pass - old.all_fail for old, new in ends) / len(ends)
    return structs.replace(estimate, unknown=unknown, bound_low=low, bound_high=high)


def _noted(found: Difference, *more: str) -> Difference:
    """Return a difference with more that a reader must know; empty: nothing."""
    return _renoted(found, "; ".join(filter(None, (found.estimate.note, *more))))


def _renoted(found: Difference, note: str) -> Difference:
    """Return a difference with another note."""
    return structs.replace(found, estimate=structs.replace(found.estimate, note=note))
