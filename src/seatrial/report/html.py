"""One self-contained HTML file: the summary and every trace; it needs no network, no server and no build step.

Text of traces is hostile: it reaches the page only as JSON whose `<` are escaped, and is shown only as text nodes. The page's own
policy allows nothing but the one script and the one style that are part of the file, by their hashes, and no markup from text.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from html import escape
from pathlib import PurePath

import msgspec

from seatrial.records.grade import Grade
from seatrial.records.summary import RunSummary
from seatrial.records.trace import Trace
from seatrial.report import _embedding
from seatrial.report._embedding import Key, Limits
from seatrial.report._page import filled
from seatrial.report._plain import plain

SCRIPTS = ("dom", "data", "verdict", "curve", "kinds", "tasks", "steps", "trace", "risks", "facts", "page")
"""In the order in which they are joined."""


class _Report(msgspec.Struct, frozen=True):
    summary: RunSummary
    run: str
    """Name of the run file for commands, quoted for a shell."""
    seed: str
    """A text: a seed may be larger than what a script's numbers hold exactly."""
    chunks: list[list[Key]]
    """The trials of each group of traces."""
    embedded: int
    left_out: int
    """Traces that are not part of the file."""


def render(summary: RunSummary, *, run: str = "", trials: Iterable[tuple[Trace, Grade]] = (), limits: Limits | None = None) -> str:
    """Return the report as one HTML document.

    Args:
        summary: The run's summary.
        run: The run file; only its name is shown, for a report is handed on and its folders are not.
        trials: Traces with their grades.
        limits: How many traces become part of the file; `None`: 20,000 or 64 MB.
    """
    parts = {
        "title": escape(plain(f"{summary.candidate.name} on {summary.suite}")),
        "sentence": escape(plain(summary.decision.sentence if summary.decision else "")),
        "data": _data(summary, run, _embedding.select(trials, limits or Limits())),
    }
    return filled("page.html", SCRIPTS, parts)


def _data(summary: RunSummary, run: str, selection: _embedding.Selection) -> str:
    """Return the script elements that hold the summary and the traces."""
    groups = list(_embedding.chunks(selection.kept()))
    kept = sum(map(len, groups))
    keys = [[one.key for one in group] for group in groups]
    name = shlex.quote(PurePath(run).name) if run else "RUN"
    report = msgspec.json.encode(_Report(summary, name, str(summary.seed), keys, kept, selection.seen - kept))
    size = len(report) + sum(len(one.data) for group in groups for one in group)
    form = "gzip" if size > _embedding.PLAIN_BYTES else "json"
    traces = (_embedding.script(f"traces-{index}", _embedding.joined(group), form) for index, group in enumerate(groups))
    return "\n".join((_embedding.script("data", report, form), *traces))
