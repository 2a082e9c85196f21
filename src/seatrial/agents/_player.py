"""The player: walks a path, taking values from observations where the path says so."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from seatrial.agents._path import PathStep, taken
from seatrial.agents._protocol import AgentEnd
from seatrial.agents._session import Session
from seatrial.records.contract import Process
from seatrial.world import Observation, ProposedCall

_WRITTEN = frozenset({"malformed", "truncated", "empty", "lost_response"})
"""Failures after which a write has been made all the same: to try it again would double it."""


def play(session: Session, path: Sequence[PathStep], *, goes_on: bool = False, retries: int | None = None) -> AgentEnd:
    """Walk a path to its end.

    A call that failed transiently is made again, identically, as often as the contract's `retries` allow (2 where it says nothing),
    unless it is a write that was made though its answer was lost, or the path itself goes on with the same call. When it still
    fails the walk ends there: nothing is written on the strength of an answer that never came.

    Args:
        session: The trial.
        path: The steps.
        goes_on: Whether a call that still fails is part of the path, which then goes on.
        retries: How often a call is made again; `None`: as the contract says.

    Returns:
        How the path ends.
    """
    observations: dict[str, object] = {}
    failed = ""
    tries = retries_of(session) if retries is None else retries
    for step, following in zip(path, (*path[1:], None), strict=True):
        if step.answer or step.refuse:
            return AgentEnd(step.answer, refused=step.refuse)
        if step.say:
            session.say(step.say)
            continue
        repeated = step.call != "" and following is not None and (following.call, following.with_) == (step.call, step.with_)
        lost = _calls(session, step.together or (step,), observations, retries=0 if repeated else tries)
        if lost and not repeated:
            failed = lost
            if not goes_on:
                break
    return AgentEnd(f"I had to stop: {failed} does not answer." if failed else "")


def retries_of(session: Session) -> int:
    """Return how often the contract lets a call be made again that failed transiently."""
    processes = (alternative.process for alternative in session.reference)
    return (next((process for process in processes if process is not None), None) or Process()).retries


def _calls(session: Session, steps: Sequence[PathStep], observations: dict[str, object], *, retries: int) -> str:
    """Make the calls of one message and return the name of a tool that does not answer; empty: all did."""
    effects = {spec.name: spec.effect for spec in session.task.tools}
    waiting = [(step, ProposedCall(step.call, taken(msgspec.json.decode(step.with_), observations))) for step in steps]
    for _ in range(1 + retries):
        answers = session.call([call for _, call in waiting])
        observations.update({step.id: answer.value for (step, _), answer in zip(waiting, answers, strict=True) if step.id})
        pairs = zip(waiting, answers, strict=True)
        waiting = [one for one, answer in pairs if _may_be_repeated(answer, reads=effects.get(one[1].tool) == "read")]
        if not waiting:
            return ""
    return waiting[0][1].tool


def _may_be_repeated(answer: Observation, *, reads: bool) -> bool:
    failure = answer.failure
    return failure is not None and failure.transient is True and (reads or failure.kind not in _WRITTEN)
