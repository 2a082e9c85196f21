"""The plan of a run in its file: the manifest and the tasks, each a zstd body without a dictionary."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import apsw
import msgspec

from seatrial.base.errors import RunFileError
from seatrial.records.manifest import Manifest
from seatrial.records.task import Task
from seatrial.store.migrations import CURRENT, migrate_record
from seatrial.store.packing import BodyError, Packer
from seatrial.store.queries import all_rows, one_row

Record = TypeVar("Record", Manifest, Task)


def store_manifest(connection: apsw.Connection, manifest: Manifest, path: Path) -> None:
    """Store the manifest in place of an earlier one; raises `RunFileError` when it is no JSON that can be read back."""
    body = _packed(manifest, _MANIFESTS, path, "the manifest")
    connection.execute(_PUT_MANIFEST, (CURRENT["manifest"], body))


def store_tasks(connection: apsw.Connection, tasks: Iterable[Task], path: Path) -> None:
    """Store tasks; raises `RunFileError` when two have one id, or one is no JSON that can be read back."""
    for task in tasks:
        body = _packed(task, _TASKS, path, f"task {task.id!r}")
        try:
            connection.execute(_INSERT, (task.id, task.contract_hash, CURRENT["task"], body))
        except apsw.ConstraintError as error:
            raise RunFileError(f"{path}: two tasks have the id {task.id!r}. Give each task an id of its own") from error


def read_manifest(connection: apsw.Connection, path: Path) -> Manifest:
    """Return the manifest; raises `RunFileError` when it is missing or damaged."""
    row = one_row(connection, "SELECT shape, body FROM manifest")
    if row is None:
        raise RunFileError(f"{path}: it has no manifest; it was changed by another program. Copy it again from where it came")
    return _unpacked("manifest", (row[0], row[1]), _MANIFESTS, path, "its manifest")


def read_tasks(connection: apsw.Connection, path: Path) -> dict[str, Task]:
    """Return the tasks by id, in the order they were stored; raises `RunFileError` when one is damaged."""
    rows = all_rows(connection, "SELECT task, shape, body FROM tasks ORDER BY id")
    return {task: _unpacked("task", (shape, body), _TASKS, path, f"task {task!r}") for task, shape, body in rows}


def read_contracts(connection: apsw.Connection) -> dict[str, str]:
    """Return the contract hash of every task by its id."""
    return dict(all_rows(connection, "SELECT task, contract FROM tasks ORDER BY id"))


def _packed(record: Record, decoder: msgspec.json.Decoder[Record], path: Path, what: str) -> bytes:
    try:
        data = msgspec.json.encode(record)
        decoder.decode(data)
        return _PACKER.pack(data)
    except (BodyError, msgspec.MsgspecError, UnicodeError, RecursionError, TypeError, ValueError, OverflowError) as error:
        raise RunFileError(f"{path}: {what} cannot be stored: it is no JSON that can be read back ({error})") from error


def _unpacked(kind: str, row: tuple[int, bytes], decoder: msgspec.json.Decoder[Record], path: Path, what: str) -> Record:
    try:
        return decoder.decode(migrate_record(kind, row[0], _PACKER.unpack(0, row[1])))
    except (BodyError, LookupError, msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise RunFileError(f"{path}: {what} cannot be read: {error}. Copy the file again from where it came") from error


_PACKER = Packer(lambda _: None)
_MANIFESTS = msgspec.json.Decoder(Manifest)
_TASKS = msgspec.json.Decoder(Task)
_PUT_MANIFEST = (
    "INSERT INTO manifest(id, shape, body) VALUES (1, ?, ?) ON CONFLICT(id) DO UPDATE SET shape = excluded.shape, body = excluded.body"
)
_INSERT = "INSERT INTO tasks(task, contract, shape, body) VALUES (?, ?, ?, ?)"
