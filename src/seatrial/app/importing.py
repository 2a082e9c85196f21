"""Bring foreign recordings into a run file and grade them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from seatrial.app.judging import Judge
from seatrial.base import catalogue
from seatrial.base.errors import RunFileError
from seatrial.store import RunFile

TRACES_AT_ONCE = 50
"""Traces that are held while their grades wait to be stored together."""


@dataclass(frozen=True)
class Imported:
    """What an import brought.

    Args:
        tasks: Tasks written.
        traces: Traces written.
        notes: What the importer says of the source as a whole.
    """

    tasks: int
    traces: int
    notes: tuple[str, ...]


def import_run(form: str, source: Path, output: Path, *, fixture: Path | None = None) -> Imported:
    """Read a foreign recording, write it as a run file, and grade it.

    Args:
        form: Name of the importer, `-` and `_` alike.
        source: The recording.
        output: The run file to write; it must not exist.
        fixture: Folder with the fixture of the recorded world, for importers that use one.

    Raises:
        UsageError: There is no such importer.
        ForeignFormatError: The recording is not what it claims; nothing is left behind.
        RunFileError: The run file exists or cannot be written.
    """
    importer = catalogue.load("importer", form.replace("-", "_"))
    if output.exists():
        raise RunFileError(f"{output} exists; give another file with -o, or remove it")
    imported = importer.read(source, fixture)
    part = output.with_name(output.name + ".part")
    part.unlink(missing_ok=True)
    try:
        count = _write(part, imported)
        part.replace(output)
    finally:
        for leftover in _files(part):
            leftover.unlink(missing_ok=True)
    return Imported(len(imported.tasks), count, imported.manifest.notes)


def _write(path: Path, imported) -> int:  # noqa: ANN001 - importers.Imported, by whichever importer was named
    with RunFile.create(path, imported.manifest, imported.tasks) as file:
        judge, count = Judge.of_run(file), 0
        while batch := list(islice(imported.traces, TRACES_AT_ONCE)):
            for trace in batch:
                file.append(trace)
            file.put_grades(judge.grade(trace) for trace in batch)
            count += len(batch)
    return count


def _files(path: Path) -> Iterator[Path]:
    yield from (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm"), path.with_name(path.name + "-journal"))
