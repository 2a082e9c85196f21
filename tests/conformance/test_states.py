"""What every kind of state must do, whatever it is made of; a new one is picked up by its file and asks for its editor here."""

import threading
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from seatrial.base import catalogue
from seatrial.base.errors import SuiteError, WorldError
from seatrial.world import Documents, Sqlite
from tests.world.builders import open_state, plain

KINDS = catalogue.built_in("state")
RECORDS = {
    "claims": [{"claim_id": f"C-{number}", "queue": None, "amount": number} for number in range(20)],
    "notes": [{"note_id": "N-1", "queue": "text", "amount": 1.5}],
}
KEYS = {"claims": "claim_id", "notes": "note_id"}
SCHEMA = "".join(f"CREATE TABLE {name}({key} TEXT PRIMARY KEY NOT NULL, queue TEXT, amount NUMERIC);" for name, key in KEYS.items())


class SqlEditor:
    """Edits and reads a SQLite database."""

    def __init__(self, state):
        self.handle = state.handle

    def put(self, collection, record):
        marks = ", ".join("?" for _ in record)
        self.handle.execute(f"INSERT INTO {collection}({', '.join(record)}) VALUES ({marks})", *record.values())

    def set(self, collection, key, field, value):
        self.handle.execute(f"UPDATE {collection} SET {field} = ? WHERE {KEYS[collection]} = ?", value, key)

    def delete(self, collection, key):
        self.handle.execute(f"DELETE FROM {collection} WHERE {KEYS[collection]} = ?", key)

    def read(self, collection):
        return {row[KEYS[collection]]: row for row in self.handle.all(f"SELECT * FROM {collection}")}


class DictEditor:
    """Edits and reads nested dicts."""

    def __init__(self, state):
        self.handle = state.handle

    def put(self, collection, record):
        self.handle[collection][record[KEYS[collection]]] = record

    def set(self, collection, key, field, value):
        self.handle[collection][key][field] = value

    def delete(self, collection, key):
        del self.handle[collection][key]

    def read(self, collection):
        return {key: dict(record) for key, record in self.handle[collection].items()}


@dataclass(frozen=True)
class Kind:
    """How a kind of state is made and edited."""

    state: object
    editor: type


MAKERS = {
    "sqlite": lambda: Kind(Sqlite(schema=SCHEMA), SqlEditor),
    "documents": lambda: Kind(Documents(keys=KEYS), DictEditor),
}


@pytest.fixture(params=KINDS)
def kind(request):
    assert request.param in MAKERS, f"say in MAKERS how a state of kind {request.param!r} is edited"
    return MAKERS[request.param]()


def opened(kind, **more):
    state = open_state(kind.state, RECORDS, name="conformance", **more)
    return state, kind.editor(state)


def written(state, *edits):
    """Make edits in one call that is kept and return its changes."""
    state.begin("write")
    for edit in edits:
        edit()
    return state.keep()


def seen(changes):
    return {change.path: plain(change) for change in changes}


def test_the_same_edits_give_the_same_changes(kind):
    """Created and deleted records come whole, updated ones with the changed fields only, sorted by path."""
    state, edit = opened(kind)
    changes = written(
        state,
        lambda: edit.set("claims", "C-3", "queue", "water"),
        lambda: edit.put("claims", {"claim_id": "C-99", "queue": "fire", "amount": 2}),
        lambda: edit.delete("notes", "N-1"),
        lambda: edit.set("claims", "C-1", "amount", 7),
        lambda: edit.set("claims", "C-1", "queue", "x"),
    )
    assert seen(changes) == {
        "claims/C-1": ("updated", {"queue": None, "amount": 1}, {"queue": "x", "amount": 7}),
        "claims/C-3": ("updated", {"queue": None}, {"queue": "water"}),
        "claims/C-99": ("created", None, {"claim_id": "C-99", "queue": "fire", "amount": 2}),
        "notes/N-1": ("deleted", {"note_id": "N-1", "queue": "text", "amount": 1.5}, None),
    }
    assert [change.path for change in changes] == sorted(change.path for change in changes)
    assert state.changes() == changes
    state.close()


@pytest.mark.parametrize("field_and_values", [("queue", [None, "a", "a/b,c%", "é\U0001f30a", "1"]), ("amount", [0, 1, -5, 2**40, 1.5])])
def test_values_come_as_they_were_written(kind, field_and_values):
    """Text, numbers and null arrive in the change as they are."""
    field, values = field_and_values
    state, edit = opened(kind)
    for value in [*values, "reset"][: len(values)]:
        written(state, lambda value=value: edit.set("claims", "C-5", field, value))
        expected = {} if value == {"queue": None, "amount": 5}[field] else {"claims/C-5": value}
        assert {change.path: plain(change)[2][field] for change in state.changes()} == expected
    state.close()


