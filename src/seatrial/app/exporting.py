"""Write a run as tables, and its labels line by line."""

from __future__ import annotations

from pathlib import Path

from seatrial.app.writing import write_report
from seatrial.records.label import encode as label_json
from seatrial.store import RunFile
from seatrial.store.export import export_csv, export_parquet


def export(run: Path, *, parquet: Path | None = None, csv_file: Path | None = None, labels_file: Path | None = None) -> tuple[Path, ...]:
    """Write a run as Parquet or CSV, its labels as JSON lines, or all of them.

    Args:
        run: The run file.
        parquet: Folder for `traces.parquet` and `steps.parquet`; `None`: no Parquet.
        csv_file: File for one row a trial; `None`: no CSV.
        labels_file: File for one label a line, in the order in which they were given; `None`: none.

    Returns:
        The files written.

    Raises:
        MissingExtra: Parquet was asked for and pyarrow is not installed.
        RunFileError: The run file cannot be read.
    """
    written: list[Path] = []
    with RunFile.open(run) as file:
        if parquet is not None:
            parquet.mkdir(parents=True, exist_ok=True)
            export_parquet(file, parquet)
            written += [parquet / "traces.parquet", parquet / "steps.parquet"]
        if csv_file is not None:
            export_csv(file, csv_file)
            written.append(csv_file)
        if labels_file is not None:
            write_report("".join(f"{label_json(label).decode()}\n" for label in file.labels()), labels_file)
            written.append(labels_file)
    return tuple(written)
