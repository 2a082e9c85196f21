"""The SQL that a suite's author wrote, schema and fixture: run under guard, so that it ends, and leaves behind what it says."""

from __future__ import annotations

from collections.abc import Mapping

import apsw

from seatrial.base.errors import SuiteError

MAX_STEPS = 200_000_000
"""Instructions of SQLite's machine that one script may take; some two seconds."""
MAX_PAGES = 1 << 18
"""Pages of 4 KiB that a database may have before a trial begins: 1 GiB."""
_STRIDE = 100_000
"""Steps between two looks at how long a script takes."""

OPEN_PRAGMAS = frozenset(
    {
        "table_info",
        "table_xinfo",
        "data_version",
        "table_list",
        "index_list",
        "index_info",
        "index_xinfo",
        "foreign_key_list",
        "integrity_check",
    }
)
"""Pragmas that only look: the session extension and the full-text index need the first three, agents that write SQL the others."""
_NEVER = {
    apsw.SQLITE_TRANSACTION: "a transaction",
    apsw.SQLITE_SAVEPOINT: "a savepoint",
    apsw.SQLITE_ATTACH: "another file (ATTACH, VACUUM)",
    apsw.SQLITE_DETACH: "another file (DETACH, VACUUM)",
    apsw.SQLITE_PRAGMA: "a PRAGMA",
    apsw.SQLITE_CREATE_TEMP_INDEX: "a temporary index",
    apsw.SQLITE_CREATE_TEMP_TABLE: "a temporary table",
    apsw.SQLITE_CREATE_TEMP_TRIGGER: "a temporary trigger",
    apsw.SQLITE_CREATE_TEMP_VIEW: "a temporary view",
}
"""What neither a schema nor a fixture may hold: it is over, or gone, before a trial begins."""
SHAPING = {
    apsw.SQLITE_ALTER_TABLE: "ALTER TABLE",
    apsw.SQLITE_ANALYZE: "ANALYZE",
    apsw.SQLITE_CREATE_INDEX: "CREATE INDEX",
    apsw.SQLITE_CREATE_TABLE: "CREATE TABLE",
    apsw.SQLITE_CREATE_TRIGGER: "CREATE TRIGGER",
    apsw.SQLITE_CREATE_VIEW: "CREATE VIEW",
    apsw.SQLITE_CREATE_VTABLE: "CREATE VIRTUAL TABLE",
    apsw.SQLITE_DROP_INDEX: "DROP INDEX",
    apsw.SQLITE_DROP_TABLE: "DROP TABLE",
    apsw.SQLITE_DROP_TRIGGER: "DROP TRIGGER",
    apsw.SQLITE_DROP_VIEW: "DROP VIEW",
    apsw.SQLITE_DROP_VTABLE: "DROP VIRTUAL TABLE",
    apsw.SQLITE_REINDEX: "REINDEX",
}
"""What changes the shape of a database: a schema's work, and nobody else's."""


def run_schema(connection: apsw.Connection, sql: str) -> None:
    """Make a database's tables.

    Args:
        connection: An empty database.
        sql: The schema.

    Raises:
        SuiteError: It is no SQL, does not end, or holds what does not last.
    """
    _run(connection, sql, _NEVER, "the schema", "is no SQL that SQLite accepts")


def run_fixture(connection: apsw.Connection, sql: str) -> None:
    """Fill a database's tables.

    Args:
        connection: A database with its schema.
        sql: Statements that insert, update and delete rows.

    Raises:
        SuiteError: It breaks the schema, does not end, or holds something else than rows.
    """
    _run(connection, sql, _NEVER | SHAPING, "the fixture's SQL", "breaks the schema")


class _Guard:
    """Says no to some operations of SQLite and to a script without end, and remembers what it said no to."""

    def __init__(self, denied: Mapping[int, str]) -> None:
        self._denied = denied
        self._left = MAX_STEPS
        self.refused = ""

    def authorise(self, operation: int, first: str | None, *_: object) -> int:
        if operation not in self._denied or (operation == apsw.SQLITE_PRAGMA and first in OPEN_PRAGMAS):
            return apsw.SQLITE_OK
        self.refused = f"{self._denied[operation]} has no place in it"
        return apsw.SQLITE_DENY

    def goes_on_too_long(self) -> bool:
        self._left -= _STRIDE
        if self._left < 0:
            self.refused = f"it does not come to an end within {MAX_STEPS:,} steps of SQLite; is there a recursive query without a bound?"
        return self._left < 0


def _run(connection: apsw.Connection, sql: str, denied: Mapping[int, str], what: str, fault: str) -> None:
    guard = _Guard(denied)
    connection.execute(f"PRAGMA max_page_count={MAX_PAGES}").fetchall()
    connection.authorizer = guard.authorise
    connection.set_progress_handler(guard.goes_on_too_long, _STRIDE)
    try:
        connection.execute(sql).fetchall()
    except (apsw.AuthError, apsw.InterruptError) as error:
        raise SuiteError(f"{what}: {guard.refused or error}") from error
    except (apsw.Error, ValueError) as error:  # ValueError: text that no database takes, for example a null character
        raise SuiteError(f"{what} {fault}: {error}") from error
    finally:
        connection.authorizer = None
        connection.set_progress_handler(None)
