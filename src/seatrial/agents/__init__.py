"""Adapters that let one agent act in a world: one adapter a file, the file's name is the adapter's name.

Start with `_session`: what an agent is handed. An adapter module ends with `make(target, folder)`, which returns an `Agent`.
"""

from seatrial.agents._declared import candidate
from seatrial.agents._faces import ToolFace, UserFace
from seatrial.agents._filling import filled_arguments, named_values, resolved_schema
from seatrial.agents._interruption import forgive, interrupt
from seatrial.agents._path import PathStep, reference_path
from seatrial.agents._player import play
from seatrial.agents._protocol import Agent, AgentEnd, Refused
from seatrial.agents._session import Session, TaskView, view_of
from seatrial.agents._target import make_agent

__all__ = [
    "Agent",
    "AgentEnd",
    "PathStep",
    "Refused",
    "Session",
    "TaskView",
    "ToolFace",
    "UserFace",
    "candidate",
    "filled_arguments",
    "forgive",
    "interrupt",
    "make_agent",
    "named_values",
    "play",
    "reference_path",
    "resolved_schema",
    "view_of",
]
