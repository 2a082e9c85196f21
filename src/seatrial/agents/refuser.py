"""The refuser: declines whatever it is asked. A task that it passes expects a refusal."""

from __future__ import annotations

from pathlib import Path

from seatrial.agents._protocol import Agent, AgentEnd
from seatrial.agents._session import Session
from seatrial.records.manifest import Candidate


class Refuser:
    """Declines politely."""

    candidate = Candidate(name="refuser", version="1", agent="refuser")

    async def run(self, session: Session) -> AgentEnd:  # noqa: ARG002 - it looks at nothing
        """Decline."""
        return AgentEnd("I am sorry, I cannot help with that.", refused=True)


def make(target: str, folder: Path) -> Agent:  # noqa: ARG001 - every adapter is made alike
    """Return the refuser."""
    return Refuser()
