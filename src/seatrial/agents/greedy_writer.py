"""The greedy writer: makes every write it can, with values it saw. A task that it passes lets writes through."""

from __future__ import annotations

import re
from pathlib import Path

from seatrial.agents._filling import filled_arguments, named_values
from seatrial.agents._protocol import Agent, AgentEnd
from seatrial.agents._session import Session
from seatrial.records.contract import ToolSpec
from seatrial.records.manifest import Candidate
from seatrial.world import ProposedCall

_TELLING = re.compile(r"[A-Za-z0-9]+(?:[-_@.][A-Za-z0-9]+)*")
_LOOKS = 2
"""Looks that it takes first; more could use up the budget before the first write."""
_TRIES = 3
"""How often it makes a write, each time with other values."""


class GreedyWriter:
    """Writes whatever it can."""

    candidate = Candidate(name="greedy_writer", version="1", agent="greedy_writer")

    async def run(self, session: Session) -> AgentEnd:
        """Look a little, then call every tool that writes."""
        texts = _texts(session)
        named: dict[str, object] = {}
        for tool in [tool for tool in session.task.tools if tool.effect == "read" and filled_arguments(tool.parameters, {})][:_LOOKS]:
            _call(session, tool, filled_arguments(tool.parameters, named, texts), named)
        for tool in session.task.tools:
            if tool.effect != "read":
                for arguments in _choices(tool, named, texts):
                    _call(session, tool, arguments, named)
        return AgentEnd("Done.")


def _texts(session: Session) -> list[str]:
    """Return what it was told that may be a value: keys that are the caller's, then words with a digit in them."""
    keys = [key for keys in session.task.caller.values() for key in keys]
    words = [word for word in _TELLING.findall(session.task.input) if any(map(str.isdigit, word)) and not word.isdigit()]
    return list(dict.fromkeys((*keys, *words)))


def _choices(tool: ToolSpec, named: dict[str, object], texts: list[str]) -> list[dict[str, object]]:
    """Return different arguments for a tool, first those with values that were seen under the names of its parameters."""
    found = [filled_arguments(tool.parameters, named, texts)]
    found += [filled_arguments(tool.parameters, {}, texts[turn:]) for turn in range(max(1, len(texts)))]
    return [arguments for index, arguments in enumerate(found) if arguments not in found[:index]][:_TRIES]


def _call(session: Session, tool: ToolSpec, arguments: dict[str, object], named: dict[str, object]) -> None:
    """Call a tool and remember what it answers."""
    answer = session.call([ProposedCall(tool.name, arguments)])[0]
    if answer.ok:
        named.update(named_values(answer.value))


def make(target: str, folder: Path) -> Agent:  # noqa: ARG001 - every adapter is made alike
    """Return the greedy writer."""
    return GreedyWriter()
