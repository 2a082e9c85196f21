"""Write a run as tables, and its labels line by line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from seatrial.app.disclosure import opened
from seatrial.app.withholding import held_of
from seatrial.app.writing import write_report
from seatrial.records.label import encode as label_json
from seatrial.store.export import export_csv, export_parquet


@dataclass(frozen=True)
class Exported:
    """What was written.

    Args:
        files: The files.
        withheld: Trials of holdout tasks that are in none of them.
    """

    files: tuple[Path, ...]
    withheld: int = 0


def export(
    run: Path, *, parquet: Path | None = None, csv_file: Path | None = None, labels_file: Path | None = None, reveal: bool = False
) -> Exported:
    """Write a run as Parquet or CSV, its labels as JSON lines, or all of them.

    Args:
        run: The run file.
        parquet: Folder for `traces.parquet` and `steps.parquet`; `None`: no Parquet.
        csv_file: File for one row a trial; `None`: no CSV.
        labels_file: File for one label a line, in the order in which they were given; `None`: none.
        reveal: Whether trials of holdout tasks, and labels on them, are written too.

    Returns:
        The files written, and how many trials are in none of them.

    Raises:
        MissingExtra: Parquet was asked for and pyarrow is not installed.
        RunFileError: The run file cannot be read.
    """
    written: list[Path] = []
    with opened(run, reveal=reveal) as file:
        held = held_of(() if reveal else file.tasks().values())
        if parquet is not None:
            parquet.mkdir(parents=True, exist_ok=True)
            export_parquet(file, parquet, without=held)
            written += [parquet / "traces.parquet", parquet / "steps.parquet"]
        if csv_file is not None:
            export_csv(file, csv_file, without=held)
            written.append(csv_file)
        if labels_file is not None:
            lines = (f"{label_json(label).decode()}\n" for label in file.labels() if label.task not in held)
            write_report("".join(lines), labels_file)
            written.append(labels_file)
        withheld = sum(header.task in held for header in file.headers()) if held else 0
    return Exported(tuple(written), withheld)
