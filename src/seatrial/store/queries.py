"""Rows as plain tuples: what a query returns is known from its columns, not from SQLite's types."""

from __future__ import annotations

from typing import Any

import apsw

Values = tuple[str | int | float | bytes | None, ...]


def all_rows(connection: apsw.Connection, query: str, values: Values = ()) -> list[tuple[Any, ...]]:
    """Return every row of a query."""
    return connection.execute(query, values).fetchall()


def one_row(connection: apsw.Connection, query: str, values: Values = ()) -> tuple[Any, ...] | None:
    """Return the first row of a query, `None` when there is none."""
    return connection.execute(query, values).fetchone()


def one_value(connection: apsw.Connection, query: str, values: Values = ()) -> Any:
    """Return the only value of a query, `None` when there is none."""
    return connection.execute(query, values).get
