"""Makes `version_1.sqlite`, a run file as the first version of the store wrote it.

    python -m tests.store.older.make_version_1 PATH

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
PRAGMA user_version = 1;
CREATE TABLE manifest(id INTEGER PRIMARY KEY CHECK (id = 1), body BLOB NOT NULL) STRICT;
CREATE TABLE tasks(id INTEGER PRIMARY KEY, task TEXT NOT NULL UNIQUE, contract TEXT NOT NULL, body BLOB NOT NULL) STRICT;
CREATE TABLE dictionaries(id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
CREATE TABLE trials(
    id INTEGER PRIMARY KEY, task TEXT NOT NULL, trial INTEGER NOT NULL, contract TEXT NOT NULL, candidate TEXT NOT NULL,
    status TEXT NOT NULL, calls INTEGER NOT NULL, seconds REAL NOT NULL, usd REAL, tokens INTEGER, dictionary INTEGER NOT NULL,
    body BLOB NOT NULL, UNIQUE (task, trial)) STRICT;
"""
MANIFEST = {"suite": "claims", "suite_version": "1", "suite_hash": "s", "candidate": {"name": "baseline", "version": "1"}, "seed": 7}
TASKS = {"water-000": {"id": "water-000", "input": "A pipe burst."}, "water-001": {"id": "water-001", "input": "The cellar is wet."}}
CONTRACTS = {"water-000": "0" * 32, "water-001": "1" * 32}


def trial(task: str, number: int, status: str, reason: str) -> dict:
    """One trace of shape 0: `status_reason` was called `reason`."""
    identity = {
        "suite": "claims",
        "task": task,
        "contract": CONTRACTS[task],
        "candidate": "baseline",
        "candidate_hash": "",
        "trial": number,
    }
    call = {
        "step": "call",
        "sequence": 2,
        "tool": "policy_lookup",
        "issued_at": 1,
        "proposed": {"amount": 1.50},
        "executed": {"amount": 1.50},
    }
    steps = [
        {"step": "user", "sequence": 0, "text": TASKS[task]["input"]},
        call,
        {"step": "agent", "sequence": 4, "text": f"Done {number}."},
    ]
    abandoned = [{"status": "infra_error", "reason": "the service was down"}] if number else []
    usage = {"calls": 1, "tokens": 120, "usd": 0.25, "seconds": 1.5}
    whole = {
        "identity": {**identity, "seed": 11},
        "status": status,
        "steps": steps,
        "usage": usage,
        "attempts": abandoned,
        "reason": reason,
    }
    return {name: value for name, value in whole.items() if value not in ([], "")}


TRIALS = (
    (0, trial("water-000", 0, "completed", "")),
    (1, trial("water-000", 1, "budget_exceeded", "calls: limit 8, used 8")),
    (1, trial("water-001", 0, "cancelled", "stopped by hand")),
)
"""(dictionary, trace) of each trial."""


def make(path: Path) -> None:
    """Write the file."""
    dictionary = json.dumps(trial("water-000", 0, "completed", "")).encode()
    packers = (
        zstandard.ZstdCompressor(write_checksum=True),
        zstandard.ZstdCompressor(dict_data=zstandard.ZstdCompressionDict(dictionary), write_checksum=True, write_dict_id=False),
    )
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(TABLES)
        connection.execute("INSERT INTO manifest VALUES (1, ?)", (_packed(packers[0], MANIFEST),))
        for task, record in TASKS.items():
            row = (task, CONTRACTS[task], _packed(packers[0], record))
            connection.execute("INSERT INTO tasks(task, contract, body) VALUES (?, ?, ?)", row)
        connection.execute("INSERT INTO dictionaries(body) VALUES (?)", (dictionary,))
        for number, record in TRIALS:
            identity, usage = record["identity"], record["usage"]
            header = (identity["task"], identity["trial"], identity["contract"], identity["candidate"], record["status"])
            row = (*header, usage["calls"], usage["seconds"], usage["usd"], usage["tokens"], number, _packed(packers[number], record))
            connection.execute(f"INSERT INTO trials VALUES (NULL, {', '.join('?' * len(row))})", row)


def _packed(packer: zstandard.ZstdCompressor, record: dict) -> bytes:
    return packer.compress(json.dumps(record, separators=(",", ":")).encode())


if __name__ == "__main__":
    make(Path(sys.argv[1]))
