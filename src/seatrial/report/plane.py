"""Several candidates on the plane of cost and value, in the terminal: the frontier, who is dominated, and what the same money buys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seatrial.records.plane import Plane
from seatrial.report import _console, _plane_sections

if TYPE_CHECKING:
    from rich.console import RenderableType


def render(plane: Plane, *, width: int | None = None, colour: bool | None = None) -> str:
    """Return candidates on the plane as terminal text.

    Args:
        plane: The plane.
        width: Columns; `None`: the terminal's.
        colour: Whether to use colour; `None`: as standard output and NO_COLOR have it.

    Returns:
        The text, the frontier in words first.
    """
    from rich.text import Text

    target = _console.console(width, colour)
    parts: list[RenderableType] = [
        Text(_plane_sections.headline(plane), style="bold"),
        Text(_plane_sections.facts(plane), style="dim"),
    ]
    for part in _plane_sections.sections(plane):
        parts.extend(_console.section(part, target.width))
    return _console.drawn(target, parts)
