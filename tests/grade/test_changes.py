"""Net end-state changes: exactly those expected, nothing else."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from seatrial.base.canonical import canonical
from seatrial.base.errors import SuiteError
from seatrial.grade.changes import compare_changes, compile_changes
from seatrial.records.trace import Change
from tests.grade._builders import created, deleted, outcome, raw, updated

ROUTED = {"queue": "water_high", "status": "routed"}


def places(expected, *actual, **options):
    compiled = compile_changes(outcome(expected, **options))
    return [difference.path for difference in compare_changes(compiled, actual)]


def test_exactly_the_expected_changes_pass():
    """The fields that changed are those expected, on the records expected."""
    assert places({"claims/C-1": ROUTED}, updated("claims/C-1", **ROUTED)) == []
    assert places({}) == []


@pytest.mark.parametrize(
    ("actual", "place"),
    [
        ((), "claims/C-1"),
        ((updated("claims/C-1", queue="water_high"),), "claims/C-1/status"),
        ((updated("claims/C-1", queue="fire", status="routed"),), "claims/C-1/queue"),
        ((updated("claims/C-1", **ROUTED, reserve=5),), "claims/C-1/reserve"),
        ((updated("claims/C-1", **ROUTED), updated("claims/C-2", queue="fire")), "claims/C-2"),
        ((updated("claims/C-1", **ROUTED), created("outbox/1", text="hi")), "outbox/1"),
        ((updated("claims/C-1", **ROUTED), deleted("claims/C-9", queue="x")), "claims/C-9"),
        ((deleted("claims/C-1", queue="x"),), "claims/C-1"),
    ],
)
def test_each_deviation_is_named_by_its_path(actual, place):
    """A missing, wrong or further field, record, creation or deletion fails and says where."""
    assert places({"claims/C-1": ROUTED}, *actual) == [place]


def test_null_means_deleted():
    """A record expected as null must be gone."""
    assert places({"claims/C-1": None}, deleted("claims/C-1", queue="x")) == []
    assert places({"claims/C-1": None}, updated("claims/C-1", queue=None)) == ["claims/C-1"]


def test_ignore_removes_fields_and_never_a_creation_or_deletion():
    """A glob hides fields, also of records that changed in nothing else; a created or deleted record is never hidden."""
    ignore = ("*/updated_at", "log/*")
    assert places({"claims/C-1": ROUTED}, updated("claims/C-1", **ROUTED, updated_at="now"), ignore=ignore) == []
    assert places({}, updated("claims/C-1", updated_at="now"), ignore=ignore) == []
    assert places({}, updated("log/1", text="x"), ignore=ignore) == []
    assert places({}, created("log/1", text="x"), ignore=ignore) == ["log/1"]
    assert places({}, deleted("log/1", text="x"), ignore=ignore) == ["log/1"]


def test_numbers_compare_by_value_and_other_types_by_type():
    """1 is 1.0; true is not 1; a text is no number."""
    assert places({"a/1": {"x": 1}}, updated("a/1", x=1.0)) == []
    assert places({"a/1": {"x": 1}}, updated("a/1", x=True)) == ["a/1/x"]
    assert places({"a/1": {"x": 10}}, updated("a/1", x="10")) == ["a/1/x"]


def test_matchers_normalisers_and_sets_hold():
    """Matchers, normalisers by glob and lists as sets work as for arguments."""
    expected = {"a/1": {"x": {"$one_of": [1, 2]}, "day": "3 May 2026", "ids": ["a", "b"]}}
    options = {"normalise": {"a/*/day": "date"}, "as_set": ("*/ids",)}
    assert places(expected, updated("a/1", x=2, day="2026-05-03", ids=["b", "a"]), **options) == []
    assert places(expected, updated("a/1", x=3, day="2026-05-03", ids=["b", "a"]), **options) == ["a/1/x"]
    assert places(expected, updated("a/1", x=1, day="2026-05-04", ids=["b", "a"]), **options) == ["a/1/day"]
    assert places(expected, updated("a/1", x=1, day="2026-05-03", ids=["b", "b"]), **options)


def test_every_non_null_field_of_a_created_record_is_listed_or_is_its_key():
    """A created record may hold nothing unlisted but nulls, and its key once."""
    expected = {"notes/+": {"text": "wet"}}
    assert places(expected, created("notes/N-7", note_id="N-7", text="wet", closed=None)) == []
    assert places(expected, created("notes/N-7", note_id="N-7", text="wet", author="me")) == ["notes/N-7/author"]
    assert places(expected, created("notes/N-7", note_id="N-7", other="N-7", text="wet")) == ["notes/N-7/other"]
    assert places(expected, created("notes/N-7", note_id="N-8", text="wet")) == ["notes/N-7/note_id"]
    assert places({"notes/+": {"text": "wet", "closed": None}}, created("notes/7", id=7, text="wet")) == []


def test_a_composite_key_exempts_each_of_its_parts_once():
    """Parts of a key are joined by commas, percent-encoded."""
    assert places({"seats/+": {"free": True}}, created("seats/AB%2C1,2026", flight="AB,1", year=2026, free=True)) == []


def test_a_created_record_may_be_expected_by_its_key():
    """A named path expects a record whatever became of it; its fields must be the listed ones."""
    assert places({"notes/N-7": {"text": "wet"}}, created("notes/N-7", note_id="N-7", text="wet")) == []
    assert places({"notes/N-7": {"text": "wet"}}, created("notes/N-8", note_id="N-8", text="wet")) == ["notes/N-7", "notes/N-8"]


def test_several_created_records_are_assigned_optimally():
    """A record that fits two expectations is given to the one that nothing else fits."""
    expected = {"notes/+1": {"text": {"$any": True}}, "notes/+2": {"text": "wet"}}
    assert places(expected, created("notes/1", text="wet"), created("notes/2", text="dry")) == []
    assert len(places(expected, created("notes/1", text="dry"), created("notes/2", text="dry"))) == 1
    assert len(places(expected, created("notes/1", text="dry"))) == 1
    assert places(expected, created("notes/1", text="wet"), created("notes/2", text="x"), created("notes/3", text="x")) == ["notes/3"]


def test_what_the_reference_did_is_literal():
    """Values of the reference path are no matchers, and fields that are left out count on neither side."""
    reference = {"claims/C-1": {"queue": {"$any": True}}, "claims/C-2": {"updated_at": "x"}}
    same = updated("claims/C-1", queue={"$any": True})
    assert places(None, same, reference=reference, ignore=("*/updated_at",)) == []
    assert places(None, updated("claims/C-1", queue="x"), reference=reference, ignore=("*/updated_at",))


def test_neither_changes_nor_reference_gives_nothing_to_compare():
    """Without both there is no expectation."""
    assert compile_changes(outcome()) is None


@pytest.mark.parametrize("record", [5, [], "x", {"x": {"$any": 1}}, {"x": {"$from": "a.b"}}, {"x": {"$none": 1}}])
def test_a_change_that_cannot_be_read_is_an_error_of_the_contract(record):
    """A record is an object or null, matchers are known, and no end state refers to a call."""
    with pytest.raises(SuiteError):
        compile_changes(outcome({"claims/C-1": record}))
    with pytest.raises(SuiteError):
        compile_changes(outcome({"claims/+": None}))


VALUES = st.sampled_from(["a", "b", "c"])
EXPECTED = st.lists(st.dictionaries(st.sampled_from(["x", "y"]), VALUES | st.just({"$any": True}), min_size=1), max_size=4)
ACTUAL = st.lists(st.dictionaries(st.sampled_from(["x", "y"]), VALUES, min_size=1), max_size=4)


@given(EXPECTED, ACTUAL)
def test_created_records_match_as_brute_force_says(expected, actual):
    """There is no difference exactly when some assignment gives every expected record one created record that fits."""
    given_changes = {f"r/+{number}": fields for number, fields in enumerate(expected)}
    changes = [Change(f"r/key{number}", "created", after=Raw(canonical(fields))) for number, fields in enumerate(actual)]

    def fits(wanted, record):
        # A field that a created record lacks is null, and null is any value.
        return set(record) <= set(wanted) and all(value == {"$any": True} or value == record.get(name) for name, value in wanted.items())

    possible = len(expected) == len(actual) and any(
        all(fits(wanted, record) for wanted, record in zip(expected, order, strict=True)) for order in itertools.permutations(actual)
    )
    assert (places(given_changes, *changes) == []) == possible


MIXED = st.sampled_from(["a", "", 1, 1.0, True, 0, False, None, [], {}, {"x": "a"}])
FIELDS = st.dictionaries(st.sampled_from(["x", "y", "z"]), MIXED, max_size=3)


@given(FIELDS, FIELDS, st.sampled_from([[], ["r/1/z"], ["r/*"]]), st.sampled_from(["created", "updated", "deleted"]))
def test_a_record_differs_alike_whether_it_is_seen_at_a_glance_or_not(expected, actual, ignore, kind):
    """A matcher beside the literal fields, which rules the glance out, changes nothing about the fields themselves."""
    glanced = places({"r/1": expected}, Change("r/1", kind, after=raw(actual)), ignore=tuple(ignore))
    looked_at = places({"r/1": {**expected, "w": {"$any": True}}}, Change("r/1", kind, after=raw({**actual, "w": 5})), ignore=tuple(ignore))
    assert glanced == looked_at


def test_helpers_are_canonical():
    """The builders write canonical JSON."""
    assert bytes(raw({"b": 1, "a": 2})) == b'{"a":2,"b":1}'
