"""Draw a summary in one of the formats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import structs

from seatrial.app.disclosure import opened
from seatrial.app.judging import Judge
from seatrial.app.reporting import traces_with_grades
from seatrial.app.withholding import held_of
from seatrial.base import catalogue
from seatrial.records.grade import Grade
from seatrial.records.summary import RunSummary
from seatrial.records.trace import Trace


def rendered(summary: RunSummary, run: Path, form: str, *, sources: bool = False, reveal: bool = False) -> str:
    """Return a run drawn in a format.

    Args:
        summary: Its summary.
        run: The run file: for the commands that a report names and for the traces that HTML holds.
        form: Name of the renderer.
        sources: Whether HTML says of every argument value of every trace where it came from.
        reveal: Whether HTML holds traces of holdout tasks.
    """
    renderer = catalogue.load("renderer", form)
    if form != "html":
        return renderer.render(summary, run=str(run))
    with opened(run, reveal=reveal) as file:
        held = held_of(() if reveal else file.tasks().values())
        trials = ((trace, grade) for trace, grade in traces_with_grades(file) if trace.identity.task not in held)
        return renderer.render(summary, run=str(run), trials=_explained(Judge.of_run(file), trials) if sources else trials)


def _explained(judge: Judge, trials: Iterable[tuple[Trace, Grade]]) -> Iterator[tuple[Trace, Grade]]:
    return ((trace, structs.replace(grade, sources=judge.explain(trace) or grade.sources)) for trace, grade in trials)
