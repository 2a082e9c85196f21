"""Run the reference paths: what they change is the right end state where a contract does not spell it out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from msgspec import Raw, structs

from seatrial.agents import Agent, make_agent
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
        task: The task as it was run: fault-free.
        alternative: Name of the alternative.
        trace: The trace.
        problem: Why the path is no reference, in words; empty: it is one.
    """

    task: Task
    alternative: str
    trace: Trace
    problem: str


def run_references(loaded: LoadedSuite, tasks: Iterable[Task]) -> Iterator[ReferenceRun]:
    """Play every alternative's reference path of every task on a fresh, fault-free world.

    Args:
        loaded: The suite.
        tasks: Tasks of it.
    """
    for task in tasks:
        calm = structs.replace(task, faults=())
        for alternative in task.contract.alternatives:
            trace = asyncio.run(run_trial(job_of(loaded, calm, make_agent(f"reference:{alternative.name}", loaded.suite.folder))))
            yield ReferenceRun(calm, alternative.name, trace, _problem(trace))


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
        SuiteError: A reference path that is needed fails.
    """
    return tuple(_resolved(loaded, task) if _needs_reference(task) else task for task in tasks)


def _needs_reference(task: Task) -> bool:
    return any(_open(alternative) for alternative in task.contract.alternatives)


def _open(alternative: Alternative) -> bool:
    outcome = alternative.outcome
    return outcome is not None and outcome.changes is None and not outcome.reported and alternative.process is not None


def _resolved(loaded: LoadedSuite, task: Task) -> Task:
    runs = {run.alternative: run for run in run_references(loaded, [task])}
    alternatives = tuple(_with_changes(task, one, runs[one.name]) if _open(one) else one for one in task.contract.alternatives)
    return structs.replace(task, contract=structs.replace(task.contract, alternatives=alternatives))


def _with_changes(task: Task, alternative: Alternative, run: ReferenceRun) -> Alternative:
    if run.problem:
        raise SuiteError(f"task {task.id!r}: the reference path {run.problem}; mend the path, or write `outcome: {{changes: …}}`")
    return filled(alternative, run.trace.changes)


def filled(alternative: Alternative, changes: Iterable[Change]) -> Alternative:
    """Return an alternative whose outcome, if it leaves the changes open, expects those that its reference path made.

    Args:
        alternative: The alternative.
        changes: What its reference path changed.
    """
    outcome = alternative.outcome
    if outcome is None or outcome.changes is not None:
        return alternative
    return structs.replace(alternative, outcome=structs.replace(outcome, reference=expected_changes(changes)))


def expected_changes(changes: Iterable[Change]) -> dict[str, Raw]:
    """Return changes in the form in which a contract expects them: path → fields after, `null` for a deletion."""
    return {change.path: Raw(canonical(None)) if change.kind == "deleted" else change.after for change in changes}  # type: ignore[misc]


def _problem(trace: Trace) -> str:
    if trace.status not in (Status.COMPLETED, Status.REFUSED):
        return f"ended as {trace.status}: {trace.status_reason}"
    for step in trace.steps:
        if isinstance(step, ToolCall) and step.failure is not None and step.effect != "read":
            return f"makes a write that errors: {step.tool} answered {step.failure.message!r}"
    return trace.changes_unknown and f"leaves the end state unknown: {trace.changes_unknown}"
