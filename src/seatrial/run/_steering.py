"""Who steers the event loop: an asynchronous agent that never lets go of it is found out and interrupted.

Every step of a trial's coroutines, and of the tasks that they start, is taken under the eyes of one `Watchdog`. What belongs to no
trial, or to another one, a trial can neither stop nor cancel.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self, TypeVar

from seatrial.agents import forgive, interrupt
from seatrial.base.errors import AgentError
from seatrial.world.calls import TrialStopped

BEAT = 0.25
"""Seconds between two looks at who steers."""
LONG = 0.05
"""Seconds from which on a step is said to hold the loop."""
T = TypeVar("T")


class Watchdog:
    """Interrupts a step that takes longer than its trial may. Must be made in the thread of a `TrialLoop`."""

    def __init__(self) -> None:
        self._thread, self._done = threading.get_ident(), threading.Event()
        self._step: tuple[float, float] | None = None
        self._interrupted = False
        self.held = 0.0

    def __enter__(self) -> Self:
        """Start watching."""
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop watching."""
        self._done.set()

    def begin(self, limit: float) -> float:
        """Note that a step begins which may take `limit` seconds, and return the moment."""
        moment = time.monotonic()
        self._step = (moment, limit)
        return moment

    def end(self, began: float) -> float:
        """Note that the step has ended, and return for how long it held the loop; 0: not for long."""
        self._step = None
        if self._interrupted:
            self._interrupted = False
            forgive()
        seconds = time.monotonic() - began
        if seconds < LONG:
            return 0.0
        self.held += seconds
        return seconds

    def _watch(self) -> None:
        while not self._done.wait(BEAT):
            step = self._step
            if step is not None and time.monotonic() - step[0] > step[1] and self._step is step:
                self._interrupted = True
                interrupt(self._thread)


class Helm:
    """The tasks of one trial.

    Args:
        watchdog: Who watches.
        limit: Wall seconds that one step may take.
    """

    def __init__(self, watchdog: Watchdog, limit: float) -> None:
        self.watchdog, self.limit = watchdog, limit
        self.tasks: set[asyncio.Task[Any]] = set()
        self.abandoned = False
        self.held = 0.0

    def abandon(self) -> None:
        """End whatever the trial left behind: no coroutine of it takes another step."""
        self.abandoned = True
        for task in tuple(self.tasks):
            task.cancel()


_HELM: contextvars.ContextVar[Helm | None] = contextvars.ContextVar("seatrial_helm", default=None)


def lost_seconds() -> float:
    """Return for how long other trials have held the loop so far; 0 where nobody watches."""
    helm = _HELM.get()
    return 0.0 if helm is None else helm.watchdog.held - helm.held


async def at_the_helm(work: Callable[[], Coroutine[Any, Any, T]], watchdog: Watchdog, *, limit: float) -> T:
    """Run a trial; every step of it, and of the tasks that it starts, is watched.

    Args:
        work: Makes the trial's coroutine.
        watchdog: Who watches.
        limit: Wall seconds that one step may take.

    Returns:
        What the trial returned.
    """
    helm = Helm(watchdog, limit)
    token = _HELM.set(helm)
    try:
        return await _Steps(work(), helm, root=True)
    finally:
        _HELM.reset(token)
        helm.abandon()


class TrialLoop(asyncio.SelectorEventLoop):
    """An event loop that no agent can take away from the other trials."""

    def __init__(self) -> None:
        super().__init__()
        self.set_task_factory(_make_task)
        self.set_exception_handler(_tell)

    def stop(self) -> None:
        """Stop; raises `AgentError` in a trial."""
        _refuse("stop")
        super().stop()

    def close(self) -> None:
        """Close; raises `AgentError` in a trial."""
        _refuse("close")
        super().close()


class _Task(asyncio.Task[T]):
    """A task that only its own trial and the harness can cancel."""

    helm: Helm | None = None

    def cancel(self, msg: Any | None = None) -> bool:
        """Cancel it; tell whether that was possible."""
        caller = _HELM.get()
        return super().cancel(msg) if caller is None or caller is self.helm else False


def _refuse(what: str) -> None:
    if _HELM.get() is not None:
        raise AgentError(f"the agent tried to {what} the event loop, which other trials use as well")


def _tell(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    # What the harness itself threw into what a trial left behind is no news.
    if not isinstance(context.get("exception"), TrialStopped | AgentError):
        loop.default_exception_handler(context)


def _make_task(loop: asyncio.AbstractEventLoop, coroutine: Any, **more: Any) -> asyncio.Task[Any]:
    helm = _HELM.get()
    if helm is None:
        return _Task(coroutine, loop=loop, **more)
    task = _Task(_steered(coroutine, helm), loop=loop, **more)
    task.helm = helm
    helm.tasks.add(task)
    task.add_done_callback(helm.tasks.discard)
    return task


ThreadHook = Callable[[threading.ExceptHookArgs], object]
"""Told of what ends a thread, see `threading.excepthook`."""


def deaf_to_stopped_threads(hook: ThreadHook) -> ThreadHook:
    """Return a hook that is not told of threads which an agent left behind and which end because their trial is over."""
    return lambda what: None if issubclass(what.exc_type, TrialStopped) else hook(what)


@contextmanager
def stopped_threads_unheard() -> Iterator[None]:
    """Say nothing of such threads while the block lasts."""
    before = threading.excepthook
    threading.excepthook = deaf_to_stopped_threads(before)
    try:
        yield
    finally:
        threading.excepthook = before


async def _steered(coroutine: Any, helm: Helm) -> Any:
    try:
        return await _Steps(coroutine, helm)
    except (KeyboardInterrupt, SystemExit) as error:
        # A task that raises one of these would end the loop, and with it every other trial.
        raise AgentError(f"{type(error).__name__}: {error}") from error


class _Steps(Awaitable[T]):
    """Drives a coroutine step by step; a trial's own coroutine (`root`) is let end by itself."""

    def __init__(self, coroutine: Coroutine[Any, Any, T], helm: Helm, *, root: bool = False) -> None:
        self._coroutine, self._helm, self._root = coroutine, helm, root

    def __await__(self) -> Generator[Any, Any, T]:
        value: object = None
        error: BaseException | None = None
        while True:
            if self._helm.abandoned and not self._root:
                self._sink()
                raise asyncio.CancelledError
            began = self._helm.watchdog.begin(self._helm.limit)
            try:
                waiting = self._coroutine.send(value) if error is None else self._coroutine.throw(error)
            except StopIteration as end:
                return end.value
            finally:
                self._helm.held += self._helm.watchdog.end(began)
            try:
                value, error = (yield waiting), None
            except GeneratorExit:
                self._sink()
                raise
            except BaseException as raised:  # noqa: BLE001 - thrown into the coroutine, whose it is
                value, error = None, raised

    def _sink(self) -> None:
        # A coroutine that ignores even this is dropped; it never gets another step.
        with suppress(BaseException):
            self._coroutine.close()