def test_what_is_written_and_reverted_is_no_change(kind):
    """Net changes compare the end with the beginning, over calls as within one."""
    state, edit = opened(kind)
    assert written(state, lambda: edit.set("claims", "C-1", "queue", "a"), lambda: edit.set("claims", "C-1", "queue", None)) == ()
    written(state, lambda: edit.set("claims", "C-1", "queue", "a"))
    written(state, lambda: edit.put("claims", {"claim_id": "new", "queue": "q", "amount": 1}))
    written(state, lambda: edit.delete("claims", "C-2"))
    written(state, lambda: edit.set("claims", "C-1", "queue", None))
    written(state, lambda: edit.delete("claims", "new"))
    written(state, lambda: edit.put("claims", {"claim_id": "C-2", "queue": None, "amount": 2}))
    assert state.changes() == ()
    state.close()


def test_an_undone_call_leaves_nothing(kind):
    """Undo takes back every write of the call and none of the calls before."""
    state, edit = opened(kind)
    written(state, lambda: edit.set("claims", "C-1", "queue", "kept"))
    before = edit.read("claims")
    state.begin("write")
    edit.set("claims", "C-1", "queue", "dropped")
    edit.delete("claims", "C-0")
    edit.put("claims", {"claim_id": "new", "queue": "q", "amount": 1})
    state.undo()
    assert edit.read("claims") == before
    assert list(edit.read("claims")) == list(before)
    assert seen(state.changes()) == {"claims/C-1": ("updated", {"queue": None}, {"queue": "kept"})}
    state.close()


def test_a_call_that_is_declared_to_read_keeps_no_write(kind):
    """A write within a read is refused as the suite's error, at once or when the call closes, and nothing of it stays."""
    state, edit = opened(kind)

    def write():
        state.begin("read")
        edit.set("claims", "C-1", "queue", "x")
        state.keep()

    with pytest.raises(WorldError):
        write()
    state.undo()
    assert state.changes() == ()
    assert edit.read("claims")["C-1"]["queue"] is None
    written(state, lambda: edit.set("claims", "C-1", "queue", "y"))
    assert list(seen(state.changes())) == ["claims/C-1"]
    state.close()


def test_keys_cannot_forge_paths(kind):
    """A slash, a comma or a percent sign within a key is encoded, so that two records never share a path."""
    state, edit = opened(kind)
    changes = written(
        state, *(lambda key=key: edit.put("claims", {"claim_id": key, "queue": "q", "amount": 1}) for key in ("a/b", "a,b", "a%2Fb", ""))
    )
    assert sorted(seen(changes)) == ["claims/", "claims/a%252Fb", "claims/a%2Cb", "claims/a%2Fb"]
    state.close()


def test_rows_of_the_task_are_the_beginning_and_no_change(kind):
    """A task's own rows replace those of equal key, add others, and are not part of the changes."""
    state, edit = opened(
        kind, rows={"claims": [{"claim_id": "C-1", "queue": "task", "amount": 9}, {"claim_id": "T-1", "queue": "t", "amount": 0}]}
    )
    found = edit.read("claims")
    assert (found["C-1"], len(found)) == ({"claim_id": "C-1", "queue": "task", "amount": 9}, 21)
    assert state.changes() == ()
    written(state, lambda: edit.set("claims", "C-1", "queue", None))
    assert seen(state.changes()) == {"claims/C-1": ("updated", {"queue": "task"}, {"queue": None})}
    state.close()
    plain_state, plain_edit = opened(kind)
    assert plain_edit.read("claims")["C-1"]["queue"] is None
    plain_state.close()


def test_trials_never_meet(kind):
    """Thirty-two worlds that are written by turns each see their own writes only, and the next one starts fresh."""
    worlds = [opened(kind) for _ in range(32)]
    for turn in range(4):
        for number, (state, edit) in enumerate(worlds):
            written(
                state,
                lambda edit=edit, number=number, turn=turn: edit.set("claims", f"C-{(number + turn) % 20}", "queue", f"{number}.{turn}"),
            )
    for number, (state, _) in enumerate(worlds):
        expected = {f"claims/C-{(number + turn) % 20}": f"{number}.{turn}" for turn in range(4)}
        assert {path: after["queue"] for path, (_, _, after) in seen(state.changes()).items()} == expected
        state.close()
    fresh, edit = opened(kind)
    assert list(edit.read("claims").values()) == RECORDS["claims"]
    fresh.close()


