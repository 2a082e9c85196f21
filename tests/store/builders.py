"""Small runs for the tests of the store."""

from __future__ import annotations

import multiprocessing
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from msgspec import Raw

from seatrial.records.grade import Answer, Grade, Verdict
from seatrial.records.manifest import Candidate, Manifest, PlannedTask
from seatrial.records.task import Task
from seatrial.records.trace import AgentMessage, Identity, Status, ToolCall, Trace, Usage, UserTurn
from seatrial.store import RunFile

CANDIDATE = Candidate("baseline", version="1", agent="python:agents:baseline")
TASKS = tuple(Task(id=f"water-{number:03d}", input=f"A pipe burst in room {number}.") for number in range(3))


def manifest(tasks=TASKS, trials: int = 4, seed: int = 7) -> Manifest:
    """The plan of a small run."""
    plan = tuple(PlannedTask(task.id, task.contract_hash, trials) for task in tasks)
    return Manifest(suite="claims", suite_version="1", suite_hash="s", candidate=CANDIDATE, seed=seed, plan=plan)


def trace(number: int = 0, trial: int = 0, *, status: Status = Status.COMPLETED, text: str = "Done.") -> Trace:
    """One trial of task `number`."""
    task = TASKS[number]
    steps = (
        UserTurn(0, task.input),
        ToolCall(2, "policy_lookup", 1, Raw(b'{"policy_id":"HL-1"}'), Raw(b'{"policy_id":"HL-1"}'), Raw(b'{"status":"active"}'), 3),
        AgentMessage(4, text),
    )
    identity = Identity("claims", task.id, task.contract_hash, CANDIDATE.name, CANDIDATE.hash, trial, 11 + trial)
    return Trace(identity, status, steps, usage=Usage(calls=1, tokens=120, usd=0.25, seconds=1.5))


def grade(number: int = 0, trial: int = 0, verdict: Verdict = Verdict.PASS) -> Grade:
    """An opinion on one trial of task `number`."""
    answer = Answer(verdict, "because")
    return Grade(TASKS[number].id, trial, TASKS[number].contract_hash, answer, answer, answer, answer)


def made(path: Path, traces=()) -> Path:
    """Make and close a run file of some trials."""
    with RunFile.create(path, manifest(), TASKS) as run_file:
        for one in traces:
            run_file.append(one)
    return path


def as_left_by_kill(path: Path, folder: Path) -> Path:
    """Copy a run file that is being written, with all that lies beside it: what a killed process would leave."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in path.parent.glob(path.name + "*"):
        shutil.copy(file, folder)
    return folder / path.name


def in_a_process(work: Callable[..., object], *arguments: object, nobody: bool = False) -> object:
    """Run a function in a process of its own, as a user who owns nothing if asked to and possible, and return its result."""
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe()
    process = fork.Process(target=_report, args=(theirs, work, arguments, nobody))
    process.start()
    theirs.close()
    try:
        return ours.recv()
    finally:
        process.join()


def _report(channel, work, arguments, nobody) -> None:
    if nobody and os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    try:
        channel.send(work(*arguments))
    except Exception as error:  # noqa: BLE001 - told to the test
        channel.send(error)
