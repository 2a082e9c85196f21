"""Write a run as tables."""

from __future__ import annotations

from pathlib import Path

from seatrial.store import RunFile
from seatrial.store.export import export_csv, export_parquet


def export(run: Path, *, parquet: Path | None = None, csv_file: Path | None = None) -> tuple[Path, ...]:
    """Write a run as Parquet, as CSV, or as both.

    Args:
        run: The run file.
        parquet: Folder for `traces.parquet` and `steps.parquet`; `None`: no Parquet.
        csv_file: File for one row a trial; `None`: no CSV.

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
    return tuple(written)
