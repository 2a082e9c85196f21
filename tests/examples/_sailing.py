"""Run an agent on tasks of a suite in this process and grade each trial."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from seatrial.agents import make_agent
from seatrial.app.loading import LoadedSuite, load
from seatrial.app.reference import job_of
from seatrial.grade import compile_task, grade
from seatrial.records.grade import Grade
from seatrial.records.task import Task
from seatrial.records.trace import Trace
from seatrial.run import run_trial

EXAMPLES = Path(__file__).parents[2] / "examples"
"""The folder of the example suites."""


@dataclass(frozen=True)
class Trial:
    """One trial with all that is known of it."""

    task: Task
    trace: Trace
    grade: Grade


@cache
def suite(name: str) -> LoadedSuite:
    """Return an example suite, loaded once."""
    return load(EXAMPLES / name)


def sail(loaded: LoadedSuite, target: str, tasks: Sequence[Task], *, trials: int | None = None, seed: int = 0) -> list[Trial]:
    """Run every trial of some tasks and grade it."""
    return asyncio.run(_sail(loaded, target, tasks, trials, seed))


@cache
def voyage(name: str, target: str) -> tuple[Trial, ...]:
    """Return all trials of an agent on an example suite, run once."""
    loaded = suite(name)
    return tuple(sail(loaded, target, loaded.suite.tasks))


async def _sail(loaded: LoadedSuite, target: str, tasks: Sequence[Task], trials: int | None, seed: int) -> list[Trial]:
    agent, finished = make_agent(target, loaded.suite.folder), []
    for task in tasks:
        compiled = compile_task(task, loaded.tools, documents=loaded.suite.documents)
        for trial in range(loaded.suite.trials_for(task, trials)):
            trace = await run_trial(job_of(loaded, task, agent, trial=trial, seed=seed))
            finished.append(Trial(task, trace, grade(compiled, trace)))
    return finished
