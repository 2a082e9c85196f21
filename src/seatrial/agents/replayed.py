"""The replayed agent: plays a given path, the same on every task.

A call that failed transiently it makes again, as often as the contract's `retries` allow; when that does not help it stops.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from seatrial.agents._path import MAX_STEPS, PathStep
from seatrial.agents._player import play
from seatrial.agents._protocol import Agent, AgentEnd
from seatrial.agents._session import Session
from seatrial.base.canonical import bytes_hash
from seatrial.base.errors import UsageError
from seatrial.records.manifest import Candidate

MAX_BYTES = 16_000_000
"""Size of a path file."""


class ReplayedAgent:
    """Plays a path.

    Args:
        path: The steps.
        name: Name of the candidate.
        code: Hash of the path.
    """

    def __init__(self, path: tuple[PathStep, ...], *, name: str = "replayed", code: str = "") -> None:
        self.path = path
        self.candidate = Candidate(name=name, version="1", agent="replayed", code=code)

    async def run(self, session: Session) -> AgentEnd:
        """Play the path."""
        return play(session, self.path)


def make(target: str, folder: Path) -> Agent:
    """Return an agent that plays the path in a JSON file: a list of steps.

    Args:
        target: The file, looked for as given and beside the suite.
        folder: The suite's folder.

    Raises:
        UsageError: The file is missing, too large, or does not hold a path.
    """
    file = Path(target) if Path(target).is_file() else folder / target
    if not target or not file.is_file():
        raise UsageError(f"replayed:{target} names no file; expected replayed:path.json, a JSON list of steps")
    if file.stat().st_size > MAX_BYTES:
        raise UsageError(f"{file} is larger than {MAX_BYTES:,} bytes")
    data = file.read_bytes()
    try:
        path = msgspec.json.decode(data, type=tuple[PathStep, ...])
    except msgspec.MsgspecError as error:
        raise UsageError(f"{file} holds no path: {error}") from error
    if len(path) > MAX_STEPS:
        raise UsageError(f"{file} holds {len(path):,} steps; at most {MAX_STEPS:,} are played")
    return ReplayedAgent(path, name=file.stem, code=bytes_hash(data))
