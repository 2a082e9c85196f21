"""The echo: repeats what it was told. A task that it passes can be passed by parroting."""

from __future__ import annotations

from pathlib import Path

from seatrial.agents._protocol import Agent, AgentEnd
from seatrial.agents._session import Session
from seatrial.records.manifest import Candidate


class Echo:
    """Says back what the user said."""

    candidate = Candidate(name="echo", version="1", agent="echo")

    async def run(self, session: Session) -> AgentEnd:
        """Repeat the input as the answer."""
        return AgentEnd(session.task.input)


def make(target: str, folder: Path) -> Agent:  # noqa: ARG001 - every adapter is made alike
    """Return the echo."""
    return Echo()
