"""Records that tools change as plain dicts: every way of writing and of reading does what it does with plain dicts."""

import copy
import json
import pickle

import msgspec
import pytest

from seatrial.base.errors import SuiteError, WorldError
from seatrial.suite.fixtures import FixtureData
from seatrial.world import Documents, ToolError
from seatrial.world.states._collection import EAGER
from tests.world.builders import open_state, plain

STATE = Documents(keys={"meta": "name"})


def records(more=0):
    users = {
        "ann": {
            "name": "Ann",
            "age": 1,
            "tags": ["a", ["b", {"c": 1}]],
            "home": {"city": {"zip": "1"}, "rooms": [{"n": 1}, {"n": 2}]},
            "ok": True,
        },
        "bob": {"name": "Bob", "age": 2, "tags": [], "home": {"city": {"zip": "2"}, "rooms": []}, "ok": False, "twin": {"x": [1, 2]}},
        "cy": {"name": "Cy", "age": 3, "tags": ["z"], "home": {}, "ok": True},
    }
    users |= {f"u{number}": {"name": f"U{number}", "age": number, "tags": [], "home": {}, "ok": True} for number in range(more)}
    return {"users": users, "meta": {"version": {"name": "version", "number": 1}}}


SIZES = {"eager": 0, "lazy": EAGER + 1}
SHARED = {name: FixtureData(records=records(more), hash=f"documents-{name}") for name, more in SIZES.items()}
PLAIN = {name: records(more) for name, more in SIZES.items()}


def rec(d, key="ann"):
    return d["users"][key]


def _updated_into_another(d):
    other = {}
    other.update(rec(d))
    other["home"]["alias"] = 1


def _match(d):
    match rec(d):
        case {"home": {"city": city}, **rest}:
            city["zip"] = "matched"
            rest["tags"].append("rest")


def _nested_kwargs(d):
    def change(home, **others):
        home["kw"] = 1
        others["tags"].append("kw")

    change(**rec(d))


def _alias_across(d):
    rec(d)["home"] = rec(d, "bob")["home"]
    rec(d, "bob")["home"]["city"]["zip"] = "both"


def _replace_collection(d):
    d["users"] = {key: value for key, value in d["users"].items() if key != "bob"}
    d["users"]["ann"]["age"] = 77


def _loop(d):
    for value in d["users"].values():
        if value["name"] == "Cy":
            value["tags"].append("loop")


def _revert(d):
    rec(d)["age"] = 5
    rec(d)["age"] = 1
    rec(d)["tags"].append("x")
    rec(d)["tags"].pop()


