"""The SQL of a suite: it ends, and it leaves behind rows, and the schema that it says."""

import pytest

from seatrial import Sqlite
from seatrial.base.clock import VirtualClock
from seatrial.base.errors import SuiteError
from seatrial.suite.fixtures import FixtureData

SCHEMA = "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); CREATE INDEX by_v ON t(v); CREATE VIRTUAL TABLE words USING fts5(text);"
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
NEITHER = {
    "begin": ("BEGIN;", "a transaction"),
    "begin and commit": ("BEGIN; INSERT INTO t VALUES (1, 'a'); COMMIT;", "a transaction"),
    "savepoint": ("SAVEPOINT s;", "a savepoint"),
    "attach": ("ATTACH ':memory:' AS other;", "another file"),
    "vacuum": ("VACUUM INTO 'elsewhere.db';", "another file"),
    "pragma": ("PRAGMA user_version = 7;", "a PRAGMA"),
    "temporary": ("CREATE TEMP TABLE x(y);", "a temporary table"),
    "temporary trigger": ("CREATE TEMP TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END;", "a temporary trigger"),
    "null character": ("SELECT 1;\0", "null character"),
    "lone surrogate": ("SELECT '\ud800';", "surrogates"),
    "unfinished": ("SELECT '", "unrecognized"),
    "unbound": ("SELECT ?;", "binding"),
}
SHAPES = {
    "create table": "CREATE TABLE more(x);",
    "create what is there": "CREATE TABLE IF NOT EXISTS t(id);",
    "create index": "CREATE INDEX i ON t(id);",
    "create view": "CREATE VIEW w AS SELECT 1;",
    "create trigger": "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END;",
    "create virtual table": "CREATE VIRTUAL TABLE f USING fts5(x);",
    "alter table": "ALTER TABLE t ADD COLUMN w;",
    "drop table": "DROP TABLE t;",
    "drop index": "DROP INDEX by_v;",
    "analyze": "ANALYZE;",
    "reindex": "REINDEX;",
}


def filled(sql, schema=SCHEMA):
    return Sqlite(schema=schema).prepare(FixtureData(sql=sql, hash="h", file="fixtures/base.sql"), {})


@pytest.mark.parametrize("case", NEITHER)
def test_neither_schema_nor_fixture_may_hold_what_does_not_last(case):
    """It is an error of the suite that says what has no place there; the fixture's names its file."""
    sql, message = NEITHER[case]
    with pytest.raises(SuiteError, match=message):
        Sqlite(schema=f"{SCHEMA}{sql}")
    with pytest.raises(SuiteError, match=message) as refused:
        filled(sql)
    assert refused.value.file == "fixtures/base.sql"


@pytest.mark.parametrize("case", SHAPES)
def test_a_fixture_changes_no_schema(case):
    """Tables, indices, triggers and views are the schema's."""
    with pytest.raises(SuiteError, match="has no place in it") as refused:
        filled(SHAPES[case])
    assert refused.value.file == "fixtures/base.sql"


def test_a_script_without_end_is_ended():
    """A recursive query without a bound is an error in the fixture, and in the schema."""
    with pytest.raises(SuiteError, match="does not come to an end"):
        filled(f"INSERT INTO t(id) {ENDLESS} SELECT x FROM n;")
    with pytest.raises(SuiteError, match="does not come to an end"):
        Sqlite(schema=f"{SCHEMA}{ENDLESS} SELECT count(x) FROM n;")


def test_rows_are_filled_in_by_any_statement_that_writes_rows():
    """Insert, update, delete, common tables with a bound, and a full-text index."""
    prepared = filled(
        """
        INSERT INTO t WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000) SELECT x, 'v' || x FROM n;
        UPDATE t SET v = 'z' WHERE id = 7;
        DELETE FROM t WHERE id > 10;
        INSERT INTO words VALUES ('hello world');
        """
    )
    state = prepared.open(clock=VirtualClock(), seed=1)
    assert [row["v"] for row in state.handle.all("SELECT v FROM t WHERE id IN (1, 7, 10, 11)")] == ["v1", "z", "v10"]
    assert state.handle.one("SELECT text FROM words WHERE words MATCH 'hello'") == {"text": "hello world"}
    state.close()


def test_a_row_that_breaks_the_schema_names_the_fixtures_file():
    """Records, too, are told with the file they stand in."""
    with pytest.raises(SuiteError, match=r"'t', row 1.*'nope'") as refused:
        Sqlite(schema=SCHEMA).prepare(FixtureData(records={"t": [{"nope": 1}]}, file="fixtures/base.json"), {})
    assert refused.value.file == "fixtures/base.json"
