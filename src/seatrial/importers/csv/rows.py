"""The rows of a table as trials: whose, of which task, which one, passed or not, at what cost. All of them are checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from math import fsum
from typing import TypeVar

from msgspec import Struct

from seatrial.base.wording import clipped
from seatrial.importers.csv.cells import UNKNOWN, number, passed, whole
from seatrial.importers.csv.columns import Columns, Places, places
from seatrial.importers.csv.table import Table
from seatrial.suite.backtracking import explodes

Value = TypeVar("Value")
LONGEST_SLICE = 200
"""Longest value of a slice, in characters; it names a group of tasks in every report."""
_SHOWN = 60
_LONGEST = 1024
_ONE_TRIAL = "1"


class Row(Struct, frozen=True, gc=False):
    """One row."""

    line: int
    candidate: tuple[str, ...]
    """Its words, one a column; empty: the table is one candidate's."""
    task: str
    """Its id in the file, or the part of it that counts."""
    trial: str
    """Its label in the file."""
    passed: bool | None
    """`None`: not known."""
    usd: float | None
    tokens: int | None
    calls: int | None
    seconds: float | None
    slices: tuple[str, ...]
    """Values of the slice columns; empty text: the row says none."""


class Rows:
    """The rows of a table, read and checked one by one.

    Args:
        table: The table.
        columns: What its columns are.
    """

    def __init__(self, table: Table, columns: Columns) -> None:
        self.table, self.columns, self.at = table, columns, places(columns, table)
        self._pattern = self._compiled(columns.task_pattern)

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows in the order of the file."""
        for line, cells in self.table.rows():
            yield self._row(line, cells)

    def title(self, place: int) -> str:
        """Return the name of a column."""
        return self.table.header[place]

    def _row(self, line: int, cells: Sequence[str]) -> Row:
        at: Places = self.at
        return Row(
            line=line,
            candidate=tuple(self._word(line, cells, place) for place in at.candidate),
            task=self._task(line, self._word(line, cells, at.task)),
            trial=self._word(line, cells, at.trial) if at.trial is not None else _ONE_TRIAL,
            passed=self._read(line, cells, at.passed, lambda cell: passed(cell, pass_from=self.columns.pass_from)),
            usd=self._sum(line, cells, at.usd, number),
            tokens=_whole(self._sum(line, cells, at.tokens, whole)),
            calls=_whole(self._sum(line, cells, at.calls, whole)),
            seconds=self._sum(line, cells, at.seconds, number),
            slices=tuple(self._slice(line, cells, place) for place in at.slices),
        )

    def _word(self, line: int, cells: Sequence[str], place: int) -> str:
        word = cells[place].strip()
        if not word:
            self.table.refuse(f"the column {self.title(place)!r} is empty; expected a name", line)
        return word

    def _task(self, line: int, word: str) -> str:
        if self._pattern is None:
            return word
        found = self._pattern.search(word[:_LONGEST])
        part = found and (found[1] if self._pattern.groups else found[0])
        if not part:
            self.table.refuse(f"the task {clipped(word, _SHOWN)!r} does not match the pattern {self._pattern.pattern!r}", line)
        return part

    def _slice(self, line: int, cells: Sequence[str], place: int) -> str:
        word = cells[place].strip()
        if len(word) > LONGEST_SLICE:
            problem = (
                f"the slice {self.title(place)!r} has {len(word):,} characters; at most {LONGEST_SLICE} are read, expected a short name"
            )
            self.table.refuse(problem, line)
        return "" if word.lower() in UNKNOWN else word

    def _read(self, line: int, cells: Sequence[str], place: int, read: Callable[[str], Value]) -> Value:
        try:
            return read(cells[place])
        except ValueError as error:
            self.table.refuse(f"the column {self.title(place)!r} holds {clipped(cells[place], _SHOWN)!r}; {error}", line)

    def _sum(self, line: int, cells: Sequence[str], columns: Sequence[int], read: Callable[[str], float | None]) -> float | None:
        """Return the sum of some columns; `None`: there is none, or one of them is not known."""
        parts = [self._read(line, cells, place, read) for place in columns]
        known = [part for part in parts if part is not None]
        return fsum(known) if known and len(known) == len(parts) else None

    def _compiled(self, pattern: str) -> re.Pattern[str] | None:
        try:
            found = re.compile(pattern) if pattern else None
        except re.error as error:
            self.table.refuse(f"the pattern {pattern!r} for task ids is no regular expression: {error}")
        if explodes(pattern):
            self.table.refuse(
                f"the pattern {pattern!r} repeats what repeats itself, as (a+)+ does, and a task can make it run for ever; write a+"
            )
        return found


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)