WRITES = {
    "set scalar": lambda d: rec(d).__setitem__("age", 9),
    "set nested": lambda d: rec(d)["home"]["city"].__setitem__("zip", "9"),
    "set item of a list": lambda d: rec(d)["tags"].__setitem__(0, "A"),
    "set in a list of lists": lambda d: rec(d)["tags"][1][1].__setitem__("c", 2),
    "record in a list": lambda d: rec(d)["home"]["rooms"][1].__setitem__("n", 9),
    "append": lambda d: rec(d)["tags"].append({"new": 1}),
    "extend": lambda d: rec(d)["tags"].extend([1, 2]),
    "slice": lambda d: rec(d)["tags"].__setitem__(slice(0, 1), ["p", "q"]),
    "sort": lambda d: rec(d)["home"]["rooms"].sort(key=lambda room: -room["n"]),
    "reverse": lambda d: rec(d)["tags"].reverse(),
    "del field": lambda d: rec(d).__delitem__("age"),
    "pop field": lambda d: rec(d).pop("home")["city"].clear(),
    "pop and put back": lambda d: rec(d).__setitem__("home", rec(d).pop("home")),
    "popitem": lambda d: rec(d, "bob").popitem(),
    "clear field": lambda d: rec(d)["home"].clear(),
    "clear record": lambda d: rec(d).clear(),
    "update": lambda d: rec(d).update({"age": 8, "more": [1]}),
    "update by keyword": lambda d: rec(d).update(age=8),
    "or in place": lambda d: rec(d).__ior__({"age": 8}),
    "setdefault there": lambda d: rec(d).setdefault("home", {})["city"].__setitem__("zip", "s"),
    "setdefault new": lambda d: rec(d).setdefault("pets", []).append("cat"),
    "get": lambda d: rec(d).get("home")["city"].__setitem__("zip", "g"),
    "get of a collection": lambda d: d["users"].get("ann").__setitem__("age", 8),
    "values": _loop,
    "items": lambda d: [value.__setitem__("age", 0) for key, value in d["users"].items() if key == "bob"],
    "list of values": lambda d: next(iter(d["users"].values())).__setitem__("age", 8),
    "sorted": lambda d: sorted(d["users"].values(), key=lambda user: user["name"])[1].__setitem__("age", 8),
    "dict of a record": lambda d: dict(rec(d))["home"].__setitem__("alias", 1),
    "unpacked": lambda d: {**rec(d)}["home"].__setitem__("alias", 1),
    "copy": lambda d: rec(d).copy()["home"].__setitem__("alias", 1),
    "copy.copy": lambda d: copy.copy(rec(d))["home"].__setitem__("alias", 1),
    "copy.deepcopy": lambda d: copy.deepcopy(rec(d))["home"].__setitem__("nowhere", 1),
    "merged": lambda d: (rec(d) | {"x": 1})["home"].__setitem__("alias", 1),
    "merged from the left": lambda d: ({"x": 1} | rec(d))["home"].__setitem__("alias", 1),
    "updated into another": _updated_into_another,
    "keyword arguments": _nested_kwargs,
    "match": _match,
    "alias across records": _alias_across,
    "new record": lambda d: d["users"].__setitem__("dee", {"name": "Dee", "tags": []}),
    "new record, then changed": lambda d: (d["users"].__setitem__("dee", {"t": []}), d["users"]["dee"]["t"].append(1)),
    "delete record": lambda d: d["users"].__delitem__("bob"),
    "pop record": lambda d: d["users"].pop("bob")["home"].clear(),
    "pop a missing record": lambda d: d["users"].pop("nobody", None),
    "popitem of a collection": lambda d: d["users"].popitem(),
    "delete and put back": lambda d: d["users"].__setitem__("ann", d["users"].pop("ann")),
    "replace record": lambda d: d["users"].__setitem__("ann", {"name": "Other"}),
    "replace record by its equal": lambda d: d["users"].__setitem__("ann", copy.deepcopy(rec(d))),
    "update collection": lambda d: d["users"].update({"ann": {"name": "U"}, "eve": {"name": "E"}}),
    "or collection in place": lambda d: d.__getitem__("users").__ior__({"eve": {"name": "E"}}),
    "setdefault collection": lambda d: d["users"].setdefault("eve", {"n": []})["n"].append(1),
    "clear collection": lambda d: d["meta"].clear(),
    "replace collection": _replace_collection,
    "new collection": lambda d: d.__setitem__("orders", {"o1": {"sum": 1}}),
    "delete collection": lambda d: d.__delitem__("meta"),
    "revert": _revert,
    "1 to 1.0": lambda d: rec(d).__setitem__("age", 1.0),
    "1 to true": lambda d: rec(d).__setitem__("age", True),
    "true to 1": lambda d: rec(d).__setitem__("ok", 1),
    "same values under other keys": lambda d: rec(d).__setitem__("old", rec(d).pop("age")),
    "null": lambda d: rec(d).__setitem__("age", None),
    "to another type": lambda d: rec(d).__setitem__("tags", {"a": 1}),
    "tuple": lambda d: rec(d).__setitem__("tags", ("a", "b")),
    "nothing": lambda d: None,
}


def opened(size):
    return open_state(STATE, SHARED[size].records, name=SHARED[size].hash)


def as_json(value):
    return json.loads(json.dumps(value))


