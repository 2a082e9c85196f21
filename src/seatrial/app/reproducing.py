"""Make a recorded trial happen again: the faults that fired are pinned to their calls, and its own path is played."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
from msgspec import structs

from seatrial.agents import AgentEnd, PathStep, Session, play
from seatrial.app.loading import LoadedSuite
from seatrial.app.reference import job_of
from seatrial.base import catalogue
from seatrial.records.manifest import Candidate
from seatrial.records.task import FaultSpec, Task
from seatrial.records.trace import AGENT, AgentMessage, FiredFault, Handoff, Status, Step, ToolCall, Trace, UserTurn
from seatrial.run import run_trial


def pinned_faults(task: Task, steps: Sequence[Step]) -> tuple[FaultSpec, ...]:
    """Return the faults that make the weather of one trial come again, whatever the seed.

    A fault that fires by chance fires on the very calls that it fired on, by the number of the call among those of its tool; where it
    did not fire it is left out. One that does not fire by chance stays as it is.

    Args:
        task: The task as it was run.
        steps: The steps of one attempt at it.
    """
    fired: dict[tuple[int, str], list[int]] = {}
    for call, occurrence in _reached(steps):
        number = _origin(task.faults, call, call.fault, occurrence) if call.fault is not None else None
        if number is not None:
            fired.setdefault((number, call.tool), []).append(occurrence)
    return tuple(fault for number, spec in enumerate(task.faults) for fault in _pinned(number, spec, fired))


def _reached(steps: Sequence[Step]) -> Iterator[tuple[ToolCall, int]]:
    """Yield the calls that reached the schedule of faults, each with its number among those of its tool."""
    seen: Counter[str] = Counter()
    for step in steps:
        if isinstance(step, ToolCall) and step.validity == "valid" and (step.failure is None or step.failure.kind != "refused"):
            seen[step.tool] += 1
            yield step, seen[step.tool]


def _origin(faults: Sequence[FaultSpec], call: ToolCall, fired: FiredFault, occurrence: int) -> int | None:
    """Return which fault of a task fired on a call; `None`: none of them can have."""
    message = call.failure.message if call.failure is not None else ""
    for number, spec in enumerate(faults):
        fits = spec.kind == fired.kind and spec.tool in ("*", call.tool) and spec.message in ("", message)
        due = (not spec.nth or occurrence in spec.nth) and (not spec.first or occurrence <= spec.first)
        if fits and due and catalogue.load("fault", spec.kind).FAULT.status(spec) == fired.status:
            return number
    return None


def _pinned(number: int, spec: FaultSpec, fired: dict[tuple[int, str], list[int]]) -> Iterator[FaultSpec]:
    if spec.rate is None or spec.rate >= 1:
        yield spec
        return
    for (origin, tool), occurrences in fired.items():
        if origin == number:
            yield structs.replace(spec, tool=tool, rate=None, nth=tuple(occurrences))


@dataclass(frozen=True)
class RecordedPath:
    """What an agent did in a recorded trial, to be done again.

    Args:
        steps: Its steps.
        inexact: Why playing them is not all that the agent did; empty: it is.
    """

    steps: tuple[PathStep, ...]
    inexact: str = ""


def recorded_path(trace: Trace) -> RecordedPath:
    """Return the path of a recorded trial.

    Args:
        trace: The trial.
    """
    return RecordedPath(tuple(_path(trace)), _inexact(trace))


def play_again(loaded: LoadedSuite, task: Task, path: RecordedPath, *, trial: int = 0) -> Trace:
    """Return the trace of a path played on a fresh world of a task.

    Args:
        loaded: The suite.
        task: A task of it.
        path: The path.
        trial: Index of the trial.
    """
    return asyncio.run(run_trial(job_of(loaded, task, _Again(path.steps), trial=trial)))


class _Again:
    """Plays a path to the letter: nothing is tried again that was not tried again in it.

    Args:
        steps: The path.
    """

    candidate = Candidate(name="played again", version="1", agent="replayed")

    def __init__(self, steps: tuple[PathStep, ...]) -> None:
        self.steps = steps

    async def run(self, session: Session) -> AgentEnd:
        """Walk the path to its end."""
        end = play(session, self.steps, goes_on=True, retries=0)
        spoken = bool(self.steps) and (self.steps[-1].answer or self.steps[-1].refuse)
        return end if spoken else AgentEnd()


def _path(trace: Trace) -> Iterator[PathStep]:
    steps = [step for step in trace.steps if _is_told(step)]
    last = max((at for at, step in enumerate(steps) if isinstance(step, UserTurn | ToolCall)), default=-1)
    together: list[ToolCall] = []
    for at, step in enumerate(steps):
        if together and not (isinstance(step, ToolCall) and step.message is not None and step.message == together[0].message):
            yield _message(together)
            together = []
        if isinstance(step, ToolCall):
            together.append(step)
        elif isinstance(step, AgentMessage) and at < last:
            yield PathStep(say=step.text)
    yield from [_message(together)] if together else []
    said = "\n".join(step.text for step in steps[last + 1 :] if isinstance(step, AgentMessage))
    refused = trace.status is Status.REFUSED
    if said or refused:
        yield PathStep(answer=said, refuse=refused)


def _is_told(step: Step) -> bool:
    if isinstance(step, AgentMessage):
        return step.delivered and bool(step.text)
    return isinstance(step, UserTurn) or (isinstance(step, ToolCall) and step.by == AGENT)


def _message(calls: Sequence[ToolCall]) -> PathStep:
    steps = tuple(PathStep(call=call.tool, with_=call.proposed) for call in calls)
    return steps[0] if len(steps) == 1 else PathStep(together=steps)


def _inexact(trace: Trace) -> str:
    """Return why a path is not all that an agent did."""
    if trace.status not in (Status.COMPLETED, Status.REFUSED, Status.BUDGET_EXCEEDED):
        return f"the trial ended as {trace.status}, which no recorded path repeats"
    if any(isinstance(step, Handoff) or step.context != AGENT for step in trace.steps):
        return "several agents took part"
    if any(not isinstance(msgspec.json.decode(call.proposed), dict) or b'"$from"' in bytes(call.proposed) for call in trace.calls):
        return "some arguments of its calls cannot be proposed again"
    return ""
