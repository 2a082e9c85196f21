"""Several candidates against one baseline, as Markdown."""

from __future__ import annotations

from seatrial.records.comparison import Pairwise
from seatrial.report import _pairwise_sections
from seatrial.report._markdown import escaped, section


def render(pairwise: Pairwise) -> str:
    """Return several candidates against one baseline as Markdown.

    Args:
        pairwise: The candidates.

    Returns:
        The text; every word from outside is escaped, so that it is shown and never becomes markup.
    """
    lines = [line for part in _pairwise_sections.sections(pairwise) for line in (*section(part), "")]
    return "\n".join([*lines, *([f"Next: {escaped(_pairwise_sections.next_step(pairwise))}", ""] if pairwise.next else [])])