def typed(value):
    """Return a value in which true is not 1, and 1 is 1.0."""
    if isinstance(value, dict):
        return {key: typed(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [typed(item) for item in value]
    return (type(value) is bool, value)


def expected(before, after):
    found = {}
    for name in {*before, *after}:
        olds, news = before.get(name, {}), after.get(name, {})
        for key in {*olds, *news}:
            old, new = olds.get(key), news.get(key)
            path = f"{name}/{key}"
            if old is None or new is None:
                found[path] = ("created", None, new) if old is None else ("deleted", old, None)
            elif typed(old) != typed(new):
                fields = [
                    field for field in {**old, **new} if typed(old.get(field)) != typed(new.get(field)) or (field in old) != (field in new)
                ]
                found[path] = ("updated", *({field: side[field] for field in fields if field in side} for side in (old, new)))
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("write", WRITES)
def test_every_way_of_writing_is_seen_and_the_fixture_stays_intact(write, size):
    """State and changes are those of plain dicts, in the same call and in the next; undo takes all of it back."""
    model = copy.deepcopy(PLAIN[size])
    WRITES[write](model)
    model = as_json(model)
    state = opened(size)
    state.begin("write")
    WRITES[write](state.handle)
    assert as_json(state.handle) == model
    changes = state.keep()
    assert {change.path: plain(change) for change in changes} == expected(PLAIN[size], model)
    assert state.changes() == changes
    state.begin("read")
    assert as_json(state.handle) == model
    assert state.keep() == ()
    state.close()
    assert SHARED[size].records == PLAIN[size]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("write", WRITES)
def test_every_way_of_writing_can_be_undone(write, size):
    """After undo the records are as before, in the same order, and nothing is a change."""
    state = opened(size)
    state.begin("write")
    WRITES[write](state.handle)
    state.undo()
    state.begin("read")
    assert as_json(state.handle) == PLAIN[size]
    assert list(state.handle["users"]) == list(PLAIN[size]["users"])
    assert state.keep() == ()
    assert state.changes() == ()


READS = {
    "len": lambda d: (len(d["users"]), len(rec(d)), len(d)),
    "bool": lambda d: (bool(d["users"]), bool(rec(d, "cy")["home"])),
    "in": lambda d: ("ann" in d["users"], "nobody" in d["users"], "age" in rec(d), None in d["users"]),
    "get": lambda d: (d["users"].get("nobody"), d["users"].get("nobody", 1), rec(d).get("nothing", 2)),
    "keys": lambda d: (list(d["users"].keys()), list(rec(d).keys()), list(rec(d))),
    "key sets": lambda d: (sorted(d["users"].keys() & {"ann", "x"}), sorted(rec(d).keys() - {"age"})),
    "values": lambda d: [user["age"] for user in d["users"].values()],
    "items": lambda d: [(key, user["name"]) for key, user in d["users"].items()],
    "length of views": lambda d: (len(d["users"].values()), len(d["users"].items()), len(rec(d).values())),
    "view membership": lambda d: ("Ann" in rec(d).values(), ("age", 1) in rec(d).items()),
    "reversed": lambda d: (list(reversed(d["users"])), list(reversed(rec(d)))),
    "sorted": lambda d: sorted(d["users"]),
    "max": lambda d: max(d["users"].values(), key=lambda user: user["age"])["name"],
    "json": lambda d: (json.dumps(d["users"]), json.dumps(rec(d)), json.dumps(d)),
    "json with indent": lambda d: json.dumps(rec(d), indent=1, sort_keys=True),
    "repr": lambda d: (repr(d["users"]), repr(rec(d)), str(rec(d)["home"])),
    "format": lambda d: f"{rec(d)['home']}",
    "dict": lambda d: dict(d["users"]) == {**d["users"]},
    "equality": lambda d: (rec(d) == rec(d), rec(d) != rec(d, "bob"), d["users"] == {}, d["users"] == dict(d["users"])),
    "equality with plain": lambda d: (
        rec(d)["home"]["rooms"] == [{"n": 1}, {"n": 2}],
        d["meta"] == {"version": {"name": "version", "number": 1}},
    ),
    "copies": lambda d: (d["users"].copy()["ann"], copy.copy(d["users"])["bob"], copy.deepcopy(d["users"])["cy"]),
    "deepcopy is plain": lambda d: [type(x).__name__ for x in (copy.deepcopy(rec(d)), copy.deepcopy(rec(d))["home"])],
    "pickle": lambda d: pickle.loads(pickle.dumps(rec(d))),
    "pickle of a collection": lambda d: pickle.loads(pickle.dumps(d["users"])),
    "isinstance": lambda d: (isinstance(rec(d), dict), isinstance(d["users"], dict), isinstance(rec(d)["tags"], list)),
    "match": lambda d: [1 if isinstance(user, dict) and user["ok"] else 0 for user in d["users"].values()],
    "keyword arguments": lambda d: _names(**rec(d)),
    "merge": lambda d: (rec(d) | {"x": 1}, {"x": 1} | rec(d), len(d["meta"] | {"n": {}}), len({"n": {}} | d["meta"])),
    "comprehension": lambda d: {key: user["age"] for key, user in d["users"].items() if user["ok"]},
    "unpacked list": lambda d: [*rec(d)["tags"]],
    "slice": lambda d: rec(d)["home"]["rooms"][-1:],
    "enumerate": lambda d: [(index, room["n"]) for index, room in enumerate(rec(d)["home"]["rooms"])],
    "msgspec of a record": lambda d: msgspec.json.encode(rec(d)),
    "missing key": lambda d: [
        _error(lambda: d["users"]["nobody"]),
        _error(lambda: rec(d)["nothing"]),
        _error(lambda: d["users"].pop("nobody")),
    ],
    "hash": lambda d: [_error(lambda: hash(d["users"])), _error(lambda: hash(rec(d)))],
}


def _names(**fields):
    return sorted(fields)


def _error(work):
    try:
        work()
    except (KeyError, TypeError) as error:
        return type(error).__name__, error.args if isinstance(error, KeyError) else ""
    return None


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("read", READS)
def test_every_way_of_reading_gives_what_plain_dicts_give(read, size):
    """Reading is as with plain dicts, also after a write, and is no change."""
    model, state = copy.deepcopy(PLAIN[size]), opened(size)
    state.begin("read")
    assert READS[read](state.handle) == READS[read](model)
    assert state.keep() == ()
    state.begin("write")
    for data in (state.handle, model):
        data["users"]["new"] = {"name": "New", "age": 0, "tags": [], "home": {}, "ok": False}
        data["users"]["ann"]["home"]["city"]["zip"] = "read"
    assert READS[read](state.handle) == READS[read](model)
    assert len(state.keep()) == 2
    state.close()


@pytest.mark.parametrize("size", SIZES)
def test_an_answer_may_hold_a_whole_collection(size):
    """Before an answer is encoded past Python's methods, a collection in it loads all its records."""
    state = opened(size)
    state.begin("read")
    answer = state.release({"all": [state.handle["users"]], "one": state.handle["users"]["ann"]})
    assert msgspec.json.decode(msgspec.json.encode(answer))["all"] == [PLAIN[size]["users"]]


def test_what_a_tool_kept_from_an_earlier_call_changes_nothing():
    """A record that a tool remembers beyond its call is no way into the state."""
    state = opened("eager")
    state.begin("write")
    remembered = state.handle["users"]["ann"]
    remembered["age"] = 5
    state.keep()
    remembered["age"] = 6
    remembered["home"]["city"]["zip"] = "later"
    state.begin("write")
    assert state.handle["users"]["ann"]["age"] == 5
    assert state.handle["users"]["ann"]["home"]["city"]["zip"] == "1"
    assert state.keep() == ()


def test_two_records_never_become_one():
    """Records that share a part within a call are copies of their own afterwards, as they are in JSON."""
    state = opened("eager")
    state.begin("write")
    state.handle["users"]["ann"]["home"] = state.handle["users"]["bob"]["home"]
    state.keep()
    state.begin("write")
    state.handle["users"]["bob"]["home"]["city"]["zip"] = "own"
    state.keep()
    state.begin("read")
    assert state.handle["users"]["ann"]["home"]["city"]["zip"] == "2"


def test_a_record_without_end_is_the_tools_error():
    """A structure that holds itself cannot be kept; the call can be undone."""
    state = opened("eager")
    state.begin("write")
    state.handle["users"]["ann"]["self"] = state.handle["users"]["ann"]
    with pytest.raises(RecursionError):
        state.keep()
    state.undo()
    assert state.changes() == ()


def test_a_collection_is_records_by_key():
    """A tool that puts something else in its place has failed."""
    state = opened("eager")
    state.begin("write")
    state.handle["users"] = [1, 2]
    with pytest.raises(ToolError, match="users"):
        state.keep()
    state.undo()
    assert state.changes() == ()


def test_a_read_that_writes_is_named():
    """The error says what changed."""
    state = opened("eager")
    state.begin("read")
    state.handle["users"]["ann"]["tags"].append("x")
    with pytest.raises(WorldError, match="users/ann"):
        state.keep()


@pytest.mark.parametrize(
    ("fixture", "message"),
    [
        ({"claims": [{"number": 1}]}, "record 1.*no key.*claim_id"),
        ({"claims": [{"claim_id": "a"}, {"claim_id": "a"}]}, "record 2.*twice"),
        ({"claims": "text"}, "claims.*not records"),
        ({"claims": [7]}, "record 1.*not an object"),
    ],
)
def test_a_fixture_without_keys_is_refused(fixture, message):
    """The error names collection, record and the way out."""
    with pytest.raises(SuiteError, match=message):
        open_state(Documents(), fixture)


def test_a_tasks_own_records_go_into_collections_that_are_there():
    """A misspelt collection is an error and no new collection."""
    with pytest.raises(SuiteError, match=r"'clams'.*Did you mean 'claims'"):
        open_state(Documents(), {"claims": []}, rows={"clams": [{"id": 1}]})
    assert list(open_state(Documents(), {"claims": []}, rows={"claims": [{"id": 1}]}).handle["claims"]) == ["1"]


def test_keys_are_found_by_custom():
    """`id`, or the collection's singular with `_id`, unless another field is declared."""
    state = open_state(
        Documents(keys={"odd": "x"}), {"claims": [{"claim_id": "c"}], "policies": [{"policy_id": 7}], "odd": [{"id": 1, "x": "y"}]}
    )
    assert {name: list(found) for name, found in state.handle.items()} == {"claims": ["c"], "policies": ["7"], "odd": ["y"]}


def test_sql_is_no_fixture_of_documents():
    """A fixture of the wrong kind is an error of the suite."""
    with pytest.raises(SuiteError, match="SQL"):
        Documents().prepare(FixtureData(sql="SELECT 1"), {})
