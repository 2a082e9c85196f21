"""Several candidates against one baseline, in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seatrial.records.comparison import Pairwise
from seatrial.report import _console, _pairwise_sections

if TYPE_CHECKING:
    from rich.console import RenderableType


def render(pairwise: Pairwise, *, width: int | None = None, colour: bool | None = None) -> str:
    """Return several candidates against one baseline as terminal text.

    Args:
        pairwise: The candidates.
        width: Columns; `None`: the terminal's.
        colour: Whether to use colour; `None`: as standard output and NO_COLOR have it.
    """
    from rich.text import Text

    target = _console.console(width, colour)
    tables = _pairwise_sections.sections(pairwise)
    parts: list[RenderableType] = [line for part in tables for line in _console.section(part, target.width)]
    if pairwise.next:
        why, _, command = _pairwise_sections.next_step(pairwise).partition(": seatrial ")
        parts += [Text(), Text(f"next: {why}"), _console.command(f"seatrial {command}", 6)]
    return _console.drawn(target, parts)
