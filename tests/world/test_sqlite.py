"""The database of a trial: what changes are seen, what a schema must not hide, and that nothing gets out."""

import random
import threading
import time

import apsw
import pytest

from seatrial.base.clock import VirtualClock
from seatrial.base.errors import SuiteError, WorldError
from seatrial.suite.fixtures import FixtureData
from seatrial.world import Sqlite, ToolError
from seatrial.world.states import sqlite as sqlite_state
from tests.world.builders import open_state, plain

SCHEMA = """
CREATE TABLE item(id TEXT PRIMARY KEY NOT NULL, n INTEGER, label TEXT UNIQUE, anything);
CREATE TABLE part(
  item TEXT NOT NULL REFERENCES item(id) ON DELETE CASCADE, line INTEGER NOT NULL, text TEXT, PRIMARY KEY(item, line)
) WITHOUT ROWID;
CREATE TABLE numbered(id INTEGER PRIMARY KEY, text TEXT, twice TEXT GENERATED ALWAYS AS (text || text));
CREATE TABLE strict_one(id TEXT PRIMARY KEY NOT NULL, n INTEGER) STRICT;
CREATE TABLE "odd ""name"(id TEXT PRIMARY KEY NOT NULL, "a b" TEXT);
CREATE TABLE log(entry TEXT NOT NULL);
CREATE TRIGGER watch AFTER UPDATE OF n ON item BEGIN INSERT INTO log VALUES (new.id || ' ' || new.n); END;
"""
RECORDS = {
    "item": [{"id": f"i{number}", "n": number, "label": f"l{number}"} for number in range(10)],
    "part": [{"item": "i1", "line": line, "text": "t"} for line in (1, 2)],
    "numbered": [{"id": 1, "text": "x"}],
    "strict_one": [{"id": "s", "n": 1}],
    'odd "name': [{"id": "o", "a b": "c"}],
}
STATE = Sqlite(schema=SCHEMA)


def opened(**more):
    return open_state(STATE, RECORDS, name="items", **more)


def changes_of(*statements):
    """Run statements in one call and return its changes; the trigger's log aside."""
    state = opened()
    state.begin("write")
    for sql in statements:
        state.handle.execute(sql)
    found = {change.path: plain(change) for change in state.keep() if not change.path.startswith("log/")}
    assert state.changes_unknown == ""
    state.close()
    return found


