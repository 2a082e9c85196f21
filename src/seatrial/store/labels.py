"""The labels of a run in its file: rows that are added and never changed, each the JSON of one label."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import apsw
import msgspec

from seatrial.base.errors import RunFileError
from seatrial.records import label as labels
from seatrial.records.label import Label
from seatrial.store.migrations import CURRENT, migrate_record
from seatrial.store.queries import all_rows


def store_labels(connection: apsw.Connection, added: Iterable[Label], path: Path) -> None:
    """Add labels behind those that are there; raises `RunFileError` when one is no JSON that can be read back."""
    for label in added:
        body = _encoded(label, path)
        connection.execute(_INSERT, (label.task, label.trial, label.verdict, label.by, label.at, CURRENT["label"], body))


def read_labels(connection: apsw.Connection, path: Path, task: str | None = None, trial: int = 0) -> tuple[Label, ...]:
    """Return labels in the order in which they were given; raises `RunFileError` when one is damaged.

    Args:
        connection: The run file.
        path: Its name, for errors.
        task: Only those on a trial of this task; `None`: all.
        trial: Which trial of it.
    """
    rows = all_rows(connection, _ALL) if task is None else all_rows(connection, _OF_TRIAL, (task, trial))
    return tuple(_decoded(number, shape, body, path) for number, shape, body in rows)


def _encoded(label: Label, path: Path) -> str:
    try:
        data = labels.encode(label)
        labels.decode(data)
        return data.decode()
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise RunFileError(f"{path}: the label of {label.by!r} cannot be stored: it is no JSON that can be read back ({error})") from error


def _decoded(number: int, shape: int, body: str, path: Path) -> Label:
    try:
        return labels.decode(migrate_record("label", shape, body.encode()))
    except (LookupError, msgspec.MsgspecError, UnicodeError) as error:
        raise RunFileError(f"{path}: label {number} cannot be read: {error}. Copy the file again from where it came") from error


_INSERT = "INSERT INTO labels(task, trial, verdict, reviewer, labelled_at, shape, body) VALUES (?, ?, ?, ?, ?, ?, ?)"
_ALL = "SELECT id, shape, body FROM labels ORDER BY id"
_OF_TRIAL = "SELECT id, shape, body FROM labels WHERE task = ? AND trial = ? ORDER BY id"
