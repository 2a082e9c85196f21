"""From what stands behind `--agent` to an agent."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from seatrial.agents._protocol import Agent
from seatrial.base import catalogue
from seatrial.base.errors import UsageError


def make_agent(target: str, folder: Path) -> Agent:
    """Make the agent that a target names.

    Args:
        target: `module:function`, `file.py:function`, an adapter's name (`null`, `refuser`, `echo`), or `adapter:rest`.
        folder: The suite's folder: modules beside the suite are found first.

    Returns:
        The agent.

    Raises:
        UsageError: The target names nothing that can be run.
    """
    adapter, _, rest = target.partition(":")
    if adapter in catalogue.built_in("agent") and adapter != "python":
        return catalogue.load("agent", adapter).make(rest, folder)
    if not rest:
        return _plug_in(target).make("", folder) if adapter != "python" else _refuse(target)
    return catalogue.load("agent", "python").make(rest if adapter == "python" else target, folder)


def _plug_in(name: str) -> ModuleType:
    try:
        return catalogue.load("agent", name)
    except UsageError as error:
        raise UsageError(f"{error} A function of your own is written module:function, for example agents:baseline") from error


def _refuse(target: str) -> Agent:
    raise UsageError(f"{target!r} names no agent; expected module:function, for example agents:baseline, or null, refuser, echo")
