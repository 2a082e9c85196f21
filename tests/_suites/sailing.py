"""Run agents on a suite in this process and read back what was stored."""

from __future__ import annotations

from pathlib import Path

from seatrial.app.loading import load
from seatrial.app.options import RunOptions
from seatrial.app.run import RunResult, run_candidates
from seatrial.records.grade import Grade
from seatrial.records.trace import Trace
from seatrial.store import RunFile


class StillClock:
    """A clock that always shows the same moment."""

    def seconds(self) -> float:
        """Return 0."""
        return 0.0

    def now(self) -> str:
        """Return one fixed moment."""
        return "2026-01-01T00:00:00Z"


def sail(suite: Path, *agents: str, output: Path, **options: object) -> RunResult:
    """Run agents on a suite."""
    return run_candidates(load(suite), agents, RunOptions(output=output, **options), clock=StillClock())


def traces(path: Path) -> dict[tuple[str, int], Trace]:
    """Return the traces of a run file by task and trial."""
    with RunFile.open(path) as file:
        return {(trace.identity.task, trace.identity.trial): trace for trace in file.traces()}


def grades(path: Path) -> dict[tuple[str, int], Grade]:
    """Return the stored grades of a run file by task and trial."""
    with RunFile.open(path) as file:
        return {(grade.task, grade.trial): grade for grade in file.grades()}
