"""Run files for other tools: Parquet (one row a trace, one row a step) for DuckDB, Polars and Spark, and CSV (one row a trial).

Rows are written in groups as they are read: a million traces need no more memory than a thousand.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from seatrial.base.errors import MissingExtra, RunFileError
from seatrial.records.task import Task
from seatrial.records.trace import Trace
from seatrial.store.columns import STEP_COLUMNS, TRACE_COLUMNS, VERDICT_COLUMNS, Column, Graded, StepOf
from seatrial.store.connection import refuse_to_replace
from seatrial.store.header import Header
from seatrial.store.pairing import paired
from seatrial.store.run_file import RunFile

_GROUP_ROWS = 4096
_GROUP_CHARACTERS = 16_000_000
"""A row group is written when it has this many rows, or this much text: a few huge arguments must not fill the memory."""


def export_parquet(run_file: RunFile, folder: Path | str, *, without: Collection[str] = ()) -> tuple[Path, Path]:
    """Write `traces.parquet` and `steps.parquet`, in place of earlier ones.

    Args:
        run_file: The run.
        folder: Where; it is made when it is missing.
        without: Ids of tasks whose trials are left out.

    Returns:
        The paths of the two files.

    Raises:
        MissingExtra: pyarrow is not installed.
        RunFileError: A trace is damaged, or the folder cannot be written.
    """
    folder = Path(folder)
    paths = folder / "traces.parquet", folder / "steps.parquet"
    with _Written(paths) as parts:
        folder.mkdir(parents=True, exist_ok=True)
        tasks = run_file.tasks()
        with _Table(parts[0], TRACE_COLUMNS) as traces, _Table(parts[1], STEP_COLUMNS) as steps:
            for trace, grade in run_file.graded():
                if trace.identity.task in without:
                    continue
                traces.add(Graded(trace, grade, tasks.get(trace.identity.task)))
                for step in _steps(trace):
                    steps.add(step)
    return paths


def export_csv(run_file: RunFile, path: Path | str, *, without: Collection[str] = ()) -> None:
    """Write one row a trial: its header, and the verdicts when it was graded.

    Args:
        run_file: The run.
        path: The CSV file (UTF-8, with a header line); an earlier one is replaced.
        without: Ids of tasks whose trials are left out.

    Raises:
        RunFileError: The run file is damaged, or the path cannot be written.
    """
    path = Path(path)
    tasks = run_file.tasks()
    with _Written((path,)) as (part,):
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([*_FACTS, *Header.__struct_fields__, *(column.name for column in VERDICT_COLUMNS)])
            for header, grade in paired(run_file.headers(), _trial_of_header, run_file.grades()):
                if header.task in without:
                    continue
                writer.writerow([*_facts(tasks.get(header.task)), *_values(header), *(column.value(grade) for column in VERDICT_COLUMNS)])


_FACTS = ("kind", "split", "stakes")


def _facts(task: Task | None) -> tuple[str, ...]:
    return tuple("" if task is None else getattr(task, name) for name in _FACTS)


def _values(header: Header) -> tuple[object, ...]:
    return tuple(getattr(header, name) for name in Header.__struct_fields__)


def _trial_of_header(header: Header) -> tuple[str, int]:
    return header.task, header.trial


def _steps(trace: Trace) -> Iterator[StepOf]:
    for number, attempt in enumerate(trace.attempts):
        yield from (StepOf(trace.identity, number, step) for step in attempt.steps)
    yield from (StepOf(trace.identity, None, step) for step in trace.steps)


class _Written:
    """Files that appear complete or not at all.

    Args:
        paths: Their names; what is written meanwhile is beside them, ending in `.part`. None may be a run file, a device or a folder.
    """

    def __init__(self, paths: tuple[Path, ...]) -> None:
        self._paths = paths
        self._parts = tuple(path.with_name(path.name + ".part") for path in paths)

    def __enter__(self) -> tuple[Path, ...]:
        for path in self._paths:
            refuse_to_replace(path)
        return self._parts

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if error is None:
            for part, path in zip(self._parts, self._paths, strict=True):
                part.replace(path)
            return
        for part in self._parts:
            with suppress(OSError):
                part.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise RunFileError(f"{self._paths[0].parent}: exporting failed: {error}. Choose another folder, or free some space") from error


class _Table:
    """A Parquet file in the making.

    Args:
        path: The file.
        columns: Its columns.
    """

    def __init__(self, path: Path, columns: tuple[Column, ...]) -> None:
        arrow, parquet = _pyarrow()
        self._columns = columns
        self._schema = arrow.schema([(column.name, arrow.type_for_alias(column.type)) for column in columns])
        self._from_arrays = arrow.RecordBatch.from_arrays
        self._array = arrow.array
        self._writer = parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._rows: list[list[Any]] = []
        self._characters = 0

    def add(self, source: Graded | StepOf) -> None:
        """Add the row of one trace or step."""
        row = [column.value(source) for column in self._columns]
        self._rows.append(row)
        self._characters += sum(len(value) for value in row if type(value) is str)
        if len(self._rows) >= _GROUP_ROWS or self._characters >= _GROUP_CHARACTERS:
            self._flush()

    def __enter__(self) -> _Table:  # noqa: PYI034 - private, never inherited
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if error is None:
            self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            arrays = [
                self._array(list(values), type=field.type)
                for values, field in zip(zip(*self._rows, strict=True), self._schema, strict=True)
            ]
            self._writer.write_batch(self._from_arrays(arrays, schema=self._schema))
        self._rows, self._characters = [], 0


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("pyarrow", "parquet") from error
    return pa, parquet
