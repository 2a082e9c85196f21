"""Progress on standard error: a live bar in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import os
import sys
import time
from typing import Self

from seatrial.cli._speech import tell
from seatrial.records.grade import Grade, Verdict
from seatrial.records.trace import Trace

LINES = 10
"""Most lines that a run prints where there is no terminal."""
SECONDS = 2.0
"""Seconds between two of them at the least; a run that is over sooner prints none."""


class Progress:
    """Counts finished trials and shows time left and cost.

    Args:
        total: Trials to run; 0: `begin` will say.
        quiet: Whether to show nothing.
    """

    def __init__(self, total: int = 0, *, quiet: bool = False) -> None:
        self.total, self.quiet = total, quiet
        self.done = self.strict = self.wrong_reason = self.unknown = 0
        self.usd, self.unpriced = 0.0, 0
        self._told = 0
        self.started = self._last = time.monotonic()
        self.live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("CI")
        self._bar = None

    def __enter__(self) -> Self:
        """Start showing, if it is known how much there is to show."""
        self.begin(self.total)
        return self

    def begin(self, total: int) -> None:
        """Say how many trials there are to run, and start showing."""
        self.total = total
        self.started = self._last = time.monotonic()
        if self.live and total and not self.quiet and self._bar is None:
            self._bar = _bar(total)
            self._bar.start()

    def __exit__(self, *_: object) -> None:
        """Stop showing."""
        if self._bar is not None:
            self._bar.stop()

    def watch(self, trace: Trace, grade: Grade) -> None:
        """Count one finished trial."""
        self.done += 1
        self.strict += grade.strict is Verdict.PASS
        self.wrong_reason += grade.outcome.verdict is Verdict.PASS and grade.strict is Verdict.FAIL
        self.unknown += trace.status.unknown
        self.usd += sum(usage.usd or 0.0 for usage in (trace.usage, *(attempt.usage for attempt in trace.attempts)))
        self.unpriced += trace.usage.usd is None
        if not self.quiet and self.total:
            self._show()

    @property
    def text(self) -> str:
        """The counts in words."""
        left = (time.monotonic() - self.started) / self.done * (self.total - self.done) if self.done else 0.0
        cost = "cost not known" if self.unpriced == self.done else f"${self.usd:.2f}"
        parts = [f"{self.strict} strict", f"{self.wrong_reason} right for the wrong reason"]
        parts += [f"{self.unknown} unknown"] if self.unknown else []
        return f"{', '.join(parts)} · {cost} · {left:.0f} s left"

    def _show(self) -> None:
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self.done, note=self.text)
        elif self.done * LINES // self.total > self._told and time.monotonic() - self._last >= SECONDS:
            self._told, self._last = self.done * LINES // self.total, time.monotonic()
            tell(f"{self.done}/{self.total} trials: {self.text}")


def _bar(total: int):  # noqa: ANN202 - rich is imported only where a bar is drawn
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    bar = Progress(BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[note]}"), console=Console(stderr=True), transient=True)
    bar.add_task("trials", total=total, note="")
    return bar
