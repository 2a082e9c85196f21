"""The tools and the user in the hands of an agent: a plain one, and one that awaits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Sequence
from typing import TYPE_CHECKING

from seatrial.agents._session import Session
from seatrial.records.trace import TokenUsage
from seatrial.world import Observation, ProposedCall, ToolError

if TYPE_CHECKING:
    import asyncio


MOST_TOKENS = 1_000_000_000
"""Tokens of one class that one exchange with a model can come to; more is a mistake."""
MOST_USD = 1_000_000
"""US dollars that one exchange with a model can cost; more is a mistake."""


class ToolFace:
    """The tools as a synchronous agent uses them: `tools.policy_lookup(policy_id=…)`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def call(self, tool: str, arguments: object = None) -> Observation:
        """Call one tool and return its observation, good or bad.

        Args:
            tool: Name of the tool.
            arguments: A mapping of arguments, or their JSON text as a model wrote it; `None`: no arguments.
        """
        return self._session.call([ProposedCall(tool, arguments)])[0]

    def together(self, calls: Sequence[tuple[str, object]]) -> list[Observation]:
        """Call several tools in one message: none sees another's observation."""
        return self._session.call([ProposedCall(tool, arguments) for tool, arguments in calls])

    def report_model_call(
        self,
        model: str,
        *,
        input: int | None = None,  # noqa: A002 - the word of the field for token counts
        output: int | None = None,
        cache_read: int | None = None,
        cache_write: int | None = None,
        usd: float | None = None,
    ) -> Awaitable[None]:
        """Report an exchange with a model that the harness cannot see; what is not known stays `None`.

        Args:
            model: The model id that the provider returned.
            input: Fresh input tokens.
            output: Output tokens, reasoning included.
            cache_read: Input tokens read from the provider's cache.
            cache_write: Input tokens written to the provider's cache.
            usd: Price, US dollars.

        Returns:
            Nothing; it may be awaited, and has happened either way.

        Raises:
            TypeError: A value has another type.
            ValueError: A count or a price is negative, not finite, or more than one exchange can come to.
        """
        if not isinstance(model, str):
            raise TypeError(f"the model is a {type(model).__name__}; expected its id as a text")
        usage = TokenUsage(
            input=_tokens("input", input),
            cache_read=_tokens("cache_read", cache_read),
            cache_write=_tokens("cache_write", cache_write),
            output=_tokens("output", output),
        )
        self._session.model_call(str.__str__(model), usage, _price(usd))
        return _DONE

    def __getattr__(self, tool: str) -> Callable[..., object]:
        """Return a function that calls a tool by keyword and returns its value, or raises `ToolError`."""
        if tool.startswith("__"):
            raise AttributeError(tool)

        def invoke(*unnamed: object, **arguments: object) -> object:
            return _value(self.call(tool, _named(tool, unnamed, arguments)))

        return invoke


class AsyncToolFace(ToolFace):
    """The tools as an asynchronous agent uses them: every call is awaited; calls gathered together are one message."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._pending: list[tuple[ProposedCall, asyncio.Future[Observation]]] = []

    async def call(self, tool: str, arguments: object = None) -> Observation:  # type: ignore[override]
        """Call one tool; calls that wait at the same moment were proposed without seeing one another."""
        import asyncio

        future: asyncio.Future[Observation] = asyncio.get_running_loop().create_future()
        self._pending.append((ProposedCall(tool, arguments), future))
        if len(self._pending) == 1:
            # The first of a message waits one round of the loop for those that are gathered with it.
            try:
                await asyncio.sleep(0)
            finally:
                self._send()
        return await future

    async def together(self, calls: Sequence[tuple[str, object]]) -> list[Observation]:  # type: ignore[override]
        """Call several tools in one message: none sees another's observation."""
        return super().together(calls)

    def __getattr__(self, tool: str) -> Callable[..., Awaitable[object]]:
        """Return a coroutine function that calls a tool by keyword and returns its value, or raises `ToolError`."""
        if tool.startswith("__"):
            raise AttributeError(tool)

        async def invoke(*unnamed: object, **arguments: object) -> object:
            return _value(await self.call(tool, _named(tool, unnamed, arguments)))

        return invoke

    def _send(self) -> None:
        pending, self._pending = self._pending, []
        try:
            observations = self._session.call([call for call, _ in pending])
        except BaseException as error:  # noqa: BLE001 - handed to the agent's coroutines, which raise it
            for _, future in pending:
                if not future.done():
                    future.set_exception(error)
                    future.exception()  # whoever proposed it may be gone: it is not lost then
            return
        for (_, future), observation in zip(pending, observations, strict=True):
            if not future.done():
                future.set_result(observation)


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
        return super().say(text)


class _Done:
    """Something that has happened: awaiting it changes nothing."""

    def __await__(self) -> Generator[None, None, None]:
        yield from ()


_DONE = _Done()


def _named(tool: str, unnamed: tuple[object, ...], arguments: dict[str, object]) -> dict[str, object]:
    if unnamed:
        raise TypeError(
            f"tools.{tool} takes its arguments by name, for example tools.{tool}(name=value); it was given {len(unnamed)} without"
        )
    return arguments


def _value(observation: Observation) -> object:
    if observation.ok:
        return observation.value
    failure = observation.failure
    if failure is None:
        raise ToolError("the tool gave no answer")
    raise ToolError(failure.message, status=failure.status, kind=failure.kind, transient=failure.transient)


def _tokens(name: str, value: int | None) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} is a {type(value).__name__}; expected a number of tokens or None")
    if not 0 <= value <= MOST_TOKENS:
        raise ValueError(f"{name} is {value:.6g}; expected 0 to {MOST_TOKENS:,} tokens for one exchange")
    return int(value)


def _price(usd: float | None) -> float | None:
    if usd is None:
        return None
    if isinstance(usd, bool) or not isinstance(usd, int | float):
        raise TypeError(f"usd is a {type(usd).__name__}; expected US dollars or None")
    if not 0 <= usd <= MOST_USD:
        raise ValueError(f"usd is {usd:.6g}; expected 0 to {MOST_USD:,} US dollars for one exchange")
    return float(usd)
