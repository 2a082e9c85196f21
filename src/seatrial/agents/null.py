"""The null agent: says and does nothing. A task that it passes asks for nothing."""

from __future__ import annotations

from pathlib import Path

from seatrial.agents._protocol import Agent, AgentEnd
from seatrial.agents._session import Session
from seatrial.records.manifest import Candidate


class NullAgent:
    """Does nothing."""

    candidate = Candidate(name="null", version="1", agent="null")

    async def run(self, session: Session) -> AgentEnd:  # noqa: ARG002 - it looks at nothing
        """End at once."""
        return AgentEnd()


def make(target: str, folder: Path) -> Agent:  # noqa: ARG001 - every adapter is made alike
    """Return the null agent."""
    return NullAgent()
