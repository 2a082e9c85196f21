"""`seatrial regrade`: judge a stored run again, without the world."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from seatrial.base.errors import RunFileError
from seatrial.base.wording import count
from seatrial.cli._options import FOLDER, json_option, print_json, run_argument
from seatrial.cli._reveal import Looking, reveal_options
from seatrial.cli._speech import others_on_stderr, say

if TYPE_CHECKING:
    from seatrial.app.regrade import Regraded
    from seatrial.records.summary import RunSummary


@click.command()
@run_argument
@click.option(
    "--suite",
    type=FOLDER,
    help="Judge by this suite's contracts instead of the stored ones.",
)
@click.option(
    "--discard-damaged", is_flag=True, help="First take out the trials that cannot be read; running again on the same file repeats them."
)
@reveal_options
@json_option
def command(run: Path, *, suite: Path | None, discard_damaged: bool, as_json: bool, **looking: object) -> int:
    """Judge every stored trace of a run again. Traces are never changed; the world is not needed.

    Says the decision before and after; the exit code is that of the decision after, as `seatrial report` gives it.
    """
    import msgspec

    from seatrial.app.loading import load
    from seatrial.app.regrade import regrade
    from seatrial.app.reporting import summary_of
    from seatrial.cli._exit import code_of_summary

    with others_on_stderr():
        loaded = load(suite, recorded=True) if suite else None
    look = Looking(**looking)  # type: ignore[arg-type] - the names are those of the options
    look.enter(run, "regrade")
    before = _earlier_decision(run, reveal=look.reveal)
    result = regrade(run, loaded=loaded, discard_damaged=discard_damaged, reveal=look.reveal)
    summary = summary_of(run, reveal=look.reveal)
    if as_json:
        print_json(msgspec.to_builtins(result) | {"decision_before": before, "decision_after": _decision(summary)})
    else:
        _print(result, before, _decision(summary))
        if suite is None and any(review.way_out == "regrade" for review in summary.review.shown):
            say(f"next: a rule of the suite's own could not be asked: seatrial regrade {shlex.quote(str(run))} --suite SUITE")
    return code_of_summary(summary)


def _earlier_decision(run: Path, *, reveal: bool) -> str:
    """Return what was decided so far; damage stops nothing here, for this verb is what mends it."""
    from seatrial.app.reporting import summary_of

    try:
        return _decision(summary_of(run, reveal=reveal))
    except RunFileError:
        return "not known: trials or grades are damaged"


def _decision(summary: RunSummary) -> str:
    return summary.decision.sentence if summary.decision is not None else "no decision"


def _print(result: Regraded, before: str, after: str) -> None:
    for damage in result.discarded:
        say(f"taken out: {damage.task}#{damage.trial}: {damage.reason}")
    say(f"{count(result.trials, 'trial')} graded again; {count(len(result.changed), 'strict verdict')} changed")
    for line in result.changed:
        say(f"  {line}")
    for line in result.outdated:
        say(f"a label counts no more: {line}; seatrial label shows what is to be read")
    for line in result.counting:
        say(f"a label counts again: {line}")
    if result.left_out:
        say(f"not in the suite, grades kept: {', '.join(result.left_out)}")
    say(f"decision before and after: {after}" if before == after else f"decision before: {before}\ndecision after:  {after}")
