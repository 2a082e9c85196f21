"""Talking with the simulated user: from the agent, and from within a tool."""

from __future__ import annotations

from typing import Protocol

from seatrial.base import catalogue
from seatrial.records.task import Task
from seatrial.records.trace import AGENT
from seatrial.world.ledger import Ledger


class User(Protocol):
    """The simulated user of one trial."""

    def say(self, text: str, *, actor: str = AGENT, context: str = AGENT, parent: int | None = None) -> str | None:
        """Hear what the agent says, record it and the answer, and return the answer; `None`: the user has left."""
        ...


class UserChannel:
    """The user as a tool sees it.

    Args:
        user: The user; `None`: there is none.
        actor: Path of the agent that called the tool.
        context: The conversation it was called from.
        call: Sequence number of the call.
    """

    def __init__(self, user: User | None, *, actor: str, context: str, call: int) -> None:
        self._user, self._actor, self._context, self._call = user, actor, context, call

    def ask(self, text: str) -> str | None:
        """Put a question to the user and return the answer; `None`: the user has left."""
        if self._user is None:
            return None
        return self._user.say(text, actor=self._actor, context=self._context, parent=self._call)


def make_user(task: Task, ledger: Ledger) -> User:
    """Return the simulated user of one trial.

    Args:
        task: The task, which says what kind of user it is.
        ledger: The trial's record.

    Raises:
        UsageError: There is no such kind of user.
        SimulatorError: The user cannot be made from what the task says.
    """
    return catalogue.load("user", task.user.kind).open_user(task, ledger)
