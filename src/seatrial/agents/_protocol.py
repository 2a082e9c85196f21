"""What every adapter is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from seatrial.records.manifest import Candidate

if TYPE_CHECKING:
    from seatrial.agents._session import Session


@dataclass(frozen=True)
class Refused:
    """What an agent returns when it declines the work.

    Args:
        text: What it tells the user.
    """

    text: str = ""


@dataclass(frozen=True)
class AgentEnd:
    """How an agent ended its trial of its own accord.

    Args:
        text: Its last words to the user; empty: none.
        refused: Whether it declined the work.
    """

    text: str = ""
    refused: bool = False


class Agent(Protocol):
    """One candidate that can be put to sea."""

    candidate: Candidate
    """What it is made of, hashed."""

    async def run(self, session: Session) -> AgentEnd:
        """Do one trial with what the session offers; whatever it raises is the agent's own error."""
        ...
