"""What every reliability number rests on: passed, scored and planned trials of each task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from seatrial.base.errors import UsageError


class TaskCount(NamedTuple):
    """The trials of one task."""

    passed: int
    """Scored trials that passed."""
    scored: int
    """Trials whose success is known."""
    planned: int
    """Trials that should have been scored."""

    @property
    def unknown(self) -> int:
        """Planned trials whose success is not known."""
        return self.planned - self.scored


class Interval(NamedTuple):
    """The two ends of an interval."""

    lower: float
    upper: float


class Statistic(NamedTuple):
    """A number of a task that grows with its pass rate and with its passed trials: pass^k or pass@k."""

    prefix: str
    """Start of its name: `pass^` or `pass@`."""
    of_task: Callable[[int, int, int], float | None]
    """Unbiased value by passed trials, trials, and k; `None`: not computable."""
    of_rate: Callable[[float, int], float]
    """True value by pass rate and k."""


def counted(passed: int, scored: int, planned: int | None = None) -> TaskCount:
    """Return the counts of one task after checking them.

    Args:
        passed: Scored trials that passed.
        scored: Trials whose success is known.
        planned: Trials that should have been scored; `None`: the scored ones.

    Returns:
        The counts.

    Raises:
        UsageError: Not 0 <= passed <= scored <= planned.
    """
    whole = scored if planned is None else planned
    if not 0 <= passed <= scored <= whole:
        raise UsageError(f"expected 0 <= passed <= scored <= planned, not {passed} passed, {scored} scored, {whole} planned.")
    return TaskCount(passed, scored, whole)


def check_draws(passed: int, trials: int, k: int) -> None:
    """Raise `UsageError` unless 0 <= passed <= trials and k >= 1."""
    counted(passed, trials)
    if k < 1:
        raise UsageError(f"k must be 1 or more, not {k}: it is the number of fresh trials that are drawn.")


def cells(tasks: Iterable[TaskCount]) -> tuple[Sequence[TaskCount], Sequence[int]]:
    """Return the distinct counts in rising order and how many tasks have each: a statistic of them costs no more with more tasks."""
    found = sorted(Counter(tasks).items())
    return [cell for cell, _ in found], [times for _, times in found]
