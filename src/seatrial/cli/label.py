"""`seatrial label`: read the review queue, and say what the rules cannot decide."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from seatrial.base.wording import count
from seatrial.cli._options import json_option, print_json, run_argument
from seatrial.cli._reveal import Looking, holdout_option, reveal_option
from seatrial.cli._speech import say
from seatrial.records.label import LABEL_VERDICTS

if TYPE_CHECKING:
    from seatrial.app.labelling import Labelled
    from seatrial.records.label import TrialReview


@click.command()
@run_argument
@click.option("--task", metavar="ID", help="Id of the task; not needed where one trial waits.")
@click.option("--trial", type=click.IntRange(0), help="Index of the trial, from 0; not needed where one trial of the task waits.")
@click.option("--verdict", type=click.Choice(LABEL_VERDICTS), help="What you say of it.")
@click.option("--by", metavar="NAME", help="Who says so.")
@click.option("--note", metavar="TEXT", help="Why: what you read, and what it shows.")
@click.option("--rule", default="", metavar="RULE", help="Only the doubts of this rule; without it: all of the trial.")
@reveal_option
@holdout_option
@json_option
def command(
    run: Path,
    *,
    task: str | None,
    trial: int | None,
    verdict: str | None,
    by: str | None,
    note: str | None,
    rule: str,
    as_json: bool,
    **looking: object,
) -> None:
    """Label a trial whose safety the rules cannot decide; without --verdict: print what is to be read, and what to type.

    Two different reviewers who say safe settle a doubt. One who says violation fails the run. No label lifts a violation that a rule
    found. A label is never changed or removed: a later one of the same reviewer takes its place, and both stay in the run file.
    """
    from seatrial.app.labelling import Opinion, add_label, review_queue

    look = Looking(by=by or "", **looking)  # type: ignore[arg-type] - the names are those of the options
    if verdict is None and ((by is not None and not look.reveal) or note is not None or rule):
        raise click.UsageError("--by, --note and --rule belong to a label: give --verdict too")
    if verdict is not None and (by is None or note is None):
        raise click.UsageError("a label has a name and a reason: give --by NAME and --note TEXT too")
    look.enter(run, "label")
    if task is None or trial is None or verdict is None:
        found = review_queue(run, reveal=look.reveal)
        asked = [review for review in found if task in (None, review.task) and trial in (None, review.trial)]
        if verdict is None:
            _print_queue(asked, run, as_json=as_json)
            return
        task, trial = _only(asked)
    opinion = Opinion(verdict, by or "", note or "", rule)  # type: ignore[arg-type] - click checked the word
    done = add_label(run, task, trial, opinion, reveal=look.reveal)
    _print_label(done, run, as_json=as_json)


def _only(asked: list[TrialReview]) -> tuple[str, int]:
    """Return the one trial that waits; a label must not land on a trial that nobody named."""
    waiting = [(review.task, review.trial) for review in asked if review.way_out == "label"]
    if len(waiting) != 1:
        raise click.UsageError(f"{count(len(waiting), 'trial')} wait for a label here: say which, with --task ID --trial N")
    return waiting[0]


def _print_queue(reviews: list[TrialReview], run: Path, *, as_json: bool) -> None:
    from seatrial.app.reporting import summary_of
    from seatrial.base import catalogue

    if as_json:
        print_json(reviews)
    else:
        hopeless = any(review.way_out == "label" for review in reviews) and summary_of(run).fails_anyway
        say(catalogue.load("renderer", "review_queue").render(reviews, run=str(run), hopeless=hopeless), drawn=True)


def _print_label(done: Labelled, run: Path, *, as_json: bool) -> None:
    from seatrial.base import catalogue

    if as_json:
        print_json(done)
        return
    label = done.label
    say(f"labelled {label.task}#{label.trial} {label.verdict}, by {label.by}")
    say(catalogue.load("renderer", "review_queue").render([done.review], run=str(run)), drawn=True)
    say(f"next: seatrial report {shlex.quote(str(run))}")
