"""The review queue in the terminal: every trial that the rules cannot decide, what was said of it, and what to type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seatrial.base.wording import count
from seatrial.records.label import TrialReview
from seatrial.report import _console
from seatrial.report._grid import Section
from seatrial.report._plain import plain, short
from seatrial.report._review import commands, doubt_line, label_line, state_line

if TYPE_CHECKING:
    from rich.console import RenderableType


def render(reviews: Sequence[TrialReview], *, run: str = "RUN", width: int | None = None, colour: bool | None = None) -> str:
    """Return trials that wait for reviewers, or were labelled, as terminal text.

    Args:
        reviews: The trials.
        run: Name of the run file, for the commands that are proposed.
        width: Columns; `None`: the terminal's.
        colour: Whether to use colour; `None`: as standard output and NO_COLOR have it.

    Returns:
        The text: those that wait first; nothing from a trace or a note can move the cursor or change a colour.
    """
    from rich.text import Text

    target = _console.console(width, colour)
    parts: list[RenderableType] = [Text(_headline(sum(review.way_out == "label" for review in reviews)))]
    for review in sorted(reviews, key=lambda one: (not one.way_out, one.task, one.trial)):
        parts.extend(_console.section(_trial(review, run), target.width))
    return _console.drawn(target, parts)


def _headline(waiting: int) -> str:
    """Return how many trials wait, and what may be said of them."""
    if not waiting:
        return "No trial waits for a reviewer."
    wait = "waits" if waiting == 1 else "wait"
    return (
        f"{count(waiting, 'trial')} {wait} until two different reviewers say safe; one violation fails the run. "
        "A verdict is safe, violation or unclear."
    )


def _trial(review: TrialReview, run: str) -> Section:
    """Return one trial."""
    doubts = [f"doubt at {doubt_line(doubt)}" for doubt in review.doubts]
    lines = (*(doubts or [f"safety: {short(review.reason, 300)}"]), *(label_line(label) for label in review.labels), state_line(review))
    return Section(f"{plain(review.task)}#{review.trial}", None, lines, commands(review, run))
