"""Flaky tasks: those that passed sometimes and failed sometimes, with the interval of each task's own rate.

A task that never failed in n trials may still be flaky: eight of eight leave a rate of 0.63 possible (Clopper-Pearson). The list
says what was seen; its intervals are one by one and are not corrected for their number.
Source: Wilson 1927, JASA 22 (the interval of one share).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from seatrial.measure import binomial
from seatrial.measure.task_count import Interval, TaskCount


class FlakyTask(NamedTuple):
    """A task that both passed and failed."""

    task: str
    passed: int
    """Scored trials that passed: at least one, and not all."""
    scored: int
    interval: Interval
    """Wilson's interval of this task's own pass rate; it takes the task's trials for independent."""


def flaky(tasks: Mapping[str, TaskCount], *, confidence: float = 0.95) -> list[FlakyTask]:
    """Return the tasks that both passed and failed, the most undecided first.

    Args:
        tasks: Id → counts of the task.
        confidence: Of each interval, share, 0 to 1.

    Returns:
        One line a flaky task: those nearest to one half first, equal ones by id.
    """
    mixed = [(task, count) for task, count in tasks.items() if 0 < count.passed < count.scored]
    mixed.sort(key=lambda pair: (abs(pair[1].passed / pair[1].scored - 0.5), pair[0]))
    return [
        FlakyTask(task, count.passed, count.scored, binomial.wilson(count.passed, count.scored, confidence=confidence))
        for task, count in mixed
    ]
