"""The tables of a run file, as the current version of the store makes them."""

from __future__ import annotations

APPLICATION_ID = 0x53454154
"""SQLite `application_id` of every run file: the letters SEAT."""

TABLES = """
CREATE TABLE manifest(
    id INTEGER PRIMARY KEY CHECK (id = 1),
    unfolded INTEGER NOT NULL DEFAULT 0,
    shape INTEGER NOT NULL,
    body BLOB NOT NULL
) STRICT;
CREATE TABLE tasks(
    id INTEGER PRIMARY KEY,
    task TEXT NOT NULL UNIQUE,
    contract TEXT NOT NULL,
    shape INTEGER NOT NULL,
    body BLOB NOT NULL
) STRICT;
CREATE TABLE dictionaries(
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    body BLOB NOT NULL
) STRICT;
CREATE TABLE trials(
    id INTEGER PRIMARY KEY,
    task TEXT NOT NULL,
    trial INTEGER NOT NULL,
    contract TEXT NOT NULL,
    candidate TEXT NOT NULL,
    status TEXT NOT NULL,
    calls INTEGER NOT NULL,
    seconds REAL NOT NULL,
    usd REAL,
    tokens INTEGER,
    attempts INTEGER NOT NULL,
    steps INTEGER NOT NULL,
    dictionary INTEGER NOT NULL,
    shape INTEGER NOT NULL,
    body BLOB NOT NULL,
    UNIQUE (task, trial)
) STRICT;
CREATE TABLE grades(
    id INTEGER PRIMARY KEY,
    task TEXT NOT NULL,
    trial INTEGER NOT NULL,
    grader TEXT NOT NULL,
    contract TEXT NOT NULL,
    dictionary INTEGER NOT NULL,
    shape INTEGER NOT NULL,
    body BLOB NOT NULL,
    UNIQUE (task, trial)
) STRICT;
CREATE TABLE labels(
    id INTEGER PRIMARY KEY,
    task TEXT NOT NULL,
    trial INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    labelled_at TEXT NOT NULL,
    shape INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX labels_by_trial ON labels(task, trial);
CREATE TRIGGER labels_are_never_changed BEFORE UPDATE ON labels BEGIN SELECT RAISE(ABORT, 'a label is never changed: add another'); END;
CREATE TRIGGER labels_are_never_removed BEFORE DELETE ON labels BEGIN SELECT RAISE(ABORT, 'a label is never removed: add another'); END;
CREATE TRIGGER labels_are_never_replaced BEFORE INSERT ON labels WHEN EXISTS (SELECT 1 FROM labels WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'a label is never replaced: add another'); END;
CREATE TABLE signatures(
    id INTEGER PRIMARY KEY,
    slice TEXT NOT NULL,
    signatory TEXT NOT NULL,
    signed_at TEXT NOT NULL,
    shape INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE TRIGGER signatures_are_never_changed BEFORE UPDATE ON signatures
BEGIN SELECT RAISE(ABORT, 'a signature is never changed: add another'); END;
CREATE TRIGGER signatures_are_never_removed BEFORE DELETE ON signatures
BEGIN SELECT RAISE(ABORT, 'a signature is never removed: add another'); END;
CREATE TRIGGER signatures_are_never_replaced BEFORE INSERT ON signatures WHEN EXISTS (SELECT 1 FROM signatures WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'a signature is never replaced: add another'); END;
"""
"""`unfolded` is 1 while trials may lie in the `-wal` beside the file; `shape` is the version of the record in `body`, which a
record of the current version does not say itself; `dictionary` is the zstd dictionary that `body` was packed with, 0: none. Bodies
are zstd frames with the size of the content and a checksum; those of labels and signatures are plain JSON, for whoever audits them with
another program.

The triggers keep other programs from changing, removing or replacing labels and signatures; the last of each, because `INSERT OR REPLACE`
asks no trigger on deletion. Nothing here does any of it."""
