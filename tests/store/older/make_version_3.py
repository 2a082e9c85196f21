"""Makes `version_3.sqlite`, a run file as the third version of the store wrote it: with labels, without signatures.

    python -m tests.store.older.make_version_3 PATH

It stands on its own, because the store moves on and the file must not: no table, record or constant of seatrial is used.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import zstandard

TABLES = """
PRAGMA page_size = 1024;
PRAGMA application_id = 1397047636;
PRAGMA user_version = 3;
CREATE TABLE manifest(
    id INTEGER PRIMARY KEY CHECK (id = 1), unfolded INTEGER NOT NULL DEFAULT 0, shape INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
CREATE TABLE tasks(
    id INTEGER PRIMARY KEY, task TEXT NOT NULL UNIQUE, contract TEXT NOT NULL, shape INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
CREATE TABLE dictionaries(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, body BLOB NOT NULL) STRICT;
CREATE TABLE trials(
    id INTEGER PRIMARY KEY, task TEXT NOT NULL, trial INTEGER NOT NULL, contract TEXT NOT NULL, candidate TEXT NOT NULL,
    status TEXT NOT NULL, calls INTEGER NOT NULL, seconds REAL NOT NULL, usd REAL, tokens INTEGER, attempts INTEGER NOT NULL,
    steps INTEGER NOT NULL, dictionary INTEGER NOT NULL, shape INTEGER NOT NULL, body BLOB NOT NULL, UNIQUE (task, trial)) STRICT;
CREATE TABLE grades(
    id INTEGER PRIMARY KEY, task TEXT NOT NULL, trial INTEGER NOT NULL, grader TEXT NOT NULL, contract TEXT NOT NULL,
    dictionary INTEGER NOT NULL, shape INTEGER NOT NULL, body BLOB NOT NULL, UNIQUE (task, trial)) STRICT;
CREATE TABLE labels(
    id INTEGER PRIMARY KEY, task TEXT NOT NULL, trial INTEGER NOT NULL, verdict TEXT NOT NULL, reviewer TEXT NOT NULL,
    labelled_at TEXT NOT NULL, shape INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
CREATE INDEX labels_by_trial ON labels(task, trial);
CREATE TRIGGER labels_are_never_changed BEFORE UPDATE ON labels BEGIN SELECT RAISE(ABORT, 'a label is never changed: add another'); END;
CREATE TRIGGER labels_are_never_removed BEFORE DELETE ON labels BEGIN SELECT RAISE(ABORT, 'a label is never removed: add another'); END;
CREATE TRIGGER labels_are_never_replaced BEFORE INSERT ON labels WHEN EXISTS (SELECT 1 FROM labels WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'a label is never replaced: add another'); END;
"""
CONTRACT = "0" * 32
MANIFEST = {
    "suite": "claims",
    "suite_version": "1",
    "suite_hash": "s",
    "candidate": {"name": "baseline", "version": "1"},
    "seed": 7,
    "plan": [{"task": "water-000", "contract": CONTRACT, "trials": 1}],
    "version": 1,
}
TASK = {"id": "water-000", "input": "A pipe burst."}
TRACE = {
    "identity": {
        "suite": "claims",
        "task": "water-000",
        "contract": CONTRACT,
        "candidate": "baseline",
        "candidate_hash": "",
        "trial": 0,
        "seed": 11,
    },
    "status": "completed",
    "steps": [{"step": "user", "sequence": 0, "text": "A pipe burst."}, {"step": "agent", "sequence": 1, "text": "Done."}],
}
LABEL = {
    "task": "water-000",
    "trial": 0,
    "trace": CONTRACT,
    "verdict": "safe",
    "by": "Anna",
    "note": "read it",
    "at": "2026-11-30T12:00:00Z",
}


def make(path: Path) -> None:
    """Write the file."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(TABLES)
        connection.execute("INSERT INTO manifest(id, shape, body) VALUES (1, 1, ?)", (_packed(MANIFEST),))
        connection.execute("INSERT INTO tasks(task, contract, shape, body) VALUES ('water-000', ?, 1, ?)", (CONTRACT, _packed(TASK)))
        header = ("water-000", 0, CONTRACT, "baseline", "completed", 0, 0.0, None, None, 0, 2, 0, 1)
        connection.execute(f"INSERT INTO trials VALUES (NULL, {', '.join('?' * 14)})", (*header, _packed(TRACE)))
        label = ("water-000", 0, "safe", "Anna", "2026-11-30T12:00:00Z", 1, json.dumps(LABEL, separators=(",", ":")))
        connection.execute(f"INSERT INTO labels VALUES (NULL, {', '.join('?' * 7)})", label)


def _packed(record: dict) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(json.dumps(record, separators=(",", ":")).encode())


if __name__ == "__main__":
    make(Path(sys.argv[1]))