def test_threads_never_meet(kind):
    """The same in eight threads at once."""
    failures = []

    def trial(number):
        try:
            state, edit = opened(kind)
            for turn in range(20):
                written(state, lambda turn=turn: edit.set("claims", f"C-{turn}", "queue", f"{number}"))
            if {after["queue"] for _, _, after in seen(state.changes()).values()} != {f"{number}"}:
                failures.append(number)
            state.close()
        except Exception as error:  # noqa: BLE001 - shown by the assertion below
            failures.append(error)

    threads = [threading.Thread(target=trial, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_row_that_breaks_the_schema_is_named(kind):
    """A record that is no object is an error of the suite that names the collection and the row."""
    with pytest.raises(SuiteError, match=r"claims.*(row|record) 2"):
        open_state(kind.state, {"claims": [RECORDS["claims"][0], "no record"]})


CELL = st.one_of(st.none(), st.text(alphabet="ab/,%é", max_size=3))
NUMBER = st.one_of(st.integers(-5, 5), st.sampled_from([0.5, 2**53]))


class AgainstAModel(RuleBasedStateMachine):
    """Random calls – edits, kept or undone – against plain dicts and a plain comparison of end with beginning."""

    kind_name = ""
    keys = Bundle("keys")

    @initialize(target=keys)
    def begin(self):
        self.kind = MAKERS[self.kind_name]()
        self.state, self.edit = opened(self.kind)
        self.start = {row["claim_id"]: dict(row) for row in RECORDS["claims"]}
        self.model = {key: dict(row) for key, row in self.start.items()}
        self.draft = None
        return "C-0"

    @rule(target=keys, number=st.integers(0, 25))
    def a_key(self, number):
        return f"C-{number}"

    @rule()
    def open_call(self):
        if self.draft is None:
            self.state.begin("write")
            self.draft = {key: dict(row) for key, row in self.model.items()}

    @rule(key=keys, queue=CELL, amount=NUMBER)
    def put(self, key, queue, amount):
        if self.draft is not None and key not in self.draft:
            record = {"claim_id": key, "queue": queue, "amount": amount}
            self.edit.put("claims", record)
            self.draft[key] = dict(record)

    @rule(key=keys, queue=CELL)
    def set_queue(self, key, queue):
        if self.draft is not None and key in self.draft:
            self.edit.set("claims", key, "queue", queue)
            self.draft[key]["queue"] = queue

    @rule(key=keys, amount=NUMBER)
    def set_amount(self, key, amount):
        if self.draft is not None and key in self.draft:
            self.edit.set("claims", key, "amount", amount)
            self.draft[key]["amount"] = amount

    @rule(key=keys)
    def delete(self, key):
        if self.draft is not None and key in self.draft:
            self.edit.delete("claims", key)
            del self.draft[key]

    @rule()
    def look(self):
        if self.draft is not None:
            assert self.edit.read("claims") == self.draft

    @rule(kept=st.booleans())
    def close_call(self, kept):
        if self.draft is None:
            return
        if kept:
            assert seen(self.state.keep()) == expected(self.model, self.draft)
            self.model = self.draft
        else:
            self.state.undo()
        self.draft = None

    @invariant()
    def the_net_is_the_difference(self):
        if self.draft is None:
            assert seen(self.state.changes()) == expected(self.start, self.model)
            assert self.state.changes_unknown == ""

    def teardown(self):
        self.state.close()


def expected(before, after):
    """Return the changes between two plain collections."""
    found = {}
    for key in {*before, *after}:
        old, new = before.get(key), after.get(key)
        path = f"claims/{key}"
        if old is None or new is None:
            found[path] = ("created", None, new) if old is None else ("deleted", old, None)
        elif old != new:
            fields = [name for name in old if old[name] != new[name]]
            found[path] = ("updated", {name: old[name] for name in fields}, {name: new[name] for name in fields})
    return found


def _machine(name):
    machine = type(f"AgainstAModel_{name}", (AgainstAModel,), {"kind_name": name})
    machine.TestCase.settings = settings(max_examples=25, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck))
    return machine.TestCase


for _name in KINDS:
    globals()[f"Test_{_name}"] = _machine(_name)
del _name
