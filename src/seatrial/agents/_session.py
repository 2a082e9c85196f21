"""What an agent is handed in one trial: the task, the tools, the user. The harness behind it is the only witness."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from seatrial.base.errors import BudgetExceeded, InfrastructureError, SimulatorError, WorldError
from seatrial.base.seeds import derive
from seatrial.records.contract import Alternative, ToolSpec
from seatrial.records.task import Task
from seatrial.records.trace import TokenUsage
from seatrial.world import Ledger, Observation, ProposedCall, ToolServer, User
from seatrial.world.calls import TrialStopped

HARNESS_ERRORS = (BudgetExceeded, SimulatorError, WorldError, InfrastructureError)
"""What ends a trial from the harness's side, whatever the agent makes of it."""
T = TypeVar("T")


@dataclass(frozen=True)
class TaskView:
    """What an agent may know of its task; never the task's id, its contract or its fixture.

    Args:
        input: What the user said first.
        documents: Policy documents: name → text.
        now: The world's clock at the start, ISO 8601.
        tools: Specifications of the permitted tools.
        caller: Who speaks: collection → keys of the records that are theirs.
        random: The only source of chance an agent may use: seeded by the trial.
    """

    input: str
    documents: Mapping[str, str]
    now: str
    tools: tuple[ToolSpec, ...]
    caller: Mapping[str, tuple[str, ...]]
    random: random.Random


@dataclass
class Session:
    """One trial as an adapter sees it. Threads of one agent take turns; once the trial is over, nobody gets any further.

    Args:
        task: What the agent may know.
        server: The tool server, which witnesses every call.
        user: The simulated user.
        ledger: The record of the trial's steps.
        reference: The task's alternatives, for the adapters that play a reference path.
    """

    task: TaskView
    server: ToolServer
    user: User
    ledger: Ledger
    reference: tuple[Alternative, ...] = ()
    stopped_by: BaseException | None = field(default=None, init=False)
    closed: bool = field(default=False, init=False)
    when_stopped: Callable[[], None] = field(default=lambda: None, init=False)
    _turn: threading.RLock = field(default_factory=threading.RLock, init=False, repr=False)

    def guard(self, work: Callable[[], T]) -> T:
        """Do a piece of the harness's work for the agent; an error of the harness ends the trial for good."""
        with self._turn:
            if self.closed or self.stopped_by is not None:
                raise TrialStopped
            try:
                return work()
            except HARNESS_ERRORS as error:
                self.stopped_by = error
                self.when_stopped()
                raise TrialStopped from error

    def call(self, calls: Sequence[ProposedCall]) -> list[Observation]:
        """Propose calls as one message, execute them in order, and deliver all their observations."""
        return self.guard(lambda: self.server.call(calls))

    def say(self, text: str) -> str | None:
        """Tell the user something and return the reply; `None`: the user has left."""
        if not isinstance(text, str):
            raise TypeError(f"a {type(text).__name__} was said to the user; expected a text")
        return self.guard(lambda: self.user.say(str.__str__(text)))

    def model_call(self, model: str, usage: TokenUsage, usd: float | None) -> None:
        """Record an exchange with a model that the agent reports."""
        self.guard(lambda: self.server.model_call(model, usage=usage, usd=usd))

    def close(self) -> bool:
        """Let nobody any further, and tell whether nobody is in the middle of a call any more."""
        self.closed = True
        free = self._turn.acquire(blocking=False)
        if free:
            self._turn.release()
        return free


def view_of(task: Task, *, tools: Sequence[ToolSpec], documents: Mapping[str, str], seed: int) -> TaskView:
    """Return what an agent may know of a task; it cannot change what another trial will see.

    Args:
        task: The task.
        tools: Specifications of all tools of the world.
        documents: Policy documents: name → text.
        seed: Seed of the trial.
    """
    permitted = tuple(tools) if task.tools is None else tuple(spec for spec in tools if spec.name in task.tools)
    chance = random.Random(derive(seed, "agent"))  # noqa: S311 - reproducible, not secret
    return TaskView(task.input, dict(documents), task.now, permitted, dict(task.caller), chance)
