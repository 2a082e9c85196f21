"""`seatrial regrade`: judge a stored run again, without the world."""

from __future__ import annotations

from pathlib import Path

import click

from seatrial.cli._options import json_option, print_json, run_argument
from seatrial.cli._speech import others_on_stderr, say


@click.command()
@run_argument
@click.option(
    "--suite",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Judge by this suite's contracts instead of the stored ones.",
)
@click.option(
    "--discard-damaged", is_flag=True, help="First take out the trials that cannot be read; running again on the same file repeats them."
)
@json_option
def command(run: Path, *, suite: Path | None, discard_damaged: bool, as_json: bool) -> None:
    """Judge every stored trace of a run again. Traces are never changed; the world is not needed."""
    from seatrial.app.loading import load
    from seatrial.app.regrade import regrade

    with others_on_stderr():
        loaded = load(suite) if suite else None
    result = regrade(run, loaded, discard_damaged=discard_damaged)
    if as_json:
        print_json(result)
        return
    for damage in result.discarded:
        say(f"taken out: {damage.task}#{damage.trial}: {damage.reason}")
    say(f"{result.trials} trials graded again; {len(result.changed)} strict verdicts changed")
    for line in result.changed:
        say(f"  {line}")
    if result.left_out:
        say(f"not in the suite, grades kept: {', '.join(result.left_out)}")
