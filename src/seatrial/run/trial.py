"""One trial: a fresh world, the agent, the record. An attempt that the machinery spoiled is kept and tried again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from msgspec import structs

from seatrial.agents import Agent, AgentEnd, Session
from seatrial.agents._session import TrialStopped, view_of
from seatrial.base.errors import AgentError, BudgetExceeded, InfrastructureError, SimulatorError, WorldError
from seatrial.records.contract import ToolSpec
from seatrial.records.task import Task
from seatrial.records.trace import Attempt, Identity, Status, Step, Trace, Versions
from seatrial.world import Ledger, TaskWorld, ToolServer, World, make_user, take_probes

NO_VERSIONS = Versions()
MAX_REASON = 2_000
"""Characters of a status reason that are kept."""


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
        watch: Called with every step as it happens; `None`: nobody watches.
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
    watch: Callable[[Step], None] | None = None


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
            return structs.replace(trace, attempts=tuple(abandoned))
        abandoned.append(Attempt(trace.status, trace.status_reason, trace.steps, trace.changes, trace.usage))


async def _attempt(job: TrialJob) -> Trace:
    identity = Identity(job.suite, job.task.id, job.contract, job.agent.candidate.name, job.candidate_hash, job.trial, job.seed)
    try:
        world = job.world.open(seed=job.seed, trial=job.trial)
    except WorldError as error:
        return Trace(
            identity,
            Status.INFRA_ERROR,
            status_reason=_reason(error),
            changes_unknown="the world could not be opened",
            versions=job.versions,
        )
    try:
        return await _in_world(job, identity, world)
    finally:
        world.close()


async def _in_world(job: TrialJob, identity: Identity, world: World) -> Trace:
    ledger = Ledger(watch=job.watch)
    user = make_user(job.task, ledger)
    server = ToolServer(world, job.task, job.tools, ledger, seed=job.seed, trial=job.trial, user=user)
    view = view_of(job.task, tools=job.tools, documents=job.documents, seed=job.seed)
    session = Session(view, server, user, ledger, reference=job.task.contract.alternatives)
    if job.task.input:
        ledger.user_turn(job.task.input)
    status, reason = await _agent(job, session)
    session.closed = True
    take_probes(world, ledger, job.task)
    return Trace(
        identity,
        status,
        steps=ledger.steps,
        changes=world.state.changes(),
        changes_unknown=world.state.changes_unknown,
        status_reason=reason[:MAX_REASON],
        usage=server.usage(),
        versions=job.versions,
    )


async def _agent(job: TrialJob, session: Session) -> tuple[Status, str]:
    """Let the agent work and return how it ended; nothing it raises gets any further."""
    try:
        async with asyncio.timeout(job.timeout):
            end = await job.agent.run(session)
    except TimeoutError:
        return _stopped(session) or (Status.TIMEOUT, f"the agent did not come back within {job.timeout:g} s")
    except asyncio.CancelledError:
        raise
    except TrialStopped:
        return _stopped(session) or (Status.TIMEOUT, "the agent was stopped")
    except BaseException as error:  # noqa: BLE001 - whatever an agent raises ends its own trial and no other
        return _stopped(session) or _raised(error)
    return _stopped(session) or _ended(session, end)


def _ended(session: Session, end: AgentEnd) -> tuple[Status, str]:
    if end.text:
        session.ledger.agent_message(end.text)
    return (Status.REFUSED, "the agent declined") if end.refused else (Status.COMPLETED, "")


def _stopped(session: Session) -> tuple[Status, str] | None:
    error = session.stopped_by
    if error is None:
        return None
    if isinstance(error, BudgetExceeded):
        return Status.BUDGET_EXCEEDED, str(error)
    return (Status.SIMULATOR_ERROR if isinstance(error, SimulatorError) else Status.INFRA_ERROR), _reason(error)


def _raised(error: BaseException) -> tuple[Status, str]:
    if isinstance(error, InfrastructureError):
        return Status.INFRA_ERROR, _reason(error)
    return Status.AGENT_ERROR, str(error) if isinstance(error, AgentError) else _reason(error)


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
