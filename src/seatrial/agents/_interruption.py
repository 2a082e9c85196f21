"""Interrupt a thread in the middle of somebody else's Python code."""

from __future__ import annotations

import ctypes
import threading
from contextlib import suppress

from seatrial.world.calls import TrialStopped


def interrupt(thread_id: int) -> None:
    """Raise `TrialStopped` in a running thread at its next Python instruction."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread_id), ctypes.py_object(TrialStopped))


def forgive() -> None:
    """Take back an interruption of this thread that may not have been raised yet.

    To set none in its place would leave the interpreter looking for it at every turn, for ever; so it is raised here, and caught.
    """
    with suppress(TrialStopped):
        interrupt(threading.get_ident())
        for _ in range(1_000):
            pass
