"""What an agent is handed in one trial: the task, the tools, the user. The harness behind it is the only witness."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from seatrial.base.errors import BudgetExceeded, InfrastructureError, SimulatorError, WorldError
from seatrial.base.seeds import derive
from seatrial.records.contract import Alternative, ToolSpec
from seatrial.records.task import Task
from seatrial.records.trace import TokenUsage
from seatrial.world import Ledger, Observation, ProposedCall, ToolError, ToolServer, User

HARNESS_ERRORS = (BudgetExceeded, SimulatorError, WorldError, InfrastructureError)
"""What ends a trial from the harness's side, whatever the agent makes of it."""
T = TypeVar("T")


class TrialStopped(BaseException):
    """Raised through the agent's own code when the harness has ended the trial; not an `Exception`, so that it is not swallowed."""


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
    """One trial as an adapter sees it.

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

    def guard(self, work: Callable[[], T]) -> T:
        """Do a piece of the harness's work for the agent; an error of the harness ends the trial for good."""
        if self.closed or self.stopped_by is not None:
            raise TrialStopped
        try:
            return work()
        except HARNESS_ERRORS as error:
            self.stopped_by = error
            raise TrialStopped from error

    def call(self, calls: Sequence[ProposedCall]) -> list[Observation]:
        """Propose calls as one message, execute them in order, and deliver all their observations."""
        return self.guard(lambda: self.server.call(calls))

    def say(self, text: str) -> str | None:
        """Tell the user something and return the reply; `None`: the user has left."""
        return self.guard(lambda: self.user.say(text))


def view_of(task: Task, *, tools: Sequence[ToolSpec], documents: Mapping[str, str], seed: int) -> TaskView:
    """Return what an agent may know of a task.

    Args:
        task: The task.
        tools: Specifications of all tools of the world.
        documents: Policy documents: name → text.
        seed: Seed of the trial.
    """
    permitted = tuple(spec for spec in tools if task.tools is None or spec.name in task.tools)
    return TaskView(task.input, documents, task.now, permitted, task.caller, random.Random(derive(seed, "agent")))  # noqa: S311 - reproducible, not secret


class ToolFace:
    """The tools as a synchronous agent uses them: `tools.policy_lookup(policy_id=…)`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def call(self, tool: str, arguments: object = None) -> Observation:
        """Call one tool and return its observation, good or bad.

        Args:
            tool: Name of the tool.
            arguments: A mapping of arguments, or their JSON text as a model wrote it.
        """
        return self._session.call([_proposed(tool, arguments)])[0]

    def together(self, calls: Sequence[tuple[str, object]]) -> list[Observation]:
        """Call several tools in one message: none sees another's observation."""
        return self._session.call([_proposed(tool, arguments) for tool, arguments in calls])

    def report_model_call(
        self, model: str, *, input_tokens: int | None = None, output_tokens: int | None = None, usd: float | None = None
    ) -> None:
        """Report an exchange with a model that the harness cannot see; what is not known stays `None`."""
        usage = TokenUsage(input=input_tokens, output=output_tokens)
        self._session.guard(lambda: self._session.server.model_call(model, usage=usage, usd=usd))

    def __getattr__(self, tool: str) -> Callable[..., object]:
        """Return a function that calls a tool by keyword and returns its value, or raises `ToolError`."""
        if tool.startswith("__"):
            raise AttributeError(tool)
        return lambda **arguments: _value(self.call(tool, arguments))


class AsyncToolFace(ToolFace):
    """The tools as an asynchronous agent uses them: every call is awaited; calls gathered together are one message."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._pending: list[tuple[ProposedCall, object]] = []

    async def call(self, tool: str, arguments: object = None) -> Observation:  # type: ignore[override]
        """Call one tool; calls that wait at the same moment were proposed without seeing one another."""
        import asyncio

        loop = asyncio.get_running_loop()
        future: asyncio.Future[Observation] = loop.create_future()
        if not self._pending:
            loop.call_soon(self._flush)
        self._pending.append((_proposed(tool, arguments), future))
        return await future

    async def together(self, calls: Sequence[tuple[str, object]]) -> list[Observation]:  # type: ignore[override]
        """Call several tools in one message: none sees another's observation."""
        return self._session.call([_proposed(tool, arguments) for tool, arguments in calls])

    def __getattr__(self, tool: str) -> Callable[..., Awaitable[object]]:
        """Return a coroutine function that calls a tool by keyword and returns its value, or raises `ToolError`."""
        if tool.startswith("__"):
            raise AttributeError(tool)

        async def invoke(**arguments: object) -> object:
            return _value(await self.call(tool, arguments))

        return invoke

    def _flush(self) -> None:
        pending, self._pending = self._pending, []
        try:
            observations = self._session.call([call for call, _ in pending])
        except BaseException as error:  # noqa: BLE001 - handed to the agent's coroutines, which re-raise it
            for _, future in pending:
                if not future.cancelled():  # type: ignore[attr-defined]
                    future.set_exception(error)  # type: ignore[attr-defined]
            return
        for (_, future), observation in zip(pending, observations, strict=True):
            if not future.cancelled():  # type: ignore[attr-defined]
                future.set_result(observation)  # type: ignore[attr-defined]


class UserFace:
    """The user as an agent speaks with them."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def say(self, text: str) -> str | None:
        """Tell the user something and return the reply; `None`: the user has left."""
        return self._session.say(text)


class AsyncUserFace(UserFace):
    """The user as an asynchronous agent speaks with them."""

    async def say(self, text: str) -> str | None:  # type: ignore[override]
        """Tell the user something and return the reply; `None`: the user has left."""
        return self._session.say(text)


def _proposed(tool: str, arguments: object) -> ProposedCall:
    return ProposedCall(tool, {} if arguments is None else arguments)


def _value(observation: Observation) -> object:
    if observation.ok:
        return observation.value
    failure = observation.failure
    if failure is None:
        raise ToolError("the tool gave no answer")
    raise ToolError(failure.message, status=failure.status, kind=failure.kind)
