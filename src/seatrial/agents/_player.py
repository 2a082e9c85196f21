"""The player: walks a path, taking values from observations where the path says so."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from seatrial.agents._path import PathStep, taken
from seatrial.agents._protocol import AgentEnd
from seatrial.agents._session import Session
from seatrial.world import Observation, ProposedCall


def play(session: Session, path: Sequence[PathStep]) -> AgentEnd:
    """Walk a path to its end.

    Args:
        session: The trial.
        path: The steps.

    Returns:
        How the path ends.
    """
    observations: dict[str, object] = {}
    for step in path:
        if step.answer or step.refuse:
            return AgentEnd(step.answer, refused=step.refuse)
        if step.say:
            session.say(step.say)
        else:
            _calls(session, step.together or (step,), observations)
    return AgentEnd()


def _calls(session: Session, steps: Sequence[PathStep], observations: dict[str, object]) -> None:
    proposed = [ProposedCall(step.call, taken(msgspec.json.decode(step.with_), observations)) for step in steps]
    answers: list[Observation] = session.call(proposed)
    observations.update({step.id: answer.value for step, answer in zip(steps, answers, strict=True) if step.id})
