"""Shelves: the two tables of packed records – the traces of the trials, and their grades – read in pages and packed as they grow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, Literal, NamedTuple, TypeVar

import apsw
import msgspec

from seatrial.store.migrations import CURRENT, migrate_record
from seatrial.store.packing import BodyError, Packer, train
from seatrial.store.queries import all_rows, one_row, one_value

Record = TypeVar("Record")
_PAGE = 32
"""Rows read at once: enough to make the query cheap, few enough to stay small and to keep no writer waiting."""
TRAIN_AFTER = 100
"""Records from which a dictionary is trained: more make it hardly better."""


class Row(NamedTuple):
    """One packed record."""

    task: str
    trial: int
    dictionary: int
    shape: int
    body: bytes


class Shelf(Generic[Record]):
    """The packed records of one kind.

    Args:
        connection: The open run file.
        table: The table that holds them.
        kind: The kind of record, as `migrations` names it.
        decode: Returns the record that JSON of the current shape holds.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        table: Literal["trials", "grades"],
        kind: Literal["trace", "grade"],
        decode: Callable[[bytes], Record],
    ) -> None:
        self._connection, self._table, self._kind, self._decode = connection, table, kind, decode
        self._shape = CURRENT[kind]
        self._packer = Packer(self._dictionary)
        # Fixed texts: the names come from this module, the values are bound.
        columns = f"SELECT task, trial, dictionary, shape, body FROM {table}"  # noqa: S608
        self._next_page = f"{columns} WHERE (task, trial) > (?, ?) ORDER BY task, trial LIMIT {_PAGE}"
        self._one = f"{columns} WHERE task = ? AND trial = ?"
        self._unpacked = TRAIN_AFTER

    def prepare_to_pack(self) -> None:
        """Find the dictionary for new records; called once, before the first `pack`."""
        newest = one_value(self._connection, "SELECT max(id) FROM dictionaries WHERE kind = ?", (self._kind,))
        if newest:
            self._packer.use(newest)
        else:
            self._unpacked = TRAIN_AFTER - one_value(self._connection, f"SELECT count(*) FROM {self._table}")  # noqa: S608

    def pack(self, data: bytes) -> tuple[int, int, bytes]:
        """Return dictionary, shape and body for JSON of the current shape; raises `BodyError` when there is too much of it."""
        return self._packer.latest, self._shape, self._packer.pack(data)

    def json(self, row: Row) -> bytes:
        """Return the JSON of a row in the current shape; raises `BodyError` when the row is damaged."""
        data = self._packer.unpack(row.dictionary, row.body)
        if row.shape == self._shape:
            return data
        try:
            return migrate_record(self._kind, row.shape, data)
        except (msgspec.MsgspecError, UnicodeError, RecursionError, LookupError) as error:
            raise BodyError(str(error)) from error

    def record(self, row: Row) -> Record:
        """Return the record of a row; raises `BodyError` when the row is damaged."""
        try:
            return self._decode(self.json(row))
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise BodyError(f"its {self._kind} is not one ({error})") from error

    def find(self, task: str, trial: int) -> Row | None:
        """Return one row, `None` when there is none."""
        found = one_row(self._connection, self._one, (task, trial))
        return None if found is None else Row(*found)

    def rows(self) -> Iterator[Row]:
        """Yield all rows by task and trial, a page at a time: no lock is held between two pages."""
        task, trial = "", -1
        while page := all_rows(self._connection, self._next_page, (task, trial)):
            yield from map(Row._make, page)
            task, trial = page[-1][:2]

    def grown(self, records: int = 1) -> None:
        """Say that records were stored; after the first hundred, train the dictionary and pack them again.

        The records are stored already: if the disk is full now, they stay as they are, and nothing is raised.
        """
        if self._packer.latest or self._unpacked <= 0:
            return
        self._unpacked -= records
        if self._unpacked <= 0:
            self._train()

    def _train(self) -> None:
        readable = [(row, data) for row in self.rows() if (data := self._readable(row)) is not None]
        trained = train([data for _, data in readable])
        if trained is None:
            return
        try:
            with self._connection:
                self._connection.execute("INSERT INTO dictionaries(kind, body) VALUES (?, ?)", (self._kind, trained))
                number = self._connection.last_insert_rowid()
                self._packer.use(number)
                again = f"UPDATE {self._table} SET dictionary = ?, shape = ?, body = ? WHERE task = ? AND trial = ?"  # noqa: S608
                self._connection.executemany(again, ((*self.pack(data), row.task, row.trial) for row, data in readable))
        except apsw.Error:
            self._packer.use(0)

    def _readable(self, row: Row) -> bytes | None:
        try:
            return self.json(row)
        except BodyError:
            return None

    def _dictionary(self, number: int) -> bytes | None:
        return one_value(self._connection, "SELECT body FROM dictionaries WHERE id = ?", (number,))
