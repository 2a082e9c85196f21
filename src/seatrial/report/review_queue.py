"""The review queue in the terminal: every trial that the rules cannot decide, what was said of it, and what to type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seatrial.base.wording import count
from seatrial.records.label import TrialReview
from seatrial.report import _console
from seatrial.report._grid import Section
from seatrial.report._plain import short
from seatrial.report._review import FAILED_ANYWAY, alike, commands, doubt_line, label_line, state_line, trials_line

if TYPE_CHECKING:
    from rich.console import RenderableType


def render(
    reviews: Sequence[TrialReview],
    *,
    run: str = "RUN",
    hopeless: bool = False,
    width: int | None = None,
    colour: bool | None = None,
) -> str:
    """Return trials that wait for reviewers, or were labelled, as terminal text.

    Args:
        reviews: The trials.
        run: Name of the run file, for the commands that are proposed.
        hopeless: Whether the run has failed anyway, so that labels cannot make it pass.
        width: Columns; `None`: the terminal's.
        colour: Whether to use colour; `None`: as standard output and NO_COLOR have it.

    Returns:
        The text: those that wait first, those with the same doubts together; nothing from a trace or a note can move the cursor or
        change a colour.
    """
    from rich.text import Text

    target = _console.console(width, colour)
    waiting = sum(review.way_out == "label" for review in reviews)
    parts: list[RenderableType] = [Text(_headline(waiting))]
    if waiting and hopeless:
        parts.append(Text(FAILED_ANYWAY))
    for group in alike(sorted(reviews, key=lambda one: (not one.way_out, one.task, one.trial))):
        parts.extend(_console.section(_trials(group, run), target.width))
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


def _trials(group: Sequence[TrialReview], run: str) -> Section:
    """Return one trial, or several that are one question."""
    review = group[0]
    doubts = [f"doubt at {doubt_line(doubt)}" for doubt in review.doubts]
    told = short(review.reason, 300) if review.way_out else "no rule has a doubt here"
    each = [f"One question in {count(len(group), 'trial')}; each needs labels of its own."] if len(group) > 1 else []
    lines = (*(doubts or [f"safety: {told}"]), *each, *(label_line(label) for label in review.labels), state_line(review))
    return Section(trials_line(group), None, lines, commands(group, run))
