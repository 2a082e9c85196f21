"""Play the reference paths: what they change is the right end state where a contract does not spell it out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from msgspec import Raw, structs

from seatrial.agents import Agent
from seatrial.agents.reference import ReferenceAgent
from seatrial.app.loading import LoadedSuite
from seatrial.base.canonical import canonical
from seatrial.base.errors import SuiteError
from seatrial.base.seeds import derive
from seatrial.records.contract import Alternative
from seatrial.records.task import Task
from seatrial.records.trace import Change, Status, ToolCall, Trace
from seatrial.run import TrialJob, run_trial


@dataclass(frozen=True)
class ReferenceRun:
    """What one reference path did.

    Args:
        task: The task as it was played.
        way: The way to be right whose path it is.
        trace: The trace; `None`: the path cannot be played.
        problem: Why the path is no reference, in words; empty: it is one.
        after_fault: Whether the way is what is right after a fault.
        under_faults: Whether it was played under the task's faults.
    """

    task: Task
    way: Alternative
    trace: Trace | None
    problem: str
    after_fault: bool = False
    under_faults: bool = False

    @property
    def played(self) -> bool:
        """Whether the path was played."""
        return self.trace is not None


BY_CHANCE = "cannot be played: it is right only after a fault, and the task's faults fire by chance (`rate`)"
"""Why a path is not played."""


def run_references(loaded: LoadedSuite, tasks: Iterable[Task]) -> Iterator[ReferenceRun]:
    """Play the reference path of every way to be right of every task on a fresh world.

    The world is fault-free, but for a way that is right only under faults: what is right after a fault, a task that must fail closed, a
    required call that must have failed. These meet the task's faults, those apart that fire by chance.

    Args:
        loaded: The suite.
        tasks: Tasks of it.
    """
    for task in tasks:
        for way in task.contract.ways:
            yield _played(loaded, task, way, after_fault=way is task.contract.when_fault)


def job_of(loaded: LoadedSuite, task: Task, agent: Agent, *, trial: int = 0, seed: int = 0, timeout: float = 60.0) -> TrialJob:
    """Return a job for one trial outside of any run."""
    return TrialJob(
        task,
        task.contract_hash,
        loaded.world(task),
        agent,
        agent.candidate.hash,
        loaded.suite.name,
        trial,
        derive(seed, task.id, trial),
        tools=loaded.tools,
        documents=loaded.suite.documents,
        timeout=timeout,
        retries=0,
    )


def with_references(loaded: LoadedSuite, tasks: Iterable[Task]) -> tuple[Task, ...]:
    """Return tasks whose outcomes name the reference path's changes wherever the contract leaves them open.

    Args:
        loaded: The suite.
        tasks: Tasks of it.

    Raises:
        SuiteError: A reference path that is needed fails; the task's file and line are in its text.
    """
    return tuple(_resolved(loaded, task) if any(map(is_open, task.contract.ways)) else task for task in tasks)


def is_open(way: Alternative) -> bool:
    """Tell whether an outcome is what the reference path does."""
    outcome = way.outcome
    return outcome is not None and outcome.changes is None and not outcome.reported and (way.process is not None or bool(way.reference))


def filled(task: Task, runs: Iterable[ReferenceRun]) -> Task:
    """Return a task whose open outcomes expect what their reference paths did, right or wrong.

    Args:
        task: The task.
        runs: Reference paths that were played, of this task or of others.
    """
    made = {(run.after_fault, run.way.name): run.trace.changes for run in runs if run.task.id == task.id and run.trace is not None}
    contract = task.contract
    fault = contract.when_fault
    return structs.replace(
        task,
        contract=structs.replace(
            contract,
            alternatives=tuple(_expecting(way, made.get((False, way.name))) for way in contract.alternatives),
            when_fault=None if fault is None else _expecting(fault, made.get((True, fault.name))),
        ),
    )


def _resolved(loaded: LoadedSuite, task: Task) -> Task:
    runs = [_played(loaded, task, way, after_fault=way is task.contract.when_fault) for way in task.contract.ways if is_open(way)]
    for run in runs:
        if run.problem:
            place = loaded.suite.places.get(task.id)
            name = "the reference path of `when_fault`" if run.after_fault else "the reference path"
            message = f"task {task.id!r}: {name} {run.problem}; mend the path, or write `outcome: {{changes: …}}`"
            raise SuiteError(message, file=place.file if place else None, line=place.line if place else None)
    return filled(task, runs)


def _played(loaded: LoadedSuite, task: Task, way: Alternative, *, after_fault: bool) -> ReferenceRun:
    faults = tuple(fault for fault in task.faults if fault.rate is None) if _needs_faults(task, way, after_fault=after_fault) else None
    if faults == () and task.faults:
        return ReferenceRun(task, way, None, BY_CHANCE, after_fault, under_faults=True)
    # The player knows alternatives only, and plays the first.
    contract = structs.replace(task.contract, alternatives=(way,))
    calm = structs.replace(task, faults=faults or (), contract=contract)
    trace = asyncio.run(run_trial(job_of(loaded, calm, ReferenceAgent(goes_on=faults is not None))))
    under_faults = faults is not None
    return ReferenceRun(calm, way, trace, _problem(trace, expected_failures=under_faults), after_fault, under_faults)


def _needs_faults(task: Task, way: Alternative, *, after_fault: bool) -> bool:
    required = way.process.required if way.process is not None else ()
    return after_fault or task.contract.ends == "fails_closed" or any(each.status != "ok" for each in required)


def _expecting(way: Alternative, changes: tuple[Change, ...] | None) -> Alternative:
    if changes is None or way.outcome is None or not is_open(way):
        return way
    return structs.replace(way, outcome=structs.replace(way.outcome, reference=_expected_changes(changes)))


def _expected_changes(changes: Iterable[Change]) -> dict[str, Raw]:
    """Return changes in the form in which a contract expects them: path → fields after, `null` for a deletion."""
    return {change.path: Raw(canonical(None)) if change.kind == "deleted" else change.after for change in changes}  # type: ignore[misc]


def _problem(trace: Trace, *, expected_failures: bool) -> str:
    if trace.status not in (Status.COMPLETED, Status.REFUSED):
        return f"ended as {trace.status}: {trace.status_reason}"
    for step in trace.steps if not expected_failures else ():
        if isinstance(step, ToolCall) and step.failure is not None and step.effect != "read":
            return f"makes a write that errors: {step.tool} answered {step.failure.message!r}"
    return trace.changes_unknown and f"leaves the end state unknown: {trace.changes_unknown}"
