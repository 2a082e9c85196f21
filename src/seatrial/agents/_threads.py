"""A thread for an agent that is a plain function, and the means to stop one that does not come back."""

from __future__ import annotations

import asyncio
import ctypes
import threading
from collections.abc import Callable

from seatrial.agents._session import TrialStopped


async def run_in_thread(function: Callable[..., object], *arguments: object) -> object:
    """Run a function in a daemon thread and await its result.

    Cancelling the wait raises `TrialStopped` inside the function at its next Python instruction; one that hangs outside of
    Python is left behind and no longer listened to.

    Args:
        function: What to run.
        arguments: Its positional arguments.

    Returns:
        What the function returned.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[object] = loop.create_future()
    thread = threading.Thread(target=_work, args=(function, arguments, loop, future), daemon=True)
    thread.start()
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        # Whatever the abandoned function still raises is nobody's any more; it must not be reported as lost.
        future.add_done_callback(lambda done: done.cancelled() or done.exception())
        interrupt(thread.ident)
        raise


def interrupt(thread_id: int | None) -> None:
    """Raise `TrialStopped` in a running thread at its next Python instruction."""
    if thread_id is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread_id), ctypes.py_object(TrialStopped))


def _work(
    function: Callable[..., object], arguments: tuple[object, ...], loop: asyncio.AbstractEventLoop, future: asyncio.Future[object]
) -> None:
    try:
        result = function(*arguments)
    except BaseException as error:  # noqa: BLE001 - whatever the agent raises is handed to whoever waits for it
        _hand_over(loop, future, None, error)
    else:
        _hand_over(loop, future, result, None)


def _hand_over(loop: asyncio.AbstractEventLoop, future: asyncio.Future[object], result: object, error: BaseException | None) -> None:
    try:
        loop.call_soon_threadsafe(_settle, future, result, error)
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
