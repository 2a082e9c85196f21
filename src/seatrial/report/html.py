"""One self-contained HTML file: the summary and every trace; it needs no network, no server and no build step.

Text of traces is hostile: it reaches the page only as JSON whose `<` are escaped, and is shown only as text nodes. The page's own
policy allows nothing but the one script and the one style that are part of the file, by their hashes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Iterable
from html import escape
from importlib.resources import files

import msgspec

from seatrial.records.grade import Grade
from seatrial.records.summary import RunSummary
from seatrial.records.trace import Trace

PLAIN_BYTES = 1_000_000
"""Larger data are compressed."""
SCRIPTS = ("1_dom.js", "2_numbers.js", "3_trace.js", "4_tasks.js")


class _Trial(msgspec.Struct, frozen=True):
    trace: Trace
    grade: Grade


def render(summary: RunSummary, *, run: str = "", trials: Iterable[tuple[Trace, Grade]] = ()) -> str:  # noqa: ARG001 - as every renderer
    """Return the report as one HTML document.

    Args:
        summary: The run's summary.
        run: The run file; not shown, for a report is handed on and a path is not.
        trials: Traces with their grades.
    """
    data = msgspec.json.encode({"summary": summary, "trials": [_Trial(trace, grade) for trace, grade in trials]})
    form, text = _embedded(data)
    style, script = _part("page.css"), "\n".join(_part(name) for name in SCRIPTS)
    parts = {
        "title": escape(f"{summary.candidate.name} on {summary.suite}"),
        "sentence": escape(summary.decision.sentence if summary.decision else ""),
        "style": style,
        "style_hash": _source_hash(style),
        "script_hash": _source_hash(script),
        "form": form,
        "data": text,
        "script": script,
    }
    page = _part("page.html")
    pieces = page.split("{{")
    return pieces[0] + "".join(parts[name] + rest for name, rest in (piece.split("}}", 1) for piece in pieces[1:]))


def _embedded(data: bytes) -> tuple[str, str]:
    """Return the form of the data and the data as they may stand within a script element."""
    if len(data) > PLAIN_BYTES:
        return "gzip", base64.b64encode(gzip.compress(data, 6, mtime=0)).decode("ascii")
    text = data.decode("utf-8")
    for mark in "<>&\u2028\u2029":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return "json", text


def _part(name: str) -> str:
    return files("seatrial.report.page").joinpath(name).read_text(encoding="utf-8")


def _source_hash(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode("utf-8")).digest()).decode("ascii")
