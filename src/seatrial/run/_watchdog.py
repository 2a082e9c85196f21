"""The watchdog: frees the event loop from an asynchronous agent that never waits for anything."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Self

from seatrial.agents._threads import interrupt

BEAT = 0.25
"""Seconds between two heartbeats of the loop."""


class Watchdog:
    """Raises `TrialStopped` in the loop's thread when the loop has not beaten for longer than a trial may take.

    Args:
        loop: The loop to watch; it must run in the calling thread.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.limit = 60.0
        self._loop, self._thread, self._done = loop, threading.get_ident(), threading.Event()
        self._beaten = time.monotonic()

    def __enter__(self) -> Self:
        """Start watching."""
        self._beat()
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop watching."""
        self._done.set()
        self._handle.cancel()

    def _beat(self) -> None:
        self._beaten = time.monotonic()
        self._handle = self._loop.call_later(BEAT, self._beat)

    def _watch(self) -> None:
        while not self._done.wait(BEAT):
            if time.monotonic() - self._beaten > self.limit + 2 * BEAT:
                interrupt(self._thread)
                self._beaten = time.monotonic()