SEEN = {
    "update": (["UPDATE item SET n = 5 WHERE id = 'i1'"], {"item/i1": ("updated", {"n": 1}, {"n": 5})}),
    "upsert": (
        ["INSERT INTO item VALUES ('i1', 5, 'l1', 0) ON CONFLICT(id) DO UPDATE SET n = 50"],
        {"item/i1": ("updated", {"n": 1}, {"n": 50})},
    ),
    "insert or replace": (
        ["INSERT OR REPLACE INTO item VALUES ('i1', 1, 'l1', 'new')"],
        {"item/i1": ("updated", {"anything": None}, {"anything": "new"}), "part/i1,1": ("deleted", None), "part/i1,2": ("deleted", None)},
    ),
    "replace that evicts another row": (
        ["INSERT OR REPLACE INTO item VALUES ('new', 1, 'l3', NULL)"],
        {"item/i3": ("deleted", None), "item/new": ("created", None)},
    ),
    "cascade": (
        ["DELETE FROM item WHERE id = 'i1'"],
        {"item/i1": ("deleted", None), "part/i1,1": ("deleted", None), "part/i1,2": ("deleted", None)},
    ),
    "composite key": (
        ["INSERT INTO part VALUES ('i2', 7, 'a,b/c')"],
        {"part/i2,7": ("created", None, {"item": "i2", "line": 7, "text": "a,b/c"})},
    ),
    "generated column": (["UPDATE numbered SET text = 'y'"], {"numbered/1": ("updated", {"text": "x"}, {"text": "y"})}),
    "strict table": (["UPDATE strict_one SET n = 2"], {"strict_one/s": ("updated", {"n": 1}, {"n": 2})}),
    "quoted names": (['UPDATE "odd ""name" SET "a b" = \'d\''], {'odd "name/o': ("updated", {"a b": "c"}, {"a b": "d"})}),
    "delete everything": (["DELETE FROM strict_one"], {"strict_one/s": ("deleted", {"id": "s", "n": 1}, None)}),
    "changed key": (["UPDATE strict_one SET id = 't'"], {"strict_one/s": ("deleted", None), "strict_one/t": ("created", None)}),
    "same value": (["UPDATE item SET label = label"], {}),
    "write and revert": (["UPDATE strict_one SET n = 2", "UPDATE strict_one SET n = 1"], {}),
    "delete and insert the same": (["DELETE FROM strict_one", "INSERT INTO strict_one VALUES ('s', 1)"], {}),
    "insert and delete": (["INSERT INTO strict_one VALUES ('t', 1)", "DELETE FROM strict_one WHERE id = 't'"], {}),
    "rolled-back savepoint": (["SAVEPOINT a", "DELETE FROM strict_one", "ROLLBACK TO a", "RELEASE a"], {}),
    "open savepoint": (["SAVEPOINT a", "UPDATE strict_one SET n = 2"], {"strict_one/s": ("updated", {"n": 1}, {"n": 2})}),
    "several statements in one": (
        ["UPDATE strict_one SET n = 2; UPDATE numbered SET text = 'y'"],
        {"strict_one/s": ("updated", {"n": 1}, {"n": 2}), "numbered/1": ("updated", {"text": "x"}, {"text": "y"})},
    ),
    "text into a column of any type": (
        ["UPDATE item SET anything = '1' WHERE id = 'i1'", "UPDATE item SET anything = 1 WHERE id = 'i2'"],
        {"item/i1": ("updated", {"anything": None}, {"anything": "1"}), "item/i2": ("updated", {"anything": None}, {"anything": 1})},
    ),
    "temporary tables": (["CREATE TEMP TABLE scratch(x)", "INSERT INTO scratch VALUES (1)"], {}),
}


@pytest.mark.parametrize("case", SEEN)
def test_what_a_call_changes_is_what_is_reported(case):
    """Every way of changing a row is seen, and what comes to nothing is nothing; shortened expectations name the kind only."""
    statements, expected = SEEN[case]
    found = changes_of(*statements)
    assert {path: change if len(expected.get(path, ())) == 3 else (change[0], None) for path, change in found.items()} == expected


def test_what_triggers_write_is_a_change_too():
    """Rows of a table without a key are known by their rowid."""
    state = opened()
    state.begin("write")
    state.handle.execute("UPDATE item SET n = 77 WHERE id = 'i1'")
    assert {change.path: plain(change)[2] for change in state.keep()} == {"item/i1": {"n": 77}, "log/1": {"entry": "i1 77"}}


def test_a_full_text_index_shows_its_content_only():
    """Of an index's own tables the content is a record, the rest is not."""
    state = open_state(Sqlite(schema="CREATE VIRTUAL TABLE words USING fts5(text)"), {})
    state.begin("write")
    state.handle.execute("INSERT INTO words VALUES ('hello world')")
    assert [change.path for change in state.keep()] == ["words_content/1"]
    state.begin("read")
    assert state.handle.all("SELECT text FROM words WHERE words MATCH 'hello'") == [{"text": "hello world"}]


HIDING = {
    "nullable key": ("CREATE TABLE t(id TEXT PRIMARY KEY, v)", "'t'.*'id'.*NOT NULL"),
    "second key column": ("CREATE TABLE t(a TEXT NOT NULL, b TEXT, PRIMARY KEY(a, b))", "'t'.*'b'.*NOT NULL"),
    "key that ignores case": ("CREATE TABLE t(id TEXT COLLATE NOCASE PRIMARY KEY NOT NULL)", "'t'.*'id'.*NOCASE"),
    "shadowed rowid": ("CREATE TABLE t(rowid TEXT, v)", "'t'.*'rowid'"),
    "shadowed oid": ("CREATE TABLE t(OID TEXT, v)", "'t'.*'oid'"),
    "no SQL": ("CREATE TABEL t(x)", "no SQL"),
}


