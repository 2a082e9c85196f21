"""The reference agent: plays the path that the task itself says is right.

A call that failed transiently it makes again, as often as the contract's `retries` allow; when that does not help it stops.
"""

from __future__ import annotations

from pathlib import Path

from seatrial.agents._path import reference_path
from seatrial.agents._player import play
from seatrial.agents._protocol import Agent, AgentEnd
from seatrial.agents._session import Session
from seatrial.base.errors import UsageError
from seatrial.records.manifest import Candidate


class ReferenceAgent:
    """Plays the path of one alternative.

    Args:
        alternative: Name of the alternative; empty: the first.
        goes_on: Whether the path goes on after a call that retries do not help, for a way that is right only under faults.
    """

    def __init__(self, alternative: str = "", *, goes_on: bool = False) -> None:
        self.alternative, self.goes_on = alternative, goes_on
        self.candidate = Candidate(name="reference", version="1", agent=f"reference:{alternative}" if alternative else "reference")

    async def run(self, session: Session) -> AgentEnd:
        """Play the path."""
        named = [one for one in session.reference if not self.alternative or one.name == self.alternative]
        if not named:
            raise UsageError(f"the task has no alternative named {self.alternative!r}")
        return play(session, reference_path(named[0]), goes_on=self.goes_on)


def make(target: str, folder: Path) -> Agent:  # noqa: ARG001 - every adapter is made alike
    """Return the reference agent for an alternative; an empty target means the first."""
    return ReferenceAgent(target)
