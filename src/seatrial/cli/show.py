"""`seatrial show`: print one trace with each requirement pinned to its step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from seatrial.cli._options import json_option, print_json, run_argument
from seatrial.cli._reveal import Looking, reveal_options
from seatrial.cli._speech import say

if TYPE_CHECKING:
    from seatrial.app.show import ShownTrial


@click.command()
@run_argument
@click.argument("task")
@click.option("--trial", type=click.IntRange(0), help="Index of the trial, from 0; without it: the first that is not strict, else 0.")
@click.option("--sources", is_flag=True, help="Say of every argument value where it came from.")
@reveal_options
@json_option
def command(run: Path, task: str, *, trial: int | None, sources: bool, as_json: bool, **looking: object) -> None:
    """Print what happened in one trial of TASK and how it was judged, step by step."""
    from seatrial.app.show import trial_of
    from seatrial.base import catalogue

    look = Looking(**looking)  # type: ignore[arg-type] - the names are those of the options
    shown = trial_of(run, task, trial, sources=sources, reveal=look.reveal)
    if shown.held or not look.reveal:
        look.enter(run, "show", f"{shown.trace.identity.task}#{shown.trace.identity.trial}")
    if as_json:
        print_json({"trace": shown.trace, "grade": shown.grade, **_asked(shown, sources=sources)})
    else:
        say(catalogue.load("renderer", "trace_view").render(shown.trace, shown.grade, shown.sources, review=shown.review), drawn=True)


def _asked(shown: ShownTrial, *, sources: bool) -> dict[str, object]:
    """Return the parts of the JSON that are there only when there is something to say."""
    review: dict[str, object] = {"review": shown.review} if shown.review is not None else {}
    return {**({"sources": shown.sources} if sources else {}), **review}
