"""Two runs held against each other, as Markdown for a pull request or a job summary."""

from __future__ import annotations

from seatrial.records.comparison import Comparison
from seatrial.report import _comparison_sections, _comparison_tasks
from seatrial.report._markdown import escaped, section
from seatrial.report._plain import plain


def render(comparison: Comparison) -> str:
    """Return a comparison as Markdown.

    Args:
        comparison: The comparison.

    Returns:
        The text; every word from outside is escaped, so that it is shown and never becomes markup.
    """
    names = f"{comparison.candidate.name} against {comparison.baseline.name}"
    lines = [f"# {escaped(plain(names))}", ""]
    first = _comparison_tasks.shortcuts(comparison)
    if first is not None:
        lines += [*section(first), ""]
    lines += [f"**{escaped(_comparison_sections.headline(comparison))}**", "", escaped(_comparison_sections.facts(comparison))]
    for part in _comparison_sections.once(_comparison_sections.sections(comparison)):
        lines += ["", *section(part)]
    return "\n".join([*lines, "", f"Next: {escaped(_comparison_sections.next_step(comparison))}", ""])
