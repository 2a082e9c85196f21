"""One rich console for every renderer of terminal text: as wide and as colourful as the terminal, and never in charge of markup."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from seatrial.report._grid import Grid, Section

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

TONES = {"pass": "bold green", "fail": "bold red", "inconclusive": "bold yellow", "undetermined": "yellow", "error": "bold red"}
"""Style of a verdict or a decision; the word is always there as well."""
_WIDEST = 110


def console(width: int | None, colour: bool | None) -> Console:
    """Return a console.

    Args:
        width: Columns; `None`: the terminal's, at most 110.
        colour: Whether to use colour; `None`: as standard output and NO_COLOR have it.
    """
    from rich.console import Console

    found = Console(
        width=width, force_terminal=colour, no_color=True if colour is False else None, highlight=False, markup=False, emoji=False
    )
    if width is None and found.width > _WIDEST:
        found.width = _WIDEST
    return found


def drawn(parts: Iterable[RenderableType], *, width: int | None, colour: bool | None) -> str:
    """Return the parts as text, one below the other, without trailing blanks."""
    target = console(width, colour)
    with target.capture() as captured:
        for part in parts:
            target.print(part)
    return "\n".join(line.rstrip() for line in captured.get().splitlines()) + "\n"


def section(part: Section) -> Iterable[RenderableType]:
    """Yield the renderables of a section: a heading, its table, its lines."""
    from rich.padding import Padding
    from rich.text import Text

    yield Text(f"\n{part.title}", style="bold")
    if part.grid:
        yield Padding(table(part.grid), (0, 0, 0, 2))
    for line in part.lines:
        indent = len(line) - len(line.lstrip())
        yield Padding(Text(line.lstrip()), (0, 0, 0, 2 + indent))


def table(grid: Grid) -> RenderableType:
    """Return a table without lines: names left, numbers right."""
    from rich.table import Table
    from rich.text import Text

    drawn_table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim", expand=False)
    for index, title in enumerate(grid.header):
        wraps = index == grid.wide
        drawn_table.add_column(
            title,
            min_width=max(map(len, title.split() or [""])),
            justify="left" if index < grid.left else "right",
            no_wrap=False,
            overflow="fold",
            ratio=1 if wraps else None,
        )
    for row in grid.rows:
        drawn_table.add_row(*(Text(cell, style=TONES.get(cell, "")) for cell in row))
    return drawn_table
