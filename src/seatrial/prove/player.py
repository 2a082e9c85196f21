"""The agent that plays a mutant: it walks a given path, whatever answers it meets."""

from __future__ import annotations

from collections.abc import Sequence

from seatrial.agents import AgentEnd, PathStep, Session, play
from seatrial.prove.path import last_words
from seatrial.records.manifest import Candidate


class PathPlayer:
    """Plays one path.

    Args:
        path: The steps.
        retries: How often a call that failed transiently is made again; `None`: as often as the contract allows.
    """

    candidate = Candidate(name="mutant", version="1", agent="mutant")

    def __init__(self, path: Sequence[PathStep], *, retries: int | None = None) -> None:
        self.path, self.retries = tuple(path), retries

    async def run(self, session: Session) -> AgentEnd:
        """Walk the path to its end; who tries nothing again says nothing of what failed either."""
        end = play(session, self.path, goes_on=True, retries=self.retries)
        return end if self.retries is None or last_words(self.path) < len(self.path) else AgentEnd()
