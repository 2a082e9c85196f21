# ruff: noqa: INP001
"""Write the table of `importing.md`: published figures of τ-bench beside ours. Run: `python -m docs.importing FILE`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from seatrial.app.importing import import_run
from seatrial.app.reporting import summary_of
from seatrial.records.grade import Verdict
from seatrial.records.summary import RunSummary

PAGE = Path(__file__).with_name("importing.md")
PUBLISHED = ("0.420", "0.273", "0.220", "0.200")
"""pass^1 … pass^4 of gpt-4o on the airline domain. Source: README of sierra-research/tau-bench."""
START, END = "<!-- table -->", "<!-- end of table -->"


def summary(recording: Path) -> RunSummary:
    """Import and grade a recording in a folder that is thrown away, and return its summary."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.seatrial"
        import_run("tau-bench", recording, path)
        return summary_of(path)


def table(found: RunSummary) -> str:
    """Return both tables as Markdown."""
    (kind,) = found.kinds
    outcome, strict = kind.outcome.pass_k, kind.strict.pass_k
    rows = [
        f"| pass^{k} | {published} | {one.value:.4f} | {other.value:.4f} |"
        for k, (published, one, other) in enumerate(zip(PUBLISHED, outcome, strict, strict=True), 1)
    ]
    head = ["| | published | outcome, here | strict, here |", "|---|---|---|---|"]
    return "\n".join([*head, *rows, "", *_matrix(found)])


def _matrix(found: RunSummary) -> list[str]:
    cells = {(cell.outcome, cell.process): cell.trials for cell in found.matrix}
    lines = ["| trials | process pass | process fail |", "|---|---|---|"]
    for outcome in (Verdict.PASS, Verdict.FAIL):
        good, bad = (cells.get((outcome, process), 0) for process in (Verdict.PASS, Verdict.FAIL))
        lines.append(f"| outcome {outcome} | {good} | {bad} |")
    return lines


def page(text: str, made: str) -> str:
    """Return the page with its table replaced."""
    before, rest = text.split(START)
    return f"{before}{START}\n{made}\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), table(summary(Path(sys.argv[1])))), encoding="utf-8")
