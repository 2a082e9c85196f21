"""A run as Markdown, for a pull request or a job summary."""

from __future__ import annotations

from seatrial.records.summary import RunSummary
from seatrial.report import _sections
from seatrial.report._markdown import escaped, section
from seatrial.report._plain import plain


def render(summary: RunSummary, *, run: str = "RUN") -> str:
    """Return a run as Markdown.

    Args:
        summary: The run's summary.
        run: Name of the run file, for the commands that are proposed.

    Returns:
        The text; every word from outside is escaped, so that it is shown and never becomes markup.
    """
    name = escaped(plain(f"{summary.suite}: {summary.candidate.name}"))
    lines = [f"# {name}", "", f"**{escaped(_sections.headline(summary))}**", "", escaped(_sections.facts(summary))]
    for part in _sections.sections(summary):
        lines += ["", *section(part)]
    return "\n".join([*lines, "", f"Next: {escaped(_sections.next_step(summary, run))}", ""])
