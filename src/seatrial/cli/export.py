"""`seatrial export`: tables for DuckDB, Polars, Spark, and the labels of reviewers."""

from __future__ import annotations

from pathlib import Path

import click

from seatrial.cli._options import json_option, print_json, run_argument
from seatrial.cli._speech import say


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
@json_option
def command(run: Path, *, parquet: Path | None, csv_file: Path | None, labels_file: Path | None, as_json: bool) -> None:
    """Write a run as tables: one row a trace and one row a step (Parquet), one row a trial (CSV), or one label a line (JSON)."""
    from seatrial.app.exporting import export

    if parquet is None and csv_file is None and labels_file is None:
        raise click.UsageError("say what to write: --parquet FOLDER, --csv FILE or --labels FILE")
    written = export(run, parquet=parquet, csv_file=csv_file, labels_file=labels_file)
    if as_json:
        print_json([str(path) for path in written])
    else:
        say("\n".join(f"wrote {path}" for path in written))
