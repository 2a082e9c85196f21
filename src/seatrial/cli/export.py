"""`seatrial export`: tables for DuckDB, Polars, Spark, and the labels of reviewers."""

from __future__ import annotations

from pathlib import Path

import click

from seatrial.base.wording import count
from seatrial.cli._options import json_option, print_json, run_argument
from seatrial.cli._reveal import Looking, reveal_options
from seatrial.cli._speech import say, tell


@click.command()
@run_argument
@click.option(
    "--parquet",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write traces.parquet and steps.parquet into this folder.",
)
@click.option(
    "--csv", "csv_file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write one row a trial into this file."
)
@click.option(
    "--labels",
    "labels_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write one label a line (JSON) into it.",
)
@reveal_options
@json_option
def command(run: Path, *, parquet: Path | None, csv_file: Path | None, labels_file: Path | None, as_json: bool, **looking: object) -> None:
    """Write a run as tables: one row a trace and one row a step (Parquet), one row a trial (CSV), or one label a line (JSON)."""
    from seatrial.app.exporting import export

    if parquet is None and csv_file is None and labels_file is None:
        raise click.UsageError("say what to write: --parquet FOLDER, --csv FILE or --labels FILE")
    look = Looking(**looking)  # type: ignore[arg-type] - the names are those of the options
    look.enter(run, "export")
    exported = export(run, parquet=parquet, csv_file=csv_file, labels_file=labels_file, reveal=look.reveal)
    if as_json:
        print_json([str(path) for path in exported.files])
    else:
        say("\n".join(f"wrote {path}" for path in exported.files))
    if exported.withheld:
        tell(f"{count(exported.withheld, 'trial')} of holdout tasks withheld; --reveal writes them too")
