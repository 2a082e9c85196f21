"""What a database's tables are made of, and which schemas would hide a change."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast

import apsw

from seatrial.base.errors import SuiteError

Affinity = Literal["integer", "real", "text", "blob", "numeric", "json"]

_ROWIDS = frozenset({"rowid", "_rowid_", "oid"})


@dataclass(frozen=True)
class Column:
    """One stored column; generated columns are left out, as no change carries them."""

    name: str
    affinity: Affinity
    required: bool
    """Whether it must be given: it may not be NULL and has no default."""


@dataclass(frozen=True)
class Table:
    """One table whose rows are records of the world."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    """Columns of the primary key; empty: the table has none, and the rowid stands in."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the stored columns in their order."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def key_positions(self) -> tuple[int, ...]:
        """Positions of the key's columns."""
        return tuple(self.names.index(name) for name in self.key)

    def column(self, name: str) -> Column:
        """Return a column by name."""
        return self.columns[self.names.index(name)]


def read_tables(connection: apsw.Connection) -> dict[str, Table]:
    """Return the tables of a database whose changes can be read.

    Args:
        connection: The database.

    Returns:
        Name → table. SQLite's own tables are left out, and of a full-text index only the content stays.

    Raises:
        SuiteError: A schema that hides changes: a key that may be NULL or ignores case, a rowid behind a column's name.
    """
    listed = connection.execute("SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'").fetchall()
    names = [str(name) for name, kind in listed if kind == "table" or (kind == "shadow" and str(name).endswith("_content"))]
    return {name: _table(connection, name) for name in sorted(names)}


def warnings_of(tables: dict[str, Table]) -> tuple[str, ...]:
    """Return what a suite's author should know of a schema."""
    text = "table {!r} has no PRIMARY KEY: its rows are known by their rowid only, which no task can foresee; give it a key"
    return tuple(text.format(table.name) for table in tables.values() if not table.key)


def _table(connection: apsw.Connection, name: str) -> Table:
    rows = connection.execute('SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?)', (name,)).fetchall()
    stored = [row for row in rows if row[5] == 0]
    key = tuple(str(row[0]) for row in sorted((row for row in stored if row[4]), key=lambda row: cast("int", row[4])))
    columns = tuple(Column(str(row[0]), _affinity(str(row[1])), bool(row[2]) and row[3] is None) for row in stored)
    table = Table(name, columns, key)
    nullable = {str(row[0]) for row in stored if row[4] and not row[2]}
    _check(connection, table, nullable)
    return table


def _check(connection: apsw.Connection, table: Table, nullable: set[str]) -> None:
    if not table.key:
        hidden = _ROWIDS & {name.lower() for name in table.names}
        if hidden:
            raise SuiteError(
                f"table {table.name!r} has no PRIMARY KEY and a column named {min(hidden)!r}, which hides the rowid; give it a key"
            )
        return
    index = _key_index(connection, table)
    if index is None:  # INTEGER PRIMARY KEY is the rowid itself: never NULL, compared as a number
        return
    if nullable and not _without_rowid(connection, table):
        column = min(nullable)
        raise SuiteError(
            f"table {table.name!r}: the key column {column!r} may be NULL, and a row with a NULL key changes unseen; "
            f"write `{column} ... NOT NULL`"
        )
    for column, collation in connection.execute("SELECT name, coll FROM pragma_index_xinfo(?) WHERE key = 1", (index,)).fetchall():
        if str(collation).upper() != "BINARY":
            raise SuiteError(
                f"table {table.name!r}: the key column {column!r} is compared with {collation}, so that two spellings are one key; "
                "compare keys as they are written"
            )


def _key_index(connection: apsw.Connection, table: Table) -> str | None:
    found = connection.execute("SELECT name FROM pragma_index_list(?) WHERE origin = 'pk'", (table.name,)).fetchone()
    return str(found[0]) if found else None


def _without_rowid(connection: apsw.Connection, table: Table) -> bool:
    found = connection.execute("SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?", (table.name,)).fetchone()
    return bool(found and found[0])


def _affinity(declared: str) -> Affinity:
    """Return what a column holds by the rules of SQLite (https://sqlite.org/datatype3.html §3.1), and `json` apart."""
    kind = declared.upper()
    if "JSON" in kind:
        return "json"
    if "INT" in kind:
        return "integer"
    if any(word in kind for word in ("CHAR", "CLOB", "TEXT")):
        return "text"
    if "BLOB" in kind or not kind:
        return "blob"
    return "real" if any(word in kind for word in ("REAL", "FLOA", "DOUB")) else "numeric"
