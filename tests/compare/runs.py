"""Small runs for the tests of comparison: tasks, and the verdicts of each of their trials."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from seatrial.measure.summarise import summarise
from seatrial.records.contract import Budget, Contract
from seatrial.records.summary import RunSummary
from seatrial.records.task import Task
from tests.measure.builders import graded, manifest

Verdicts = Callable[[str, int], str]
"""Task and trial → first letters of outcome, process, safety, budget; empty: the trial was not run."""


def task(name: str, kind: str = "capability", *, calls: int = 8, **slices: str) -> Task:
    """Return a task; another number of calls is another contract."""
    return Task(name, kind=kind, slices=slices, contract=Contract(budget=Budget(calls=calls)))  # type: ignore[arg-type]


def tasks(count: int, prefix: str = "t", kind: str = "capability", **slices: str) -> list[Task]:
    """Return numbered tasks of one kind."""
    return [task(f"{prefix}-{index:03}", kind, **slices) for index in range(count)]


def run(
    found: Iterable[Task], verdicts: Verdicts, *, name: str = "baseline", trials: int = 4, usd: float | None = 0.01, **more
) -> RunSummary:
    """Return the summary of a run."""
    known = {one.id: one for one in found}
    seen = ((one, trial, verdicts(one, trial)) for one in known for trial in range(trials))
    rows = (graded(one, trial, letters, usd=usd) for one, trial, letters in seen if letters)
    return summarise(manifest(known, trials, candidate=name, **more), known.values(), rows, seed=1)


def always(_task: str, _trial: int) -> str:
    """Every trial is strict."""
    return "pppp"


def never(_task: str, _trial: int) -> str:
    """Every trial ends in the wrong state."""
    return "fppp"


def some(passed: dict[str, int]) -> Verdicts:
    """The first so many trials of each task are strict, the others end in the wrong state."""
    return lambda one, trial: "pppp" if trial < passed[one] else "fppp"
