"""Let an agent work until it ends, or is ended: nothing it raises gets any further."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from seatrial.agents import Agent, AgentEnd, Session
from seatrial.base.errors import AgentError, BudgetExceeded, InfrastructureError, SimulatorError
from seatrial.records.trace import Status
from seatrial.run._own_frames import own_frames
from seatrial.run._steering import lost_seconds
from seatrial.world.calls import TrialStopped, printable

MAX_REASON = 2_000
"""Characters of a status reason that are kept."""
GRACE = 1.0
"""Wall seconds that an agent has left when its trial is over."""


class Ending(NamedTuple):
    """How an agent's work ended."""

    status: Status
    reason: str
    traceback: tuple[str, ...] = ()
    """Where the agent's own code raised."""


async def let_work(agent: Agent, session: Session, *, timeout: float) -> Ending:  # noqa: ASYNC109 - a limit of the trial, not of this call
    """Run an agent in a task of its own: what it does to that task, it does to nobody else.

    Args:
        agent: The agent.
        session: Its trial.
        timeout: Wall seconds after which it is given up; those in which another trial held the event loop do not count.

    Returns:
        How it ended; the status is a fact about the trial, whatever the agent says of it.
    """
    loop = asyncio.get_running_loop()
    work, over = loop.create_task(agent.run(session)), loop.create_future()
    session.when_stopped = lambda: _call_soon(loop, lambda: over.done() or over.set_result(None))
    try:
        await _within(timeout, work, over)
    except asyncio.CancelledError:
        work.cancel()
        raise
    if not work.done():
        await _give_up(work)
        return _stopped(session) or Ending(Status.TIMEOUT, f"the agent did not come back within {timeout:g} s")
    return _outcome(work, session)


async def _within(seconds: float, work: asyncio.Task[AgentEnd], over: asyncio.Future[None]) -> None:
    """Wait until the work is done, the time is up, or the trial is over and the agent's grace with it."""
    left, before = seconds, lost_seconds()
    while left > 0 and not work.done() and not over.done():
        await asyncio.wait((work, over), timeout=left, return_when=asyncio.FIRST_COMPLETED)
        left, before = lost_seconds() - before, lost_seconds()
    if over.done() and not work.done():
        await asyncio.wait((work,), timeout=min(GRACE, seconds))


async def close(session: Session) -> bool:
    """End a session and wait, not for long, until nobody is in the middle of a call; tell whether that is so."""
    for _ in range(100):
        if session.close():
            return True
        await asyncio.sleep(GRACE / 100)
    return False


def of_harness(error: BaseException) -> Ending:
    """Return how a trial ends that the harness broke."""
    if isinstance(error, TrialStopped):
        return Ending(Status.INFRA_ERROR, "the world did not come back within the time of a trial")
    return Ending(Status.SIMULATOR_ERROR if isinstance(error, SimulatorError) else Status.INFRA_ERROR, _named(error))


def _outcome(work: asyncio.Task[AgentEnd], session: Session) -> Ending:
    try:
        end = work.result()
    except TrialStopped:
        return _stopped(session) or Ending(Status.TIMEOUT, "the agent did not come back and was stopped")
    except BaseException as error:  # noqa: BLE001 - whatever an agent raises ends its own trial and no other
        return _stopped(session) or _raised(error)
    return _stopped(session) or _ended(session, end)


def _ended(session: Session, end: AgentEnd) -> Ending:
    if end.text:
        session.ledger.agent_message(end.text)
    return Ending(Status.REFUSED, "the agent declined") if end.refused else Ending(Status.COMPLETED, "")


def _stopped(session: Session) -> Ending | None:
    error = session.stopped_by
    if error is None:
        return None
    return Ending(Status.BUDGET_EXCEEDED, str(error)) if isinstance(error, BudgetExceeded) else of_harness(error)


def _raised(error: BaseException) -> Ending:
    if isinstance(error, InfrastructureError):
        return of_harness(error)
    return Ending(Status.AGENT_ERROR, _text(error) if isinstance(error, AgentError) else _named(error), own_frames(error))


def _call_soon(loop: asyncio.AbstractEventLoop, callback: Callable[[], object]) -> None:
    # The loop is closed when a thread that was left behind outlives the run.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(callback)


async def _give_up(work: asyncio.Task[AgentEnd]) -> None:
    """Stop an agent; one that does not let itself be stopped is left behind."""
    for _ in range(2):
        work.cancel()
        await asyncio.wait([work], timeout=GRACE)
        if work.done():
            break
    # Whatever it still raises is nobody's any more; it must not be reported as lost.
    work.add_done_callback(lambda done: done.cancelled() or done.exception())


def _named(error: BaseException) -> str:
    return printable(f"{type(error).__name__}: {_text(error)}"[:MAX_REASON])


def _text(error: BaseException) -> str:
    try:
        return printable(str(error)[:MAX_REASON])
    except Exception as broken:  # noqa: BLE001 - a foreign __str__ may raise anything
        return f"(its text could not be made: {type(broken).__name__})"
