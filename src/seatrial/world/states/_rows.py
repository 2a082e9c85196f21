"""Fixture rows on their way into a database: checked against the schema, with the table, row and column of what is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping

import apsw

from seatrial.base.canonical import canonical
from seatrial.base.errors import SuiteError
from seatrial.world.states._schema import Column, Table

_CONSTRAINT = re.compile(r"constraint failed: [^.\s]+\.(\w+)")


def insert_rows(connection: apsw.Connection, tables: Mapping[str, Table], collection: str, rows: object, *, origin: str) -> None:
    """Put rows into a table; a row replaces the one of equal key.

    Args:
        connection: The database; its foreign keys and triggers are off.
        tables: The tables.
        collection: Name of the table.
        rows: Records, column → value: a list, or by key.
        origin: Where the rows come from, in words, for messages.

    Raises:
        SuiteError: A row breaks the schema.
    """
    table = tables.get(collection)
    if table is None:
        from seatrial.base.names import nearest

        raise SuiteError(
            f"{origin}: the world has no table {collection!r}; it has {', '.join(tables)}", nearest=nearest(collection, tables)
        )
    for number, row in enumerate(_listed(table, rows, origin), 1):
        _insert(connection, table, _checked(table, row, f"{origin}: table {collection!r}, row {number}"), origin=origin, number=number)


def check_references(connection: apsw.Connection, *, origin: str) -> None:
    """Raise a SuiteError when a row points to one that does not exist."""
    broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    if broken:
        table, rowid, parent, number = broken
        columns = [str(row[3]) for row in connection.execute(f"PRAGMA foreign_key_list({_quoted(str(table))})") if row[0] == number]
        row = "" if rowid is None else f" (rowid {rowid})"
        raise SuiteError(f"{origin}: table {table!r}, a row{row}, column {', '.join(columns)!r}: points to a row that {parent!r} lacks")


def _listed(table: Table, rows: object, origin: str) -> list[object]:
    if isinstance(rows, list | tuple):
        return list(rows)
    if not isinstance(rows, Mapping):
        raise SuiteError(f"{origin}: table {table.name!r}: a {type(rows).__name__} is no list of rows")
    if len(table.key) != 1:
        raise SuiteError(f"{origin}: table {table.name!r} has no single key column, so its rows are given as a list")
    return [{table.key[0]: key, **row} if isinstance(row, Mapping) else row for key, row in rows.items()]


def _checked(table: Table, row: object, place: str) -> dict[str, object]:
    if not isinstance(row, Mapping):
        raise SuiteError(f"{place}: {row!r:.80} is not an object of column → value")
    values: dict[str, object] = {}
    for name, value in row.items():
        if name not in table.names:
            from seatrial.base.names import nearest

            raise SuiteError(
                f"{place}: the table has no column {name!r}; it has {', '.join(table.names)}", nearest=nearest(str(name), table.names)
            )
        values[name] = _value(table.column(name), value, place)
    for column in table.columns:
        if column.required and values.get(column.name) is None and not (column.affinity == "integer" and table.key == (column.name,)):
            raise SuiteError(f"{place}: column {column.name!r} must have a value")
    return values


def _value(column: Column, value: object, place: str) -> object:
    if value is None:
        return None
    if isinstance(value, Mapping | list | tuple):
        if column.affinity == "json":
            return canonical(value).decode()
        raise SuiteError(f"{place}, column {column.name!r}: a {type(value).__name__} does not fit; declare the column as JSON to store it")
    if column.affinity == "json":
        return canonical(value).decode() if not isinstance(value, str) else value
    if not _fits(column, value):
        raise SuiteError(f"{place}, column {column.name!r}: {value!r:.80} does not fit a column of {column.affinity}")
    return value


def _fits(column: Column, value: object) -> bool:
    match column.affinity:
        case "integer":
            return isinstance(value, int) or (isinstance(value, float) and value.is_integer()) or _reads(value, int)
        case "real":
            return (isinstance(value, int | float) and not isinstance(value, bool)) or _reads(value, float)
        case "text":
            return isinstance(value, str)
        case _:
            return isinstance(value, str | int | float | bytes)


def _reads(value: object, number: type[int | float]) -> bool:
    """Tell whether a text is a number, as CSV gives it; SQLite stores it as one."""
    try:
        return isinstance(value, str) and number(value) == number(value)
    except ValueError:
        return False


def _insert(connection: apsw.Connection, table: Table, values: Mapping[str, object], *, origin: str, number: int) -> None:
    try:
        if table.key and all(name in values for name in table.key):
            where = " AND ".join(f"{_quoted(name)} = ?" for name in table.key)
            text = f"DELETE FROM {_quoted(table.name)} WHERE {where}"  # noqa: S608 - names of the schema itself, quoted
            connection.execute(text, tuple(values[name] for name in table.key))
        columns = ", ".join(_quoted(name) for name in values)
        marks = f"({columns}) VALUES ({', '.join('?' for _ in values)})" if values else "DEFAULT VALUES"
        connection.execute(f"INSERT INTO {_quoted(table.name)} {marks}", tuple(values.values()))
    except apsw.Error as error:
        found = _CONSTRAINT.search(str(error))
        column = f", column {found[1]!r}" if found else ""
        raise SuiteError(f"{origin}: table {table.name!r}, row {number}{column}: {error}") from error


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
