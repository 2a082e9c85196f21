"""The world: state, tools, faults, the simulated user – made fresh for every trial – and the server that witnesses each call.

Start with `server` (what happens to a call), then `state` and `states/` (what the world is made of), `tools` and `definition`
(what a suite's `world.py` is written with and how it is loaded). Names are imported when they are first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seatrial.world.calls import Observation, ProposedCall, ToolError
    from seatrial.world.definition import WorldDefinition, load_definition
    from seatrial.world.ledger import Ledger
    from seatrial.world.prepared import TaskWorld, World, take_probes
    from seatrial.world.server import ToolServer
    from seatrial.world.states.database import Database
    from seatrial.world.states.documents import Documents
    from seatrial.world.states.sqlite import Sqlite
    from seatrial.world.talk import User, UserChannel, make_user
    from seatrial.world.tools import invariant, normaliser, probe, tool

__all__ = [
    "Database",
    "Documents",
    "Ledger",
    "Observation",
    "ProposedCall",
    "Sqlite",
    "TaskWorld",
    "ToolError",
    "ToolServer",
    "User",
    "UserChannel",
    "World",
    "WorldDefinition",
    "invariant",
    "load_definition",
    "make_user",
    "normaliser",
    "probe",
    "take_probes",
    "tool",
]

_HOMES = {
    "Database": "states.database",
    "Documents": "states.documents",
    "Ledger": "ledger",
    "Observation": "calls",
    "ProposedCall": "calls",
    "Sqlite": "states.sqlite",
    "TaskWorld": "prepared",
    "ToolError": "calls",
    "ToolServer": "server",
    "User": "talk",
    "UserChannel": "talk",
    "World": "prepared",
    "WorldDefinition": "definition",
    "invariant": "tools",
    "load_definition": "definition",
    "make_user": "talk",
    "normaliser": "tools",
    "probe": "tools",
    "take_probes": "prepared",
    "tool": "tools",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
