"""The one who is done: does nothing and says that it is done. A task that it passes believes what it is told."""

from __future__ import annotations

from pathlib import Path

from seatrial.agents._protocol import Agent, AgentEnd
from seatrial.agents._session import Session
from seatrial.records.manifest import Candidate


class DoneOnly:
    """Says that all is done."""

    candidate = Candidate(name="done_only", version="1", agent="done_only")

    async def run(self, session: Session) -> AgentEnd:  # noqa: ARG002 - it looks at nothing
        """Claim success."""
        return AgentEnd("Done. Everything you asked for has been taken care of.")


def make(target: str, folder: Path) -> Agent:  # noqa: ARG001 - every adapter is made alike
    """Return the one who is done."""
    return DoneOnly()
