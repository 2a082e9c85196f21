"""Threads for agents that are plain functions, and the means to stop one that does not come back.

To start a thread costs as much as a short trial. So a thread that has ended its work takes the next one, as fresh as a new one: its
thread-local data are gone. One that was interrupted, or that was left with a trace or a profile function, is never used again.
"""

from __future__ import annotations

import asyncio
import contextvars
import ctypes
import sys
import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue

from seatrial.agents._interruption import forgive, interrupt
from seatrial.world.calls import TrialStopped

PATIENCE = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.2, 0.2, 0.2)
"""Seconds to wait after each interruption of a thread; one that has not ended after the last is left behind."""
Orders = SimpleQueue["_Work | None"]
"""What one thread is to do next; `None`: it is to end."""


class Threads:
    """The threads of one agent; those that wait for work end when this object goes."""

    def __init__(self) -> None:
        self._idle: list[Orders] = []
        weakref.finalize(self, _dismiss, self._idle)

    async def run(self, function: Callable[..., object], *arguments: object) -> object:
        """Run a function in a daemon thread that nobody else uses meanwhile, and await its result.

        Cancelling the wait raises `TrialStopped` inside the function at its next Python instruction, again and again; one that
        hangs outside of Python, or swallows everything, is left behind and no longer listened to.

        Args:
            function: What to run; it sees no context variable of the caller, nor of what ran before it.
            arguments: Its positional arguments.

        Returns:
            What the function returned.
        """
        work = _Work(function, arguments)
        orders = self._idle.pop() if self._idle else _hire()
        orders.put(work)
        try:
            return await asyncio.shield(work.future)
        except asyncio.CancelledError:
            # Whatever the abandoned function still raises is nobody's any more; it must not be reported as lost.
            work.future.add_done_callback(lambda done: done.cancelled() or done.exception())
            await _end(work)
            raise
        finally:
            if work.left_nothing:
                self._idle.append(orders)
            else:
                orders.put(None)


def _hire() -> Orders:
    orders: Orders = SimpleQueue()
    threading.Thread(target=_serve, args=(orders,), daemon=True).start()
    return orders


def _serve(orders: Orders) -> None:
    while (work := orders.get()) is not None:
        work.run()
        del work  # or the waiting thread would keep a whole trial alive


def _dismiss(idle: list[Orders]) -> None:
    for orders in idle:
        orders.put(None)


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
        self.left_nothing = False
        """Whether it has ended and its thread is as it was before."""

    def run(self) -> None:
        """Work: on a thread that does nothing else."""
        try:
            watched = sys.gettrace(), sys.getprofile()
            self._begin()
            try:
                result, raised = contextvars.Context().run(self._function, *self._arguments), None
            except BaseException as error:  # noqa: BLE001 - whatever the agent raises is handed to whoever waits for it
                result, raised = None, error
            self._over()
            _clear_thread_data()
            self.left_nothing = not self._interrupted and watched == (sys.gettrace(), sys.getprofile())
            self._hand_over(result, raised)
        except TrialStopped as stopped:
            # The interruption came just when the function had ended.
            self._over()
            self._hand_over(None, stopped)

    def interrupt(self) -> None:
        """Interrupt the function if it still runs: its thread may soon do other work."""
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


def _clear_thread_data() -> None:
    """Forget this thread's thread-local data, as its end would."""
    held = _get_thread_data()
    if held:
        ctypes.cast(held, ctypes.py_object).value.clear()


# A prototype of its own: the function that `ctypes.pythonapi` holds is everybody's.
_get_thread_data = ctypes.PYFUNCTYPE(ctypes.c_void_p)(("PyThreadState_GetDict", ctypes.pythonapi))


def _settle(future: asyncio.Future[object], result: object, error: BaseException | None) -> None:
    if future.done():
        return
    if isinstance(error, StopIteration):
        error = RuntimeError(f"the agent raised StopIteration: {error}")
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
