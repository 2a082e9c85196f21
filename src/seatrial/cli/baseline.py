"""`seatrial baseline`: which run a suite's candidates are held against."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from seatrial.cli._options import json_option, print_json, run_argument, suite_argument
from seatrial.cli._speech import say

if TYPE_CHECKING:
    from seatrial.records.decision import BaselinePin


@click.group()
def command() -> None:
    """Pin the run that a suite's candidates are held against, or show which one is.

    The pin is a file in the suite's folder, baseline.json, to be versioned with it. Every run that is planned later carries it.
    """


@command.command("set")
@suite_argument
@run_argument
@click.option("--by", required=True, metavar="NAME", help="Who approves it.")
@click.option("--why", default="", metavar="TEXT", help="Why this run.")
@json_option
def set_(suite: Path, run: Path, *, by: str, why: str, as_json: bool) -> None:
    """Pin RUN, a whole run of SUITE, as its baseline."""
    from seatrial.app.baselines import set_baseline

    pin, summary = set_baseline(suite, run, by=by, why=why)
    if as_json:
        print_json(pin)
        return
    _print(pin)
    if summary.decision is not None and summary.decision.value != "pass":
        say(f"note: the gate does not pass this run by itself: {summary.decision.sentence}")
    say("next: run a candidate; its run carries this pin, and seatrial gate holds it against it")


@command.command("show")
@suite_argument
@json_option
def show(suite: Path, *, as_json: bool) -> None:
    """Show the baseline of SUITE: which run, when, and who approved it."""
    from seatrial.app.baselines import read_pin

    pin = read_pin(suite)
    if as_json:
        print_json(pin)
    elif pin is None:
        say(f"{suite} has no baseline: seatrial baseline set {suite} RUN --by NAME")
    else:
        _print(pin)


def _print(pin: BaselinePin) -> None:
    say(f"baseline:    {pin.run} ({pin.candidate})")
    say(f"approved by: {pin.by}, {pin.on}{f': {pin.why}' if pin.why else ''}")
    say(f"models:      {', '.join(pin.models) if pin.models else 'none that a provider named'}")
    say(f"content:     {pin.hash}")
