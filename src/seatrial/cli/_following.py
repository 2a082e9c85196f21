"""What `seatrial run --follow` prints: every step as it happens, under the name of its trial."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TextIO

from seatrial.base import catalogue
from seatrial.cli._speech import hush, own_voice
from seatrial.records.trace import Step
from seatrial.run import Follower


@contextlib.contextmanager
def following(follow: bool, *, as_json: bool) -> Iterator[Follower | None]:
    """Give what prints a step: on standard output, or on standard error when the other belongs to JSON.

    Args:
        follow: Whether anything is printed at all.
        as_json: Whether standard output belongs to JSON.
    """
    if not follow:
        yield None
    elif as_json:
        yield Steps(sys.stderr).print
    else:
        with contextlib.closing(own_voice()) as stream:
            yield Steps(stream).print


class Steps:
    """Prints steps, one trial after the other.

    Args:
        stream: Where.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._view = catalogue.load("renderer", "trace_view")
        self._colour = stream.isatty() and not os.environ.get("NO_COLOR")
        self._trial, self._number = ("", -1), 0

    def print(self, task: str, trial: int, step: Step) -> None:
        """Print a step, and the name of its trial before the first; a trial that is tried again is named again."""
        named = (task, trial) == self._trial and step.sequence > self._number
        self._trial, self._number = (task, trial), step.sequence
        try:
            if not named:
                self._stream.write(f"{task}#{trial}\n")
            self._stream.write(f"{self._view.render_step(step, colour=self._colour)}\n")
            self._stream.flush()
        except OSError:
            hush(self._stream)
