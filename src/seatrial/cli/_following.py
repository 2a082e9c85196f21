"""What `seatrial run --follow` prints: every step as it happens, under the name of its trial."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from typing import TextIO

from seatrial.base import catalogue
from seatrial.cli._speech import hush, own_voice
from seatrial.records.trace import Step
from seatrial.run import Follower


@contextlib.contextmanager
def following(follow: bool, held: Mapping[str, str], *, as_json: bool) -> Iterator[Follower | None]:
    """Give what prints a step: on standard output, or on standard error when the other belongs to JSON.

    Args:
        follow: Whether anything is printed at all.
        held: Id of each holdout task → the name that it stands under; their steps are withheld. It may be filled later.
        as_json: Whether standard output belongs to JSON.
    """
    if not follow:
        yield None
    elif as_json:
        yield Steps(sys.stderr, held).print
    else:
        with contextlib.closing(own_voice()) as stream:
            yield Steps(stream, held).print


class Steps:
    """Prints steps, one trial after the other.

    Args:
        stream: Where.
        held: Id of each holdout task → the name that it stands under.
    """

    def __init__(self, stream: TextIO, held: Mapping[str, str]) -> None:
        self._stream, self._held = stream, held
        self._view = catalogue.load("renderer", "trace_view")
        self._colour = stream.isatty() and not os.environ.get("NO_COLOR")
        self._trial, self._number = ("", -1), 0

    def print(self, task: str, trial: int, step: Step) -> None:
        """Print a step, and the name of its trial before the first; a trial that is tried again is named again."""
        named = (task, trial) == self._trial and step.sequence > self._number
        self._trial, self._number = (task, trial), step.sequence
        try:
            if not named:
                self._stream.write(f"{self._held.get(task, task)}#{trial}{': withheld' if task in self._held else ''}\n")
            if task not in self._held:
                self._stream.write(f"{self._view.render_step(step, colour=self._colour)}\n")
            self._stream.flush()
        except OSError:
            hush(self._stream)
