"""Which tasks a rule looks at, and what values its arguments may have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from seatrial.compare.differences import count_of
from seatrial.measure.task_count import TaskCount
from seatrial.records.grade import Criterion
from seatrial.records.summary import RunSummary, TaskRow
from seatrial.records.task import Kind, Stakes

Share = Annotated[float, Meta(ge=0, le=1)]
"""0 to 1."""
Whole = Annotated[int, Meta(ge=0, le=1_000_000)]
"""A count, 0 or more."""
Draws = Annotated[int, Meta(ge=1, le=64)]
"""k: fresh trials of a task."""


def chosen(summary: RunSummary, kind: Kind, *, slices: Mapping[str, str] = {}, stakes: Stakes | None = None) -> list[TaskRow]:
    """Return the tasks of one kind, and of some slices.

    Args:
        summary: The run, or a split of it.
        kind: The kind; the two are never pooled.
        slices: Slice → the value that a task must have; empty: any.
        stakes: The stakes that a task must have; `None`: any.
    """
    return [row for row in summary.tasks if row.kind == kind and is_in(row, slices) and stakes in (None, row.stakes)]


def is_in(row: TaskRow, slices: Mapping[str, str]) -> bool:
    """Tell whether a task has all these values of slices."""
    return all(row.slices.get(name) == value for name, value in slices.items())


def asked(rows: Sequence[TaskRow], criterion: Criterion) -> list[TaskCount]:
    """Return the counts of the tasks that a criterion asks something of."""
    return [count for row in rows if (count := count_of(row, criterion)).planned]
