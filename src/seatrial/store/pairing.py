"""Trials with their grades: both come by task and trial, so they are joined without holding either."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from seatrial.records.grade import Grade

Item = TypeVar("Item")
Key = tuple[str, int]
"""Task and index of a trial."""


def paired(items: Iterator[Item], key: Callable[[Item], Key], grades: Iterator[Grade]) -> Iterator[tuple[Item, Grade | None]]:
    """Yield each item with its grade, `None` when it has none; grades without an item are passed over.

    Args:
        items: Traces or headers, by task and trial.
        key: Returns the task and the trial of an item.
        grades: Grades, by task and trial.
    """
    grade = next(grades, None)
    for item in items:
        while grade is not None and (grade.task, grade.trial) < key(item):
            grade = next(grades, None)
        yield item, grade if grade is not None and (grade.task, grade.trial) == key(item) else None
