"""A decision as Markdown, for a comment on a pull request or the summary of a job."""

from __future__ import annotations

from seatrial.records.decision import SealedDecision
from seatrial.report import _decision_sections
from seatrial.report._markdown import escaped, section
from seatrial.report._plain import plain

MARKS = {"pass": "✅", "fail": "❌", "inconclusive": "❔"}
"""One sign a value; the word is always there as well."""


def render(sealed: SealedDecision, *, conclusion: str = "", names: str = "", agent: str = "") -> str:
    """Return a decision as Markdown.

    Args:
        sealed: The decision.
        conclusion: What the comparison with the baseline comes to, in a sentence; empty: there is none.
        names: What is held against what, as the comparison calls them; empty: by the names of the runs.
        agent: How the candidate is called, for the command that is proposed; empty: not known.

    Returns:
        The text; every word from outside is escaped, so that it is shown and never becomes markup, a mention or a link.
    """
    head = f"## {MARKS[sealed.decision.value]} {escaped(_decision_sections.title(sealed, names))}"
    lines = [head, "", f"**{escaped(plain(sealed.decision.sentence))}**", "", escaped(_decision_sections.facts(sealed))]
    for part in _decision_sections.sections(sealed, conclusion):
        # A comment on a pull request is one part of a page: its headings stand below the page's own.
        lines += ["", *(f"#{line}" if line.startswith("## ") else line for line in section(part))]
    return "\n".join([*lines, "", f"Next: {escaped(_decision_sections.next_step(sealed, agent))}", ""])
