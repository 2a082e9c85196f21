"""Interrupt a thread in the middle of somebody else's Python code."""

from __future__ import annotations

import ctypes
import threading

from seatrial.world.calls import TrialStopped


def interrupt(thread_id: int) -> None:
    """Raise `TrialStopped` in a running thread at its next Python instruction."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread_id), ctypes.py_object(TrialStopped))


def forgive() -> None:
    """Take back an interruption of the calling thread that has not been raised yet."""
    # One that is deleted leaves the interpreter looking for it ever after, and a profiler in any thread hangs (Python 3.11): so a last
    # one is raised here, in its place, and caught.
    try:
        interrupt(threading.get_ident())
        for _ in range(_MOMENT):
            pass
    except TrialStopped:
        return


_MOMENT = 1_000
"""Turns of a loop within which an interruption of the thread itself is raised; the first is enough."""
