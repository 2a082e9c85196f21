"""`seatrial sign`: answer, by name, for a slice that a gate finds suspect."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from seatrial.cli._options import FILE, json_option, print_json, run_argument
from seatrial.cli._speech import say, tell

LIFTS = {
    "suspect": "",
    "": ": it is not suspect against this baseline, so this signature lifts nothing",
    None: ": the baseline's file is not there, so whether it is suspect, and the signature lifts anything, is not known",
}
"""What the slice is → what there is to say of a signature on it."""


@click.command()
@run_argument
@click.option("--slice", "slice_", required=True, metavar="NAME=VALUE", help="The suspect slice.")
@click.option("--name", required=True, metavar="NAME", help="Who has read the flipped traces and answers for it.")
@click.option("--reason", required=True, metavar="TEXT", help="What they show, and why the run may pass all the same.")
@click.option(
    "--baseline",
    type=FILE,
    metavar="RUN",
    help="The run that the slice is suspect against; without it: the one that was pinned when RUN was planned.",
)
@json_option
def command(run: Path, *, slice_: str, name: str, reason: str, baseline: Path | None, as_json: bool) -> None:
    """Sign a suspect slice, after reading the traces that flipped: the gate then asks no more about it.

    A signature counts for the trials that RUN holds now, as they are judged now, and against this baseline: with other trials, grades or
    another baseline, other traces have flipped. It lifts no violation, and a confirmed drop cannot be signed. A signature is never
    changed or removed.
    """
    from seatrial.app.signing import sign

    signed = sign(run, slice_, by=name, reason=reason, baseline=baseline)
    told = f"signed {signed.signature.slice}, by {signed.signature.by}{LIFTS[signed.alarm]}"
    if as_json:
        print_json(signed.signature)
        tell(told)
        return
    say(told)
    against = f" --baseline {shlex.quote(str(baseline))}" if baseline is not None else ""
    say(f"next: seatrial gate {shlex.quote(str(run))}{against}{'' if signed.asked else ' --policy FILE'}")
