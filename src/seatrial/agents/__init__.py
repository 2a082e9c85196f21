"""Adapters that let one agent act in a world: one adapter a file, the file's name is the adapter's name.

Start with `_session`: what an agent is handed. An adapter module ends with `make(target, folder)`, which returns an `Agent`.
"""

from seatrial.agents._faces import ToolFace, UserFace
from seatrial.agents._interruption import forgive, interrupt
from seatrial.agents._protocol import Agent, AgentEnd, Refused
from seatrial.agents._session import Session, TaskView, view_of
from seatrial.agents._target import make_agent

__all__ = [
    "Agent",
    "AgentEnd",
    "Refused",
    "Session",
    "TaskView",
    "ToolFace",
    "UserFace",
    "forgive",
    "interrupt",
    "make_agent",
    "view_of",
]
