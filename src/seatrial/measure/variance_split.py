"""Variance split: how much of the spread of results lies between tasks, and how much is the chance of single trials.

Formula, for c of n trials a task: within = mean of c (n - c) / (n (n - 1)); spread s2 = variance of the tasks' rates;
between = s2 - mean of within / n, cut at 0; icc = between / (between + within). Assumption: trials of one task are independent given
the task, and their number did not depend on what was seen. Source: Miller 2024, arXiv:2411.00640, sec. 3; Searle, Casella and
McCulloch 1992, ch. 3 (the analysis-of-variance estimators).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from typing import NamedTuple

from seatrial.base.errors import UsageError
from seatrial.measure.task_count import TaskCount


class VarianceSplit(NamedTuple):
    """Where the spread of a candidate's results lies."""

    value: float | None
    """Mean over tasks of the pass rate, a share; `None`: no scored trial."""
    spread: float | None
    """Variance of the tasks' rates, between and within together; `None`: fewer than two tasks."""
    within: float | None
    """Mean variance of one trial given its task, p (1 - p); `None`: no task has two scored trials."""
    between: float | None
    """Variance of the tasks' true rates, cut at 0; `None`: not computable."""
    icc: float | None
    """Share of a trial's variance that lies between tasks; `None`: not computable, or there is no variance."""
    noise: float | None
    """Mean over tasks of the variance that a task's rate has from its trials alone: within / n; `None`: not computable."""
    tasks: int
    """Tasks with a scored trial."""
    left_out: int
    """Tasks without a scored trial."""

    @property
    def error_new_tasks(self) -> float | None:
        """Standard error of the pass rate when the tasks are a sample; `None`: fewer than two tasks."""
        return None if self.spread is None else sqrt(self.spread / self.tasks)

    @property
    def error_this_suite(self) -> float | None:
        """Standard error of the pass rate on these very tasks: the noise of trials alone; `None`: not computable."""
        return None if self.noise is None else sqrt(self.noise / self.tasks)


class PairedSplit(NamedTuple):
    """Where the spread of the difference of two candidates on the same tasks lies."""

    value: float | None
    """Mean over tasks of the second rate minus the first; `None`: no task that both scored."""
    spread: float | None
    """Variance of the tasks' differences; `None`: fewer than two tasks."""
    between: float | None
    """Variance of the true differences, cut at 0; `None`: not computable."""
    within_before: float | None
    """Mean variance of one trial of the first candidate given its task; `None`: no task has two scored trials."""
    within_after: float | None
    """Mean variance of one trial of the second candidate given its task; `None`: no task has two scored trials."""
    noise: float | None
    """Mean variance that a task's difference has from trials alone; `None`: not computable."""
    tasks: int
    """Tasks that both candidates scored."""
    left_out: int
    """Tasks that one of them did not."""

    @property
    def task_share(self) -> float | None:
        """Share of the differences' variance that more trials cannot take away; `None`: not computable, or no variance."""
        return None if self.between is None or not self.spread else min(1.0, self.between / self.spread)


def split(tasks: Sequence[TaskCount]) -> VarianceSplit:
    """Return the variance of one candidate's results, between tasks and within them.

    Args:
        tasks: Counts of each task. Tasks without a scored trial are left out and counted; one with a single scored trial has the
            mean variance of the others.

    Returns:
        The split; a part that cannot be computed is `None`, never 0.
    """
    seen = [task for task in tasks if task.scored]
    rates = [task.passed / task.scored for task in seen]
    spread, within = _variance(rates), _within(seen)
    noise = None if within is None else _noise(seen, within)
    between = None if spread is None or noise is None else max(0.0, spread - noise)
    whole = None if between is None or within is None else between + within
    return VarianceSplit(
        value=fsum(rates) / len(rates) if rates else None,
        spread=spread,
        within=within,
        between=between,
        icc=between / whole if between is not None and whole else None,
        noise=noise,
        tasks=len(seen),
        left_out=len(tasks) - len(seen),
    )


def paired_split(before: Sequence[TaskCount], after: Sequence[TaskCount]) -> PairedSplit:
    """Return the variance of the difference of two candidates, between tasks and within them.

    Args:
        before: Counts of each task of the first candidate.
        after: Counts of the same tasks of the second one, in the same order.

    Returns:
        The split; a part that cannot be computed is `None`, never 0.

    Raises:
        UsageError: The two have different numbers of tasks.
    """
    if len(before) != len(after):
        raise UsageError(f"a paired split needs the same tasks on both sides, not {len(before)} and {len(after)}.")
    both = [(old, new) for old, new in zip(before, after, strict=True) if old.scored and new.scored]
    first, second = [old for old, _ in both], [new for _, new in both]
    differences = [new.passed / new.scored - old.passed / old.scored for old, new in both]
    spread, before_within, after_within = _variance(differences), _within(first), _within(second)
    noise = None
    if before_within is not None and after_within is not None:
        noise = _noise(first, before_within) + _noise(second, after_within)
    return PairedSplit(
        value=fsum(differences) / len(both) if both else None,
        spread=spread,
        between=None if spread is None or noise is None else max(0.0, spread - noise),
        within_before=before_within,
        within_after=after_within,
        noise=noise,
        tasks=len(both),
        left_out=len(before) - len(both),
    )


def _variance(values: Sequence[float]) -> float | None:
    """Return the sample variance, or `None` below two values."""
    if len(values) < 2:
        return None
    mean = fsum(values) / len(values)
    return fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


def _of_trial(task: TaskCount) -> float:
    """Return the unbiased variance p (1 - p) of one trial of a task that has two or more."""
    return task.passed * (task.scored - task.passed) / (task.scored * (task.scored - 1))


def _within(tasks: Sequence[TaskCount]) -> float | None:
    """Return the mean variance of a trial over the tasks that show it, or `None` when none does."""
    found = [_of_trial(task) for task in tasks if task.scored > 1]
    return fsum(found) / len(found) if found else None


def _noise(tasks: Sequence[TaskCount], within: float) -> float:
    """Return the mean variance of a task's rate from its trials; a task with a single trial takes the mean of the others."""
    return fsum((_of_trial(task) if task.scored > 1 else within) / task.scored for task in tasks) / len(tasks)
