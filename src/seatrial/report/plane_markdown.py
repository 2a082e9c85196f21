"""Several candidates on the plane of cost and value, as Markdown."""

from __future__ import annotations

from seatrial.records.plane import Plane
from seatrial.report import _plane_sections
from seatrial.report._markdown import escaped, section


def render(plane: Plane) -> str:
    """Return candidates on the plane as Markdown.

    Args:
        plane: The plane.

    Returns:
        The text; every word from outside is escaped, so that it is shown and never becomes markup.
    """
    lines = ["# Cost and value", "", f"**{escaped(_plane_sections.headline(plane))}**", "", escaped(_plane_sections.facts(plane))]
    for part in _plane_sections.sections(plane):
        lines += ["", *section(part)]
    return "\n".join([*lines, ""])
