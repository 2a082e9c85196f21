"""Runs of candidates made of letters: one word a task, one letter a trial – p passed, f failed, v broke a rule, u unknown."""

from __future__ import annotations

from msgspec import structs

from seatrial.measure.summarise import summarise
from seatrial.records.manifest import Candidate
from seatrial.records.summary import RunSummary
from seatrial.records.task import Task
from tests.measure.builders import graded, manifest

VERDICTS = {"p": "pppp", "f": "fnnn", "v": "ppfp", "u": "unnn"}


def run(name: str, trials: dict[str, str], *, usd: float | dict[str, float] | None = 1.0, built_on: str = "", **of_tasks) -> RunSummary:
    """Return a run.

    Args:
        name: Name of the candidate.
        trials: Task → its trials, a letter each.
        usd: Price of every trial, or of the trials of each task; `None`: not known.
        built_on: What the candidate says it is built on.
        of_tasks: Further fields of every task, for example `stakes`.
    """
    tasks = {task: Task(task, **of_tasks) for task in trials}
    planned = manifest(tasks, trials=max(map(len, trials.values())), candidate=name)
    planned = structs.replace(planned, candidate=Candidate(name, built_on=built_on))
    found = [
        graded(task, index, VERDICTS[letter], usd=usd[task] if isinstance(usd, dict) else usd)
        for task, letters in trials.items()
        for index, letter in enumerate(letters)
    ]
    return summarise(planned, tasks.values(), found)
