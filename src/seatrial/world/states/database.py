"""The database as a tool sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import apsw

from seatrial.base.errors import WorldError
from seatrial.world.calls import ToolError

_CLOSED = "this statement is closed to tools: a call is one transaction by itself, and the schema, pragmas and other files are not theirs"
_READING = "the tool is declared effect='read' and may not write"


class Database:
    """The world's database in the hands of a tool.

    Rows are plain dicts, column → value. One call is one transaction: when the tool raises, what it wrote is undone.
    """

    __slots__ = ("_connection",)

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def one(self, sql: str, *parameters: object) -> dict[str, object] | None:
        """Return the first row of a query; `None` when there is none.

        Args:
            sql: The query.
            parameters: Values of its `?`; or one dict for its `:name`.
        """
        return next(self._rows(sql, parameters), None)

    def all(self, sql: str, *parameters: object) -> list[dict[str, object]]:
        """Return all rows of a query.

        Args:
            sql: The query.
            parameters: Values of its `?`; or one dict for its `:name`.
        """
        return list(self._rows(sql, parameters))

    def execute(self, sql: str, *parameters: object) -> int:
        """Run a statement and return the number of rows that it changed itself, triggers and cascades aside.

        Args:
            sql: The statement.
            parameters: Values of its `?`; or one dict for its `:name`.

        Raises:
            WorldError: The tool is declared to read, and the statement writes.
        """
        connection = self._connection
        before = connection.total_changes()
        try:
            connection.execute(sql, _bindings(parameters)).fetchall()
        except apsw.AuthError as error:
            raise ToolError(_CLOSED) from error
        except apsw.ReadOnlyError as error:
            raise WorldError(_READING) from error
        return connection.changes() if connection.total_changes() != before else 0

    def _rows(self, sql: str, parameters: tuple[object, ...]) -> Iterator[dict[str, object]]:
        try:
            cursor = self._connection.execute(sql, _bindings(parameters))
            names: Sequence[str] = ()
            for row in cursor:
                names = names or [column[0] for column in cursor.get_description()]
                yield dict(zip(names, row, strict=True))
        except apsw.AuthError as error:
            raise ToolError(_CLOSED) from error
        except apsw.ReadOnlyError as error:
            raise ToolError(_READING) from error


def _bindings(parameters: tuple[object, ...]) -> tuple[object, ...] | dict[str, object]:
    if len(parameters) == 1 and isinstance(parameters[0], dict):
        return parameters[0]
    return parameters
