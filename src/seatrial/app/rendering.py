"""Draw a summary in one of the formats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seatrial.app.reporting import Judge
from seatrial.base import catalogue
from seatrial.records.grade import Grade
from seatrial.records.summary import RunSummary
from seatrial.records.trace import Trace
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
        return renderer.render(summary, run=str(run), trials=_trials(file))


def _trials(file: RunFile) -> Iterator[tuple[Trace, Grade]]:
    judge = Judge(file)
    for trace in file.traces():
        yield trace, judge.grade(trace)
