"""Older files: how each version of the store and of each record becomes the next. Append only; a step is never changed.

`STORE[i]` turns a file of store version i + 1 into version i + 2. `SHAPES[kind][i]` turns the JSON of a record of shape i into
shape i + 1. Steps stand on their own: they use no table and no record of the current version, which moves on.
"""

from __future__ import annotations

from collections.abc import Callable

import apsw
import msgspec
import zstandard
from msgspec import Raw, Struct

from seatrial.records.decision import SIGNATURE_VERSION
from seatrial.records.grade import GRADE_VERSION
from seatrial.records.label import LABEL_VERSION
from seatrial.records.manifest import MANIFEST_VERSION
from seatrial.records.task import TASK_VERSION
from seatrial.records.trace import TRACE_VERSION
from seatrial.store.queries import all_rows, one_value

Fields = dict[str, Raw]
"""A record's fields with their JSON as it was written: what a step does not touch keeps its bytes."""

CURRENT = {
    "trace": TRACE_VERSION,
    "grade": GRADE_VERSION,
    "task": TASK_VERSION,
    "manifest": MANIFEST_VERSION,
    "label": LABEL_VERSION,
    "signature": SIGNATURE_VERSION,
}
"""Kind of record → the shape that this seatrial writes."""


def _store_2(connection: apsw.Connection) -> None:
    """Version 1 had no grades, counted no steps and attempts, and said neither the shape of its records nor whether it was folded."""
    connection.execute("ALTER TABLE manifest ADD COLUMN shape INTEGER NOT NULL DEFAULT 1")
    connection.execute("ALTER TABLE manifest ADD COLUMN unfolded INTEGER NOT NULL DEFAULT 0")
    connection.execute("ALTER TABLE tasks ADD COLUMN shape INTEGER NOT NULL DEFAULT 1")
    connection.execute("ALTER TABLE trials ADD COLUMN shape INTEGER NOT NULL DEFAULT 0")
    connection.execute("ALTER TABLE trials ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0")
    connection.execute("ALTER TABLE trials ADD COLUMN steps INTEGER NOT NULL DEFAULT 0")
    connection.execute("ALTER TABLE dictionaries ADD COLUMN kind TEXT NOT NULL DEFAULT 'trace'")
    connection.execute(
        "CREATE TABLE grades(id INTEGER PRIMARY KEY, task TEXT NOT NULL, trial INTEGER NOT NULL, grader TEXT NOT NULL, "
        "contract TEXT NOT NULL, dictionary INTEGER NOT NULL, shape INTEGER NOT NULL, body BLOB NOT NULL, UNIQUE (task, trial)) STRICT"
    )
    _count_steps(connection)


class _Counted(Struct):
    """The two lists of a trace that version 2 counts in its header."""

    steps: list[Raw] = []
    attempts: list[Raw] = []


def _count_steps(connection: apsw.Connection) -> None:
    unpack = {0: zstandard.ZstdDecompressor()}
    for number, data in all_rows(connection, "SELECT id, body FROM dictionaries"):
        unpack[number] = zstandard.ZstdDecompressor(dict_data=zstandard.ZstdCompressionDict(data))
    decoder = msgspec.json.Decoder(_Counted)
    for row, dictionary in all_rows(connection, "SELECT id, dictionary FROM trials"):
        body = one_value(connection, "SELECT body FROM trials WHERE id = ?", (row,))
        try:
            counted = decoder.decode(unpack[dictionary].decompress(body))
        except (KeyError, zstandard.ZstdError, msgspec.MsgspecError):
            # A damaged row is told when it is read; it must not keep the others from being migrated.
            continue
        connection.execute("UPDATE trials SET steps = ?, attempts = ? WHERE id = ?", (len(counted.steps), len(counted.attempts), row))


def _trace_1(fields: Fields) -> Fields:
    """Shape 0 called `status_reason` `reason`."""
    return {"status_reason" if name == "reason" else name: value for name, value in fields.items()}


