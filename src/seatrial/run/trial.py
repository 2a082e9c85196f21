"""One trial: a fresh world, the agent, the record. An attempt that the machinery spoiled is kept and tried again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec import structs

from seatrial.agents import Agent, Session, view_of
from seatrial.records.contract import ToolSpec
from seatrial.records.task import Task
from seatrial.records.trace import Attempt, Change, Identity, Step, Trace, Usage, Versions
from seatrial.run._agent import Ending, close, let_work, of_harness
from seatrial.world import Ledger, TaskWorld, ToolServer, World, make_user, take_probes
from seatrial.world.calls import TrialStopped

Follower = Callable[[str, int, Step], None]
"""Called with the task's id, the trial's index and a step of it."""
NO_VERSIONS = Versions()
STILL_INSIDE = "the agent was given up in the middle of a call that did not come back"
"""Why the end state of an abandoned trial is not known."""


@dataclass(frozen=True)
class TrialJob:
    """All that one trial needs.

    Args:
        task: The task.
        contract: The task's contract hash.
        world: The task's world, from which a fresh one is opened.
        agent: The candidate.
        candidate_hash: Hash of the candidate's manifest entry.
        suite: Name of the suite.
        trial: Index of the trial, from 0.
        seed: Seed of the trial; the same for every candidate.
        tools: Specifications of all tools.
        documents: Policy documents: name → text.
        versions: Versions and hashes of what takes part.
        retries: How often a trial that the machinery spoiled is tried again.
        timeout: Wall seconds after which an agent that does not come back is given up.
        watch: Called with the task's id, the trial's index and every step as it happens; `None`: nobody watches.
    """

    task: Task
    contract: str
    world: TaskWorld
    agent: Agent
    candidate_hash: str
    suite: str
    trial: int
    seed: int
    tools: tuple[ToolSpec, ...] = ()
    documents: Mapping[str, str] = field(default_factory=dict)
    versions: Versions = NO_VERSIONS
    retries: int = 2
    timeout: float = 60.0
    watch: Follower | None = None


class End(NamedTuple):
    """How the world stands at the end of an attempt."""

    changes: tuple[Change, ...]
    """Net changes against the fixture."""
    changes_unknown: str
    """Why they are not known; empty: they are."""
    usage: Usage
    """What was used."""


async def run_trial(job: TrialJob) -> Trace:
    """Run one trial to its end, trying again when the machinery, and not the agent, spoiled it.

    Args:
        job: What to run.

    Returns:
        The trace of the last attempt, with every abandoned attempt in it.
    """
    abandoned: list[Attempt] = []
    while True:
        trace = await _attempt(job)
        if not trace.status.unknown or len(abandoned) >= job.retries:
            return structs.replace(trace, attempts=tuple(abandoned)) if abandoned else trace
        abandoned.append(as_attempt(trace))


def as_attempt(trace: Trace) -> Attempt:
    """Return the last attempt of a trace as an abandoned one."""
    return Attempt(trace.status, trace.status_reason, trace.steps, trace.changes, trace.usage)


async def _attempt(job: TrialJob) -> Trace:
    watch, task, trial = job.watch, job.task.id, job.trial
    ledger = Ledger(watch=None if watch is None else lambda step: watch(task, trial, step))
    try:
        world = job.world.open(seed=job.seed, trial=job.trial)
    except (Exception, TrialStopped) as error:  # noqa: BLE001 - whatever keeps a world from opening says nothing of the agent
        return _trace(job, of_harness(error), ledger, End((), "the world could not be opened", Usage()))
    try:
        return await _in_world(job, world, ledger)
    except (Exception, TrialStopped) as error:  # noqa: BLE001 - as above
        return _trace(job, of_harness(error), ledger, End((), "the harness broke", Usage()))


async def _in_world(job: TrialJob, world: World, ledger: Ledger) -> Trace:
    closing = True
    try:
        user = make_user(job.task, ledger)
        server = ToolServer(world, job.task, job.tools, ledger, seed=job.seed, trial=job.trial, user=user)
        view = view_of(job.task, tools=job.tools, documents=job.documents, seed=job.seed)
        session = Session(view, server, user, ledger, reference=job.task.contract.alternatives)
        if job.task.input:
            ledger.user_turn(job.task.input)
        ending = await let_work(job.agent, session, timeout=job.timeout)
        # A world that somebody is still inside of can be neither looked at nor closed; it goes when that one goes.
        closing = await close(session)
        return _trace(job, ending, ledger, _end(job, world, server, ledger) if closing else End((), STILL_INSIDE, server.usage()))
    finally:
        if closing:
            world.close()


def _end(job: TrialJob, world: World, server: ToolServer, ledger: Ledger) -> End:
    take_probes(world, ledger, job.task)
    return End(world.state.changes(), world.state.changes_unknown, server.usage())


def _trace(job: TrialJob, ending: Ending, ledger: Ledger, end: End) -> Trace:
    return Trace(
        Identity(job.suite, job.task.id, job.contract, job.agent.candidate.name, job.candidate_hash, job.trial, job.seed),
        ending.status,
        steps=ledger.steps,
        changes=end.changes,
        changes_unknown=end.changes_unknown,
        status_reason=ending.reason,
        traceback=ending.traceback,
        usage=end.usage,
        versions=job.versions,
    )
