"""`seatrial regrade`: judge a stored run again, without the world."""

from __future__ import annotations

from pathlib import Path

import click

from seatrial.cli._options import json_option, print_json, run_argument


@click.command()
@run_argument
@click.option(
    "--suite",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Judge by this suite's contracts instead of the stored ones.",
)
@json_option
def command(run: Path, *, suite: Path | None, as_json: bool) -> None:
    """Judge every stored trace of a run again. Traces are never changed; the world is not needed."""
    from seatrial.app.loading import load
    from seatrial.app.regrade import regrade

    result = regrade(run, load(suite) if suite else None)
    if as_json:
        print_json(result)
        return
    click.echo(f"{result.trials} trials graded again; {len(result.changed)} strict verdicts changed")
    for line in result.changed:
        click.echo(f"  {line}")
    if result.left_out:
        click.echo(f"not in the suite, grades kept: {', '.join(result.left_out)}")