def _store_3(connection: apsw.Connection) -> None:
    """Version 2 had no labels."""
    connection.execute(
        "CREATE TABLE labels(id INTEGER PRIMARY KEY, task TEXT NOT NULL, trial INTEGER NOT NULL, verdict TEXT NOT NULL, "
        "reviewer TEXT NOT NULL, labelled_at TEXT NOT NULL, shape INTEGER NOT NULL, body TEXT NOT NULL) STRICT"
    )
    connection.execute("CREATE INDEX labels_by_trial ON labels(task, trial)")
    for event, done in (("UPDATE", "changed"), ("DELETE", "removed")):
        connection.execute(
            f"CREATE TRIGGER labels_are_never_{done} BEFORE {event} ON labels "
            f"BEGIN SELECT RAISE(ABORT, 'a label is never {done}: add another'); END"
        )
    connection.execute(
        "CREATE TRIGGER labels_are_never_replaced BEFORE INSERT ON labels WHEN EXISTS (SELECT 1 FROM labels WHERE id = NEW.id) "
        "BEGIN SELECT RAISE(ABORT, 'a label is never replaced: add another'); END"
    )


def _store_4(connection: apsw.Connection) -> None:
    """Version 3 had no signatures."""
    connection.execute(
        "CREATE TABLE signatures(id INTEGER PRIMARY KEY, slice TEXT NOT NULL, signatory TEXT NOT NULL, signed_at TEXT NOT NULL, "
        "shape INTEGER NOT NULL, body TEXT NOT NULL) STRICT"
    )
    for event, done in (("UPDATE", "changed"), ("DELETE", "removed")):
        connection.execute(
            f"CREATE TRIGGER signatures_are_never_{done} BEFORE {event} ON signatures "
            f"BEGIN SELECT RAISE(ABORT, 'a signature is never {done}: add another'); END"
        )
    connection.execute(
        "CREATE TRIGGER signatures_are_never_replaced BEFORE INSERT ON signatures WHEN EXISTS (SELECT 1 FROM signatures WHERE id = NEW.id) "
        "BEGIN SELECT RAISE(ABORT, 'a signature is never replaced: add another'); END"
    )


STORE: tuple[Callable[[apsw.Connection], None], ...] = (_store_2, _store_3, _store_4)
STORE_VERSION = 1 + len(STORE)
"""SQLite `user_version` of the files that this seatrial writes."""

SHAPES: dict[str, tuple[Callable[[Fields], Fields], ...]] = {"trace": (_trace_1,)}
"""Kind of record → its steps; a kind without an entry has had one shape only."""


def migrate_store(connection: apsw.Connection, version: int) -> None:
    """Bring the tables of an open file to the current version, all in one transaction.

    Args:
        connection: The file, open for writing.
        version: The store version it has now, from 1.

    Raises:
        apsw.Error: A step failed; the file is as it was.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in STORE[version - 1 :]:
            step(connection)
        connection.pragma("user_version", STORE_VERSION)
        connection.execute("COMMIT")
    except BaseException:
        # SQLite has rolled back already when the disk was full.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def migrate_record(kind: str, shape: int, data: bytes) -> bytes:
    """Return the JSON of a record brought to the current shape.

    Args:
        kind: One of `CURRENT`.
        shape: The shape that the JSON has.
        data: The JSON.

    Raises:
        msgspec.MsgspecError: The JSON is not an object.
        LookupError: The shape is newer than this seatrial, or was never written.
    """
    steps, first = SHAPES.get(kind, ()), CURRENT[kind] - len(SHAPES.get(kind, ()))
    if not first <= shape <= CURRENT[kind]:
        raise LookupError(f"its {kind} has version {shape}; this seatrial reads {first} to {CURRENT[kind]}")
    if shape == CURRENT[kind]:
        return data
    fields = msgspec.json.decode(data, type=Fields)
    for step in steps[shape - first :]:
        fields = step(fields)
    return msgspec.json.encode(fields)
