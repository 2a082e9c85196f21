"""Reasons to stop a run early, asked before every trial."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Protocol


class Loop(Protocol):
    """The part of an event loop that interrupts need."""

    def add_signal_handler(self, sig: int, callback: Callable[..., object]) -> None:
        """Call back when a signal arrives."""
        ...

    def remove_signal_handler(self, sig: int) -> bool:
        """Stop calling back."""
        ...


class Stop:
    """Whether and why a run stops early. The first interrupt lets the trials in flight finish, the second drops them."""

    def __init__(self) -> None:
        self.reason = ""
        self.interrupted = False
        self.kill: Callable[[], None] = lambda: None

    @property
    def asked(self) -> bool:
        """Whether no further trial may start."""
        return bool(self.reason)

    def ask(self, reason: str) -> None:
        """Let no further trial start; the first reason is kept."""
        self.reason = self.reason or reason

    @contextlib.contextmanager
    def listening(self, loop: Loop) -> Iterator[None]:
        """Take interrupts while a loop runs; elsewhere than in the main thread there are none to take."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGINT)

    def _interrupt(self) -> None:
        if self.interrupted:
            self.kill()
        self.interrupted = True
        self.ask("interrupted")
