"""Sections as Markdown: every word from outside is escaped, so that it is shown and never becomes markup."""

from __future__ import annotations

import re
from collections.abc import Iterator

from seatrial.report._grid import Grid, Section
from seatrial.report._plain import plain

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#!@~])")


def escaped(text: str) -> str:
    """Return a text with every character that Markdown or HTML could read as markup escaped."""
    return _SPECIAL.sub(r"\\\1", text).replace("\n", " ")


def section(part: Section) -> Iterator[str]:
    """Yield the lines of one section.

    Args:
        part: The section.
    """
    yield f"## {escaped(part.title)}"
    if part.grid:
        yield ""
        yield from _grid(part.grid)
    if part.lines:
        yield ""
        yield from (f"{'  ' * (line != line.lstrip())}- {escaped(line.strip())}" for line in part.lines)
    if part.commands:
        yield ""
        yield from (_code(command) for command in part.commands)


def _code(command: str) -> str:
    """Return a command as code that no character of it can leave."""
    return f"    {plain(command)}"


def _grid(grid: Grid) -> Iterator[str]:
    """Yield the lines of one table."""
    yield f"| {' | '.join(escaped(title) for title in grid.header)} |"
    yield f"| {' | '.join('---' if index < grid.left else '---:' for index in range(len(grid.header)))} |"
    yield from (f"| {' | '.join(escaped(cell) for cell in row)} |" for row in grid.rows)
