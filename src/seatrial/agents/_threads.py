"""A thread for an agent that is a plain function, and the means to stop one that does not come back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from seatrial.agents._interruption import forgive, interrupt
from seatrial.world.calls import TrialStopped

PATIENCE = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.2, 0.2, 0.2)
"""Seconds to wait after each interruption of a thread; one that has not ended after the last is left behind."""


async def run_in_thread(function: Callable[..., object], *arguments: object) -> object:
    """Run a function in a daemon thread of its own and await its result.

    Cancelling the wait raises `TrialStopped` inside the function at its next Python instruction, again and again; one that
    hangs outside of Python, or swallows everything, is left behind and no longer listened to.

    Args:
        function: What to run.
        arguments: Its positional arguments.

    Returns:
        What the function returned.
    """
    work = _Work(function, arguments)
    threading.Thread(target=work.run, daemon=True).start()
    try:
        return await asyncio.shield(work.future)
    except asyncio.CancelledError:
        # Whatever the abandoned function still raises is nobody's any more; it must not be reported as lost.
        work.future.add_done_callback(lambda done: done.cancelled() or done.exception())
        await _end(work)
        raise


async def _end(work: _Work) -> None:
    for seconds in PATIENCE:
        work.interrupt()
        await asyncio.wait([work.future], timeout=seconds)
        if work.future.done():
            return


class _Work:
    """One function in one thread, and the future of its result. Must be made where a loop runs."""

    def __init__(self, function: Callable[..., object], arguments: tuple[object, ...]) -> None:
        self._function, self._arguments = function, arguments
        self._loop = asyncio.get_running_loop()
        self.future: asyncio.Future[object] = self._loop.create_future()
        self._lock, self._thread, self._interrupted = threading.Lock(), 0, False

    def run(self) -> None:
        """Work: the body of the thread."""
        try:
            self._begin()
            try:
                result, raised = self._function(*self._arguments), None
            except BaseException as error:  # noqa: BLE001 - whatever the agent raises is handed to whoever waits for it
                result, raised = None, error
            self._over()
            self._hand_over(result, raised)
        except TrialStopped as stopped:
            # The interruption came just when the function had ended.
            self._over()
            self._hand_over(None, stopped)

    def interrupt(self) -> None:
        """Interrupt the function if it still runs: its thread's number may soon be another thread's."""
        with self._lock:
            if self._thread:
                self._interrupted = True
                interrupt(self._thread)

    def _begin(self) -> None:
        with self._lock:
            self._thread = threading.get_ident()

    def _over(self) -> None:
        with self._lock:
            self._thread = 0
        if self._interrupted:
            forgive()

    def _hand_over(self, result: object, error: BaseException | None) -> None:
        try:
            self._loop.call_soon_threadsafe(_settle, self.future, result, error)
        except RuntimeError:
            # The loop is closed: the run has ended and nobody listens any more.
            return


def _settle(future: asyncio.Future[object], result: object, error: BaseException | None) -> None:
    if future.done():
        return
    if isinstance(error, StopIteration):
        error = RuntimeError(f"the agent raised StopIteration: {error}")
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