@pytest.mark.parametrize("case", HIDING)
def test_a_schema_that_hides_changes_is_refused(case):
    """The error names the table and the column, and says what to write."""
    schema, message = HIDING[case]
    with pytest.raises(SuiteError, match=message):
        Sqlite(schema=schema)


@pytest.mark.parametrize(
    "schema",
    [
        "CREATE TABLE t(id INTEGER PRIMARY KEY)",
        "CREATE TABLE t(a TEXT, b TEXT, PRIMARY KEY(a, b)) WITHOUT ROWID",
        "CREATE TABLE t(oid TEXT NOT NULL, id TEXT PRIMARY KEY NOT NULL)",
        "CREATE TABLE t(id TEXT PRIMARY KEY NOT NULL, name TEXT COLLATE NOCASE)",
    ],
)
def test_a_schema_that_hides_nothing_is_accepted(schema):
    """Integer keys, tables without rowid, and other columns may be what they like."""
    assert Sqlite(schema=schema).collections == {"t"}


def test_a_table_without_a_key_is_warned_of():
    """Its rows can be seen, but no task can foresee their paths."""
    assert "'t'" in Sqlite(schema="CREATE TABLE t(v)").warnings[0]
    assert STATE.keys["part"] == ("item", "line")


BROKEN = {
    "unknown table": ({"itme": []}, "'itme'.*Did you mean 'item'"),
    "unknown column": ({"item": [{"id": "a"}, {"id": "b", "labl": "c"}]}, "'item', row 2.*'labl'.*Did you mean 'label'"),
    "missing value": ({"part": [{"item": "i", "text": "x"}]}, "'part', row 1.*'line'"),
    "text for a number": ({"item": [{"id": "a", "n": "many"}]}, "'item', row 1, column 'n'.*'many'"),
    "number for a text": ({"item": [{"id": 17}]}, "'item', row 1, column 'id'.*17"),
    "an object": ({"item": [{"id": "a", "label": {"x": 1}}]}, "'item', row 1, column 'label'.*JSON"),
    "taken twice": ({"item": [{"id": "a", "label": "l"}, {"id": "b", "label": "l"}]}, "'item', row 2, column 'label'.*UNIQUE"),
    "points nowhere": ({"part": [{"item": "nobody", "line": 1}]}, "'part'.*'item'.*lacks"),
    "no row": ({"item": ["x"]}, "'item', row 1"),
    "no rows": ({"item": 7}, "'item'.*int"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_fixture_row_that_breaks_the_schema_is_named(case):
    """The error names table, row and column, and offers the nearest right name."""
    records, message = BROKEN[case]
    with pytest.raises(SuiteError, match=message):
        open_state(STATE, records)


@pytest.mark.parametrize(
    ("row", "message"),
    [({"id": "i1", "n": "many"}, "fixture.with.*'item', row 1, column 'n'"), ({"id": "new", "label": "l2"}, "fixture.with.*UNIQUE")],
)
def test_a_tasks_own_row_is_checked_like_the_fixtures(row, message):
    """A row laid over the fixture must fit the schema and may take nothing from another row."""
    with pytest.raises(SuiteError, match=message):
        opened(rows={"item": [row]})


def test_a_tasks_own_row_replaces_without_cascades_or_triggers():
    """Replacing a row is no write of the world: what points to it stays."""
    state = opened(rows={"item": [{"id": "i1", "n": 9, "label": "mine"}]})
    state.begin("read")
    assert state.handle.one("SELECT count(*) AS n FROM part WHERE item = 'i1'") == {"n": 2}
    assert state.handle.one("SELECT count(*) AS n FROM log") == {"n": 0}
    assert state.handle.one("SELECT n, label FROM item WHERE id = 'i1'") == {"n": 9, "label": "mine"}


def test_rows_may_be_given_by_key_and_json_columns_take_objects():
    """Records by key fill in their key; a column declared JSON holds objects as canonical text; CSV's numerals are numbers."""
    state = open_state(
        Sqlite(schema="CREATE TABLE t(id TEXT PRIMARY KEY NOT NULL, n INTEGER, data JSON)"),
        {"t": {"a": {"n": "5", "data": {"b": 1, "a": [2]}}}},
    )
    state.begin("read")
    assert state.handle.one("SELECT id, n, data FROM t") == {"id": "a", "n": 5, "data": '{"a":[2],"b":1}'}


def test_a_fixture_of_sql_is_run_and_checked():
    """SQL fills the tables; a row that points nowhere and an open file are errors of the suite."""
    state = STATE.prepare(FixtureData(sql="INSERT INTO item(id, n) VALUES ('q', 1); INSERT INTO item(id, n) VALUES ('r', 2);"), {})
    opened_state = state.open(clock=VirtualClock(), seed=1)
    assert opened_state.handle.all("SELECT id FROM item ORDER BY id") == [{"id": "q"}, {"id": "r"}]
    for sql in ("INSERT INTO part(item, line) VALUES ('nobody', 1)", "ATTACH 'x.db' AS x", "INSERT INTO nothing VALUES (1)"):
        with pytest.raises(SuiteError):
            STATE.prepare(FixtureData(sql=sql), {})


def test_a_handle_reads_rows_as_dicts_and_takes_values_by_place_or_name():
    """`one`, `all` and `execute` are all that a tool needs."""
    state = opened()
    state.begin("write")
    handle = state.handle
    assert handle.one("SELECT n FROM item WHERE id = ?", "i3") == {"n": 3}
    assert handle.one("SELECT n FROM item WHERE id = :id", {"id": "i3"}) == {"n": 3}
    assert handle.one("SELECT n FROM item WHERE id = ?", "nobody") is None
    assert [row["n"] for row in handle.all("SELECT n FROM item WHERE n < ? ORDER BY n", 3)] == [0, 1, 2]
    assert handle.execute("UPDATE item SET label = NULL WHERE n < 4") == 4
    assert handle.execute("UPDATE item SET label = NULL WHERE n > 99") == 0
    assert handle.execute("SELECT 1") == 0


def test_changes_past_the_cap_are_unknown_and_not_none(monkeypatch):
    """A call that writes more rows than can be listed leaves the end state unknown, in words."""
    monkeypatch.setattr(sqlite_state, "MAX_CHANGED_ROWS", 5)
    state = opened()
    state.begin("write")
    state.handle.execute("UPDATE item SET label = NULL")
    assert state.keep() == ()
    assert "10 rows" in state.changes_unknown


def test_a_statement_that_ends_the_transaction_itself_is_not_hidden():
    """`ON CONFLICT ROLLBACK` ends the call's transaction: what is written after it and cannot be undone is unknown, not unsaid."""
    state = opened()
    state.begin("write")
    with pytest.raises(apsw.ConstraintError):
        state.handle.execute("INSERT OR ROLLBACK INTO item(id) VALUES ('i1')")
    state.handle.execute("UPDATE strict_one SET n = 9")
    state.undo()
    assert "transaction" in state.changes_unknown


@pytest.mark.parametrize("effect", ["read", "write"])
def test_a_savepoint_left_open_does_not_reach_the_next_call(effect):
    """Whatever a call leaves open is closed with it."""
    state = opened()
    state.begin(effect)
    state.handle.execute("SAVEPOINT mine")
    state.keep()
    state.begin("write")
    state.handle.execute("UPDATE strict_one SET n = 3")
    assert [change.path for change in state.keep()] == ["strict_one/s"]


def test_a_cached_statement_is_no_way_around_the_watch():
    """Statements that the harness runs itself stay closed to tools, also after it ran them."""
    state = opened()
    for _ in range(3):
        state.begin("write")
        state.handle.execute("UPDATE strict_one SET n = n + 1")
        state.keep()
    state.begin("read")
    for sql in ("PRAGMA query_only=OFF", "BEGIN", "COMMIT; PRAGMA query_only=ON", "PRAGMA query_only=OFF; BEGIN"):
        with pytest.raises(ToolError):
            state.handle.execute(sql)
    with pytest.raises(WorldError):
        state.handle.execute("UPDATE strict_one SET n = 0")


def test_no_file_can_be_reached(tmp_path):
    """A trial cannot read or write any file, by whatever statement."""
    state = opened()
    for effect in ("read", "write"):
        state.begin(effect)
        for sql in (f"ATTACH '{tmp_path}/a.db' AS a", f"VACUUM INTO '{tmp_path}/b.db'", "SELECT load_extension('x')"):
            with pytest.raises((ToolError, apsw.Error)):
                state.handle.execute(sql)
        state.undo()
    assert list(tmp_path.iterdir()) == []


def test_each_trial_has_its_own_time_also_in_threads():
    """SQL tells the time of the trial that runs it."""
    times = [f"2026-01-0{day}T00:00:00Z" for day in range(1, 9)]
    found = {}

    def trial(now):
        state = opened(now=now)
        for _ in range(30):
            state.begin("read")
            found.setdefault(now, set()).add(state.handle.one("SELECT datetime('now') AS now, CURRENT_TIMESTAMP AS stamp")["now"])
            state.keep()
        state.close()

    threads = [threading.Thread(target=trial, args=(now,)) for now in times]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {now: {now.replace("T", " ").removesuffix("Z")} for now in times}


def test_a_trial_can_be_closed_under_a_running_statement():
    """An agent that was given up may still be in a tool in its thread: closing does not raise, and the statement is cut short."""
    state = opened()
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS n FROM n"
    running, found = threading.Event(), []

    def work():
        running.set()
        try:
            state.handle.all(endless)
        except apsw.Error as error:
            found.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    running.wait(30)
    time.sleep(0.05)
    state.close()
    thread.join(30)
    assert len(found) == 1


def test_chance_in_sql_is_the_trials_seed():
    """`random()` and `randomblob()` are the same for the same seed."""

    def drawn(seed):
        state = opened(seed=seed)
        state.begin("read")
        return state.handle.one("SELECT random() AS a, hex(randomblob(8)) AS b")

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


@pytest.mark.parametrize("seed", range(6))
def test_the_overlay_is_a_faithful_file(seed):
    """Random work through the overlay ends in the same rows as on a private copy, with an intact file and an intact template."""
    draw = random.Random(seed)
    schema = "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT, b BLOB); CREATE INDEX by_v ON t(v);"
    rows = [{"id": number, "v": f"v{number}", "b": "x" * 50} for number in range(300)]
    prepared = Sqlite(schema=schema).prepare(FixtureData(records={"t": rows}, hash="faithful"), {})
    ours = prepared.open(clock=VirtualClock(), seed=1)
    theirs = apsw.Connection(":memory:")
    theirs.execute(schema).fetchall()
    theirs.executemany("INSERT INTO t VALUES (:id, :v, :b)", rows)
    for _ in range(40):
        ours.begin("write")
        theirs.execute("BEGIN")
        for _ in range(draw.randrange(5)):
            number, size = draw.randrange(400), draw.choice([0, 10, 5000, 20000])
            sql = draw.choice(
                [
                    f"INSERT OR REPLACE INTO t VALUES ({number}, 'n{number}', zeroblob({size}))",
                    f"DELETE FROM t WHERE id % 7 = {number % 7} AND id > {number}",
                    f"UPDATE t SET v = v || 'x', b = zeroblob({size}) WHERE id = {number}",
                ]
            )
            ours.handle.execute(sql)
            theirs.execute(sql)
        if draw.random() < 0.3:
            ours.undo()
            theirs.execute("ROLLBACK")
        else:
            ours.keep()
            theirs.execute("COMMIT")
    query = "SELECT id, v, length(b) AS n FROM t ORDER BY id"
    assert [tuple(row.values()) for row in ours.handle.all(query)] == theirs.execute(query).fetchall()
    assert ours.handle.one("PRAGMA integrity_check") == {"integrity_check": "ok"}
    ours.close()
    theirs.close()
    fresh = prepared.open(clock=VirtualClock(), seed=1)
    assert fresh.handle.all("SELECT * FROM t") == rows
    fresh.close()
