"""`seatrial import`: foreign recordings into a run file."""

from __future__ import annotations

from pathlib import Path

import click

from seatrial.base.wording import count
from seatrial.cli._options import RunFileName, json_option, print_json
from seatrial.cli._speech import say


@click.command(name="import")
@click.argument("form", metavar="FORMAT")
@click.argument("results", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--fixture",
    "--data",
    "fixture",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder with the fixture of the recorded world.",
)
@click.option(
    "--suite",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of a suite whose tools and rules the recording is judged by; the recording brings the tasks.",
)
@click.option("-o", "--output", type=RunFileName(dir_okay=False), required=True, help="Run file to write.")
@json_option
def command(form: str, results: Path, *, fixture: Path | None, suite: Path | None, output: Path, as_json: bool) -> None:
    """Read RESULTS in a foreign FORMAT (tau-bench) and write a run file: same traces, our grading."""
    from seatrial.app.importing import import_run

    imported = import_run(form, results, output, fixture=fixture, suite=suite)
    if as_json:
        print_json(imported)
        return
    say(f"{count(imported.traces, 'trial')} of {count(imported.tasks, 'task')} written to {output}")
    for note in imported.notes:
        say(f"  {note}")
    say(f"next: seatrial report {output}")
