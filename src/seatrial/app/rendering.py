"""Draw a summary in one of the formats."""

from __future__ import annotations

from pathlib import Path

from seatrial.app.reporting import traces_with_grades
from seatrial.base import catalogue
from seatrial.records.summary import RunSummary
from seatrial.store import RunFile


def rendered(summary: RunSummary, run: Path, form: str) -> str:
    """Return a run drawn in a format.

    Args:
        summary: Its summary.
        run: The run file: for the commands that a report names and for the traces that HTML holds.
        form: Name of the renderer.
    """
    renderer = catalogue.load("renderer", form)
    if form != "html":
        return renderer.render(summary, run=str(run))
    with RunFile.open(run) as file:
        return renderer.render(summary, run=str(run), trials=traces_with_grades(file))
