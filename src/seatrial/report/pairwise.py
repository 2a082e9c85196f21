"""Several candidates against one baseline, in the terminal."""

from __future__ import annotations

from seatrial.records.comparison import Pairwise
from seatrial.report import _console, _pairwise_sections


def render(pairwise: Pairwise, *, width: int | None = None, colour: bool | None = None) -> str:
    """Return several candidates against one baseline as terminal text.

    Args:
        pairwise: The candidates.
        width: Columns; `None`: the terminal's.
        colour: Whether to use colour; `None`: as standard output and NO_COLOR have it.
    """
    target = _console.console(width, colour)
    tables = _pairwise_sections.sections(pairwise)
    return _console.drawn(target, [line for part in tables for line in _console.section(part, target.width)])
