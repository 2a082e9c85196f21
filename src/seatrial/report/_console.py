"""One rich console for every renderer of terminal text: as wide and as colourful as the terminal, and never in charge of markup."""

from __future__ import annotations

import io
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from seatrial.report._grid import Grid, Section

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

TONES = {"pass": "bold green", "fail": "bold red", "inconclusive": "bold yellow", "undetermined": "yellow", "error": "bold red"}
"""Style of a verdict or a decision; the word is always there as well."""
_NARROWEST, _USUAL, _WIDEST = 20, 80, 110
_INDENT = 2
_GAP = 2
_LEAST_WIDE = 24
_LEAST_NAME = 9


def console(width: int | None, colour: bool | None) -> Console:
    """Return a console.

    Args:
        width: Columns; `None`: the terminal's, at most 110, and 80 when it claims fewer than 20.
        colour: Whether to use colour; `None`: as standard output and NO_COLOR have it.
    """
    from rich.console import Console

    plain = partial(Console, no_color=True if colour is False else None, highlight=False, markup=False, emoji=False)
    real = plain(width=width, force_terminal=colour)
    if width is None:
        # `COLUMNS=0` and terminals that know no size yet claim to be narrower than a word; text as wide as that is no text.
        width = min(real.width, _WIDEST) if real.width >= _NARROWEST else _USUAL
    # Drawing is no printing: a standard output that is full or gone is the matter of whoever prints the text.
    return plain(width=width, force_terminal=real.is_terminal, file=io.StringIO())


def drawn(target: Console, parts: Iterable[RenderableType]) -> str:
    """Return the parts as text, one below the other, without trailing blanks."""
    from rich.text import Text

    with target.capture() as captured:
        for part in parts:
            whole = isinstance(part, Text) and part.no_wrap is True
            target.print(part, crop=False, no_wrap=whole or None, overflow="ignore" if whole else None)
    return "\n".join(line.rstrip() for line in captured.get().splitlines()) + "\n"


def section(part: Section, width: int) -> Iterable[RenderableType]:
    """Yield the renderables of a section: a heading, its table, its lines."""
    from rich.padding import Padding
    from rich.text import Text

    yield Text(f"\n{part.title}", style="bold")
    if part.grid:
        yield Padding(table(part.grid, width - _INDENT), (0, 0, 0, _INDENT))
    for line in part.lines:
        indent = len(line) - len(line.lstrip())
        yield Padding(Text(line.lstrip()), (0, 0, 0, _INDENT + indent))
    yield from (command(line, _INDENT) for line in part.commands)


def command(line: str, indent: int) -> Text:
    """Return a command on one line, however long: a terminal wraps it, and it can still be copied."""
    from rich.text import Text

    return Text(" " * indent + line, no_wrap=True, overflow="ignore")


def table(grid: Grid, width: int) -> RenderableType:
    """Return a table without lines: names left, numbers right, never a number cut."""
    from rich.table import Table
    from rich.text import Text

    found = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="dim", expand=False)
    widths = _widths(grid, width)
    for index, title in enumerate(grid.header):
        side = "left" if index < grid.left else "right"
        found.add_column(title, justify=side, overflow="fold", width=widths[index] if widths else None)
    for row in grid.rows:
        cells = (broken(cell, widths[index]) if widths and index != grid.wide else cell for index, cell in enumerate(row))
        found.add_row(*(Text(cell, style=TONES.get(cell, "")) for cell in cells))
    return found


def broken(name: str, width: int) -> str:
    """Return a name over as many lines as it needs, broken behind its last `_`, `-`, `.`, `/`, `=` or blank that fits."""
    lines = []
    while len(name) > width:
        cut = max((name.rfind(mark, 0, width) for mark in "_-./= "), default=-1) + 1 or width
        lines.append(name[:cut].rstrip(" "))
        name = name[cut:]
    return "\n".join([*lines, name])


def _widths(grid: Grid, width: int) -> list[int] | None:
    """Return the widths of the columns: titles are broken first, then names; `None`: even so there is no room."""
    cells = [max([1, *(len(row[index]) for row in grid.rows)]) for index in range(len(grid.header))]
    least = [max([cell, *map(len, title.split())]) for cell, title in zip(cells, grid.header, strict=True)]
    found = [max(cell, len(title)) for cell, title in zip(cells, grid.header, strict=True)]
    if grid.wide is not None:
        least[grid.wide] = min(least[grid.wide], _LEAST_WIDE)
    room = width - _GAP * (len(found) - 1)
    for index in sorted(range(len(found)), key=lambda index: least[index] - found[index]):
        excess, spare = sum(found) - room, found[index] - least[index]
        found[index] -= max(0, min(spare, excess)) if index == grid.wide or excess <= 0 else spare
    for index in sorted(range(grid.left), key=lambda index: -found[index]):
        found[index] = max(min(found[index], _LEAST_NAME), found[index] - max(0, sum(found) - room))
    return found if sum(found) <= room else None
