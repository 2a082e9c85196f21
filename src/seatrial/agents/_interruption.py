"""Interrupt a thread in the middle of somebody else's Python code."""

from __future__ import annotations

import ctypes

from seatrial.world.calls import TrialStopped


def interrupt(thread_id: int) -> None:
    """Raise `TrialStopped` in a running thread at its next Python instruction."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread_id), ctypes.py_object(TrialStopped))


def forgive(thread_id: int) -> None:
    """Take back an interruption that has not been raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread_id), None)
