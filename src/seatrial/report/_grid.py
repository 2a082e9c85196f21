"""The shape of a section of a report."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Grid:
    """A small table.

    Attributes:
        header: One title a column; a title may be empty.
        rows: Cells, one text a column.
        left: Leading columns that are set left; all others are numbers and set right.
        wide: Column that takes the room that is left and may wrap; `None`: none.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1
    wide: int | None = None


@dataclass(frozen=True)
class Section:
    """A part of a report.

    Attributes:
        title: Its heading.
        grid: Its table; `None`: it has none.
        lines: Sentences below the table.
        commands: Commands to copy, below the sentences; they are never broken.
    """

    title: str
    grid: Grid | None = None
    lines: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
