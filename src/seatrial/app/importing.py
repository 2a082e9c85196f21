"""Bring foreign recordings into a run file and grade them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from msgspec import Struct, structs

from seatrial.app.judging import Judge
from seatrial.app.loading import LoadedSuite, load
from seatrial.app.recorded import as_run_of
from seatrial.app.redacting import redacted_manifest, redacted_task, redacted_trace, redactor_for
from seatrial.base import catalogue
from seatrial.base.errors import RunFileError
from seatrial.importers import Imported as Foreign
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


def import_run(form: str, source: Path, output: Path, *, fixture: Path | None = None, suite: Path | None = None) -> Imported:
    """Read a foreign recording, write it as a run file, and grade it.

    Args:
        form: Name of the importer, `-` and `_` alike.
        source: The recording.
        output: The run file to write; it must not exist.
        fixture: Folder with the fixture of the recorded world, for importers that use one.
        suite: Folder of a suite whose tools and rules the recording is judged by; its own tasks, if it has any, are not looked at.
            `None`: the importer's.

    Raises:
        UsageError: There is no such importer or suite, or the suite has none of the recording's tools.
        SuiteError: Something in the suite is wrong.
        ForeignFormatError: The recording is not what it claims; nothing is left behind.
        RunFileError: The run file exists or cannot be written.
    """
    importer = catalogue.load("importer", form.replace("-", "_"))
    if output.exists():
        raise RunFileError(f"{output} exists; give another file with -o, or remove it")
    loaded = None if suite is None else load(suite, recorded=True)
    imported = importer.read(source, fixture)
    if loaded is not None:
        imported = as_run_of(loaded, imported, fixture)
    part = output.with_name(output.name + ".part")
    part.unlink(missing_ok=True)
    try:
        count = _write(part, imported, loaded)
        part.replace(output)
    finally:
        for leftover in _files(part):
            leftover.unlink(missing_ok=True)
    return Imported(len(imported.tasks), count, imported.manifest.notes)


@dataclass(frozen=True)
class ImportedRun:
    """One run of an import of many.

    Args:
        candidate: Name of its candidate.
        run: Path of its run file.
        tasks: Tasks written.
        traces: Traces written.
        notes: What the importer says of it.
    """

    candidate: str
    run: str
    tasks: int
    traces: int
    notes: tuple[str, ...]


def import_all(form: str, source: Path, folder: Path, options: Struct) -> tuple[ImportedRun, ...]:
    """Read a foreign file with many runs and write one run file a candidate, graded; all of them or none.

    Args:
        form: Name of the importer, `-` and `_` alike.
        source: The file.
        folder: Folder for the run files, each named after its candidate; it is made where it is not there.
        options: What the user says of the file, an `Options` of the importer.

    Raises:
        UsageError: There is no such importer.
        ForeignFormatError: The file is not what it claims; nothing is left behind.
        RunFileError: A run file exists or cannot be written.
    """
    importer = catalogue.load("importer", form.replace("-", "_"))
    runs = [(imported, folder / f"{imported.manifest.candidate.name}.seatrial") for imported in importer.read_all(source, options)]
    for _, path in runs:
        if path.exists():
            raise RunFileError(f"{path} exists; give another folder with -o, or remove it")
    made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    try:
        found = [_imported_run(imported, path, written) for imported, path in runs]
        for part, (_, path) in zip(written, runs, strict=True):
            part.replace(path)
    except BaseException:
        for leftover in (file for part in written for file in _files(part)):
            leftover.unlink(missing_ok=True)
        if made and not any(folder.iterdir()):
            folder.rmdir()
        raise
    return tuple(found)


def _imported_run(imported: Foreign, path: Path, written: list[Path]) -> ImportedRun:
    """Write one run under its passing name, which is noted first."""
    part = path.with_name(path.name + ".part")
    written.append(part)
    for leftover in _files(part):
        leftover.unlink(missing_ok=True)
    count = _write(part, imported, None)
    return ImportedRun(imported.manifest.candidate.name, str(path), len(imported.tasks), count, imported.manifest.notes)


def _write(path: Path, imported: Foreign, loaded: LoadedSuite | None) -> int:
    redactor = None if loaded is None else redactor_for(loaded)
    fingerprint = redactor.fingerprint if redactor is not None else ""
    manifest = redacted_manifest(structs.replace(imported.manifest, redaction=fingerprint), redactor)
    with RunFile.create(path, manifest, [redacted_task(task, redactor) for task in imported.tasks]) as file:
        judge, count = _judge(file, loaded), 0
        while batch := [redacted_trace(trace, redactor) for trace in islice(imported.traces, TRACES_AT_ONCE)]:
            for trace in batch:
                file.append(trace)
            file.put_grades(judge.grade(trace) for trace in batch)
            count += len(batch)
        if len(judge.forms) > len(manifest.normal_forms):
            file.replan(structs.replace(manifest, normal_forms=judge.forms.all()), ())
    return count


def _judge(file: RunFile, loaded: LoadedSuite | None) -> Judge:
    """Return the judge of what was stored; with a suite at hand its own functions judge, too."""
    if loaded is None:
        return Judge.of_run(file)
    return Judge.of_suite(loaded, file.tasks(), tools=file.manifest.tools, documents=file.manifest.documents)


def _files(path: Path) -> Iterator[Path]:
    yield from (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm"), path.with_name(path.name + "-journal"))
