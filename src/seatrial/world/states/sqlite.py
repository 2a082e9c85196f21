"""`sqlite` state: the fixture is a template database, a trial holds the pages that it writes.

Reset, diff and memory cost what the trial touches, not what the fixture holds. Changes come from SQLite's session extension.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import apsw
import msgspec
from msgspec import Raw

from seatrial.base.clock import VirtualClock
from seatrial.base.errors import SuiteError
from seatrial.base.seeds import derive
from seatrial.records.trace import Change, Effect
from seatrial.suite.fixtures import FixtureData
from seatrial.world.states._changes import read_changeset
from seatrial.world.states._overlay import VFS, Layer, Template, file_system
from seatrial.world.states._rows import check_references, insert_rows
from seatrial.world.states._schema import read_tables, warnings_of
from seatrial.world.states._scripts import OPEN_PRAGMAS, SHAPING, run_fixture, run_schema
from seatrial.world.states.database import Database

MAX_CHANGED_ROWS = 100_000
"""Rows that one call may write and still have its changes listed."""

_PRAGMAS = """PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA temp_store=MEMORY;
PRAGMA cache_size=-512; PRAGMA query_only=ON"""
_DENIED = frozenset({apsw.SQLITE_ATTACH, apsw.SQLITE_DETACH, apsw.SQLITE_PRAGMA, apsw.SQLITE_TRANSACTION, *SHAPING})
"""What is closed to tools: a call is one transaction by itself, and the schema, pragmas and other files are not theirs."""


class Sqlite:
    """A world whose state is a SQLite database.

    Args:
        schema: SQL that makes the tables, triggers and indices.

    Raises:
        SuiteError: The schema is no SQL, or it would hide changes.
    """

    def __init__(self, *, schema: str) -> None:
        self.schema = schema
        connection = _memory(schema)
        self.tables = read_tables(connection)
        connection.close()
        self.warnings = warnings_of(self.tables)
        self._templates: dict[str, Template] = {}

    @property
    def collections(self) -> frozenset[str]:
        """Names of the tables."""
        return frozenset(self.tables)

    @property
    def keys(self) -> Mapping[str, tuple[str, ...]]:
        """Table → columns of its primary key; a table without one is left out."""
        return {name: table.key for name, table in self.tables.items() if table.key}

    @property
    def source(self) -> str:
        """The kind and the schema."""
        return f"sqlite\n{self.schema}"

    def prepare(self, fixture: FixtureData, rows: Mapping[str, Sequence[Raw]]) -> PreparedSqlite:
        """Return the initial state of a task.

        Args:
            fixture: The fixture's content: SQL, or records by table.
            rows: Table → records laid over it; a record replaces the fixture's of the same key.

        Raises:
            SuiteError: A row breaks the schema: table, row and column are in its text.
        """
        template = self._template(fixture)
        layer = Layer(size=template.size)
        if rows:
            self._lay(template, layer, rows)
        return PreparedSqlite(self, template, layer)

    def _template(self, fixture: FixtureData) -> Template:
        found = self._templates.get(fixture.hash) if fixture.hash else None
        if found is None:
            found = Template(self._image(fixture))
            self._templates[fixture.hash] = found
        return found

    def _image(self, fixture: FixtureData) -> bytes:
        connection = _memory(self.schema)
        try:
            if fixture.sql is not None:
                run_fixture(connection, fixture.sql)
            self._insert(connection, fixture.records or {}, origin="fixture")
            return connection.serialize("main")
        except SuiteError as error:
            raise SuiteError(error.message, file=fixture.file or None, nearest=error.nearest) from error
        finally:
            connection.close()

    def _lay(self, template: Template, layer: Layer, rows: Mapping[str, Sequence[Raw]]) -> None:
        name = file_system().add(template, layer)
        connection = apsw.Connection(name, vfs=VFS, flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; PRAGMA temp_store=MEMORY").fetchall()
            self._insert(
                connection, {table: [msgspec.json.decode(row) for row in found] for table, found in rows.items()}, origin="fixture.with"
            )
        finally:
            connection.close()
            file_system().remove(name)

    def _insert(self, connection: apsw.Connection, records: Mapping[str, object], *, origin: str) -> None:
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_FKEY, 0)
        connection.execute("BEGIN")
        for table, rows in records.items():
            insert_rows(connection, self.tables, table, rows, origin=origin)
        connection.execute("COMMIT")
        check_references(connection, origin=origin)


class PreparedSqlite:
    """The initial database of one task: the shared template and the pages of the task's own rows.

    Args:
        definition: Schema and tables.
        template: The fixture.
        layer: Pages of the task's own rows.
    """

    def __init__(self, definition: Sqlite, template: Template, layer: Layer) -> None:
        self.tables, self._template, self._layer = definition.tables, template, layer
        self.schema_mark = _schema_mark(layer, template)

    def open(self, *, clock: VirtualClock, seed: int) -> SqliteState:
        """Return a fresh database for one trial.

        Args:
            clock: The trial's clock, which SQL sees as the time.
            seed: Seed of what SQL sees as random.
        """
        return SqliteState(self, self._template, self._layer.copy(), clock=clock, seed=seed)


class SqliteState:
    """The database of one trial.

    Args:
        prepared: What it starts from.
        template: The fixture.
        layer: The trial's own pages.
        clock: The trial's clock.
        seed: Seed of what SQL sees as random.
    """

    def __init__(self, prepared: PreparedSqlite, template: Template, layer: Layer, *, clock: VirtualClock, seed: int) -> None:
        self.changes_unknown = ""
        self._tables, self._schema_mark = prepared.tables, prepared.schema_mark
        self._template, self._layer, self._clock, self._seed = template, layer, clock, seed
        self._random: random.Random | None = None
        self._session: apsw.Session | None = None
        self._rows_before = 0
        self._writing = False
        self._own = True
        self._name = file_system().add(template, layer)
        self._connection = self._connect()
        self.handle = Database(self._connection)

    def begin(self, effect: Effect) -> None:
        """Open a call: a transaction and a session for a tool that may write; nothing for one that reads, which cannot."""
        file_system().tell(self._clock)
        if effect == "read":
            return
        self._writing = True
        self._control("PRAGMA query_only=OFF; BEGIN")
        self._rows_before = self._connection.total_changes()
        self._session = apsw.Session(self._connection, "main")
        self._session.config(apsw.SQLITE_SESSION_OBJCONFIG_ROWID, True)
        self._session.attach()

    def keep(self) -> tuple[Change, ...]:
        """Close the call, keep what it wrote, and return the changes it made."""
        if self._session is None:
            self._finish(commit=False)
            return ()
        self._finish(commit=True)
        changes = self._read_changes(self._session)
        self._close_session()
        return changes

    def undo(self) -> None:
        """Close the call and undo what it wrote."""
        broken = self._session is not None and not self._connection.in_transaction and not self._session.is_empty
        self._close_session()
        self._finish(commit=False)
        if broken:
            self.changes_unknown = "a statement ended the call's transaction by itself, so that the call could not be undone"

    def release(self, answer: object) -> object:
        """Return the answer: rows are plain data already."""
        return answer

    def close(self) -> None:
        """Close the database and let go of the trial's pages; a thread that still runs a statement is interrupted."""
        file_system().remove(self._name)
        try:
            self._close_session()
            self._connection.close(True)
        except apsw.ThreadingViolationError:  # an abandoned agent's thread is in a tool: it lets go when its statement ends
            self._connection.interrupt()

    def _connect(self) -> apsw.Connection:
        connection = apsw.Connection(self._name, vfs=VFS, flags=apsw.SQLITE_OPEN_READWRITE)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_FKEY, 1)
        connection.execute(_PRAGMAS).fetchall()  # SQLite stops at the first row: without fetchall the rest would not run
        connection.create_scalar_function("random", self._draw, 0)
        connection.create_scalar_function("randomblob", self._draw_bytes, 1)
        connection.authorizer = self._authorise
        self._own = False
        return connection

    def _authorise(self, operation: int, first: str | None, *_: object) -> int:
        if operation not in _DENIED or self._own:
            return apsw.SQLITE_OK
        looks = operation == apsw.SQLITE_PRAGMA and first in OPEN_PRAGMAS
        return apsw.SQLITE_OK if looks else apsw.SQLITE_DENY

    def _control(self, sql: str) -> None:
        """Run a statement of our own; it is never cached, lest a tool's equal text pass without being authorised."""
        self._own = True
        try:
            self._connection.execute(sql, can_cache=False).fetchall()
        finally:
            self._own = False

    def _finish(self, *, commit: bool) -> None:
        writing, self._writing = self._writing, False
        if not self._connection.in_transaction:
            if writing:
                self._control("PRAGMA query_only=ON")
            return
        if not commit or not writing:
            self._control("ROLLBACK; PRAGMA query_only=ON")
            return
        try:
            self._control("COMMIT; PRAGMA query_only=ON")
        except apsw.ConstraintError:  # a deferred foreign key is checked only now
            self._writing = True
            self.undo()
            raise

    def _read_changes(self, session: apsw.Session) -> tuple[Change, ...]:
        if _schema_mark(self._layer, self._template) != self._schema_mark:
            self.changes_unknown = "the schema was changed"
        written = self._connection.total_changes() - self._rows_before
        if written > MAX_CHANGED_ROWS:
            self.changes_unknown = f"one call wrote {written:,} rows; changes are listed up to {MAX_CHANGED_ROWS:,}"
        if self.changes_unknown or session.is_empty:
            return ()
        return read_changeset(session.changeset(), self._tables)

    def _close_session(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None

    def _source(self) -> random.Random:
        if self._random is None:
            self._random = random.Random(derive(self._seed, "sql"))  # noqa: S311 - reproducible, not secret
        return self._random

    def _draw(self, *_: object) -> int:
        return self._source().getrandbits(64) - (1 << 63)

    def _draw_bytes(self, *amounts: object) -> bytes:
        amount = amounts[0]
        return self._source().randbytes(max(1, amount) if isinstance(amount, int) else 1)


def _memory(schema: str) -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    try:
        run_schema(connection, schema)
    except SuiteError:
        connection.close()
        raise
    return connection


def _schema_mark(layer: Layer, template: Template) -> bytes:
    """Return what changes when the schema does: the schema cookie and the user version in the file's header."""
    head = layer.pages.get(0, template.image[:100])
    return head[40:44] + head[60:64]
