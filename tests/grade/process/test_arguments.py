"""Expected values: type-aware equality, matchers, normalisers, shares and differences."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base import catalogue
from seatrial.grade.arguments import canonical_form, compile_value
from seatrial.grade.assignment import heaviest_matching, maximum_matching
from seatrial.grade.paths import parse_path, values_at

SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.0, 1.0, -1.5, 1e300]) | st.text(max_size=3)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3), max_leaves=8
)


def typed(value):
    """The value with the type of every boolean written out, so that Python's `==` is type-aware."""
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, dict):
        return {key: typed(part) for key, part in value.items()}
    return [typed(part) for part in value] if isinstance(value, list) else value


@given(VALUES, VALUES)
def test_forms_are_equal_when_the_values_are(one, other):
    """Two values have one form when they are equal with true kept apart from 1; forms are hashable."""
    assert (canonical_form(one) == canonical_form(other)) == (typed(one) == typed(other))
    hash(canonical_form(one))


@given(VALUES)
def test_a_value_matches_itself(value):
    """A literal matches itself in full, and has no differences."""
    matcher = compile_value({"$literal": value})
    assert matcher.matches(value)
    assert matcher.differences(value) == ()
    right, total = matcher.share(value)
    assert right == total >= 1


@given(VALUES, VALUES)
def test_what_does_not_match_has_a_difference(expected, actual):
    """A value matches exactly when no difference is found."""
    matcher = compile_value({"$literal": expected})
    assert matcher.matches(actual) == (not matcher.differences(actual, "x"))


@given(st.lists(SCALARS, max_size=5), st.randoms())
def test_a_set_has_no_order(members, rng):
    """A list compared as a multiset matches every order of itself, and no other number of a member."""
    shuffled = list(members)
    rng.shuffle(shuffled)
    assert compile_value(members, as_set=True).matches(shuffled)
    assert not compile_value(members, as_set=True).matches([*shuffled, None])


@pytest.mark.parametrize(
    ("expected", "right", "wrong"),
    [
        (1, [1, 1.0], [True, "1", 2, None]),
        (True, [True], [1, "true"]),
        ("10", ["10"], [10]),
        ({"$any": True}, [None, 1, {}, []], []),
        ({"$one_of": ["a", {"$range": [1, 2]}]}, ["a", 1, 1.5], ["b", 3, True]),
        ({"$regex": "C-[0-9]+"}, ["C-1"], ["xC-1", "C-1x", 1, None]),
        ({"$range": [1, None]}, [1, 10**20], [0, "x", None, True]),
        ({"$range": ["2024-01-01", "2024-12-31"]}, ["2024-03-05"], ["2025-01-01", 2024]),
        ({"a": [1, {"$any": True}]}, [{"a": [1, None]}], [{"a": [1]}, {"a": [2, 1]}, {"a": [1, 1], "b": 1}, {}]),
        ({"$literal": {"$any": True}}, [{"$any": True}], [1]),
        ([], [[]], [{}, None, [1]]),
        ({}, [{}], [[], {"a": 1}, None]),
    ],
)
def test_matchers(expected, right, wrong):
    """Literals and matchers at any depth."""
    matcher = compile_value(expected)
    assert [matcher.matches(value) for value in right] == [True] * len(right)
    assert [matcher.matches(value) for value in wrong] == [False] * len(wrong)


@pytest.mark.parametrize(
    ("name", "expected", "right", "wrong"),
    [
        ("identifier", "CLM-00123", ["clm 00123", "CLM_00123"], ["CLM-123", None]),
        ("date", "2024-03-05", ["March 5, 2024", "2024/03/05"], ["05/03/2024", "2024-03-06"]),
        ("date_mdy", "2024-05-03", ["05/03/2024"], ["03/05/2024"]),
        ("datetime", "2024-03-05T00:00:00Z", ["2024-03-04T19:00:00-05:00"], ["2024-03-05T00:00:01Z"]),
        ("money", 1250, ["1,250.00", "$1,250", 1250.0], ["1.250", 1251, True]),
        ("money", "$1,250", [1250, "USD 1250"], ["EUR 1250"]),
        ("phone", "+44 20 7946 0018", ["0044 20 7946 0018"], ["20 7946 0018"]),
        ("text", "John Smith", [" john  smith "], ["john smyth"]),
        ("json", {"status": {"$one_of": ["open", "new"]}}, ['{"status": "new"}', {"status": "open"}], ["{", '{"status": "shut"}']),
        ("identifier", ["A-1", "b 2"], [["a1", "B-2"]], [["B-2", "a1"]]),
        ("money", {"$range": [1, "2,000"]}, ["1,250.00"], ["2,000.01", "?"]),
    ],
)
def test_normalisers_bring_both_sides_to_one_form(name, expected, right, wrong):
    """A normaliser applies to both sides, to every scalar within, and what it cannot read matches nothing."""
    matcher = compile_value(expected, normaliser=name)
    assert [matcher.matches(value) for value in right] == [True] * len(right)
    assert [matcher.matches(value) for value in wrong] == [False] * len(wrong)


@pytest.mark.parametrize(
    ("expected", "options"),
    [
        ({"$any": False}, {}),
        ({"$one_of": []}, {}),
        ({"$regex": "("}, {}),
        ({"$regex": 1}, {}),
        ({"$range": [1]}, {}),
        ({"$range": [True, 2]}, {}),
        ({"$from": ""}, {}),
        ({"$from": "a.[x]"}, {}),
        ({"$nope": 1}, {}),
        ({"$any": True, "b": 1}, {}),
        ("05/03/2024", {"normaliser": "date"}),
        ("?", {"normaliser": "money"}),
        (json.loads("[" * 70 + "]" * 70), {}),
    ],
)
def test_a_malformed_expectation_is_refused(expected, options):
    """Unknown and malformed matchers, and values that their normaliser cannot read, are errors of the contract."""
    with pytest.raises(ValueError, match=r"."):
        compile_value(expected, **options)


def test_subset_and_null_hold_at_any_depth():
    """Further keys are fine at any depth with `subset`; null equals missing at any depth with `null_is_missing`."""
    assert compile_value({"f": {"a": 1}}, subset=True).matches({"f": {"a": 1, "b": 2}, "g": 1})
    assert not compile_value({"f": {"a": 1}}, subset=True).matches({"f": {"b": 2}})
    assert compile_value({"f": {"a": 1, "b": None}}, null_is_missing=True).matches({"f": {"a": 1, "c": None}})
    assert not compile_value({"f": {"a": 1, "b": None}}).matches({"f": {"a": 1}})


def test_a_set_of_matchers_is_assigned_and_not_greedy():
    """Members of a multiset with matchers are paired so that all fit, if they can be."""
    assert compile_value([{"$any": True}, 1], as_set=True).matches([1, 2])
    assert not compile_value([{"$any": True}, 1], as_set=True).matches([2, 2])


def test_differences_name_the_paths():
    """A difference has its path, what was expected, and what was there."""
    found = compile_value({"a": [1, 2], "b": {"c": 1}, "d": 1}).differences({"a": [1, 3, 4], "b": {"c": True}, "e": 1}, "with")
    assert [(each.path, each.expected, each.actual) for each in found] == [
        ("with.a[1]", "2", "3"),
        ("with.a[2]", "(absent)", "4"),
        ("with.b.c", "1", "true"),
        ("with.d", "1", "(absent)"),
        ("with.e", "(absent)", "1"),
    ]


def test_shares_count_leaves():
    """Of the expected leaves those that are equal count; what is missing is wrong, what is too many does not count."""
    assert compile_value({"a": 1, "b": [1, 2], "c": {"d": 1}}).share({"a": 1, "b": [1, 3], "z": 1}) == (2, 4)
    assert compile_value({"a": 1}).share("text") == (0, 1)


def test_a_path_reaches_into_values_and_json_texts():
    """Paths name keys, positions and any element; a text on the way is read as JSON."""
    value = {"rows": [{"id": 1}, {"id": 2}], "text": '{"id": 3}'}
    assert values_at(value, parse_path("rows[*].id")) == [1, 2]
    assert values_at(value, parse_path("rows[1].id")) == [2]
    assert values_at(value, parse_path("text.id")) == [3]
    assert values_at(value, parse_path("rows.id[9].x")) == []
    assert values_at(value, parse_path("")) == [value]


def test_a_value_nested_too_deeply_equals_nothing():
    """Hostile nesting is no crash and no match."""
    deep = json.loads("[" * 200 + "]" * 200)
    assert canonical_form(deep) != canonical_form(deep)
    assert not compile_value({"$one_of": [[], 1]}).matches(deep)


@pytest.mark.parametrize("name", catalogue.built_in("normaliser"))
def test_a_normaliser_is_a_documented_function_of_one_value(name):
    """Each plug-in says what it does, and refuses what it cannot read by a ValueError."""
    module = catalogue.load("normaliser", name)
    assert module.__doc__
    if name != "json":
        with pytest.raises(ValueError, match=r"."):
            module.normalise(["x"])


@given(st.integers(1, 4), st.integers(1, 5), st.data())
def test_the_heaviest_matching_is_the_heaviest(lefts, rights, data):
    """The Hungarian method finds the greatest total weight, as trying all permutations does."""
    weights = [[data.draw(st.sampled_from([0, 0.25, 0.5, 1])) for _ in range(rights)] for _ in range(lefts)]
    found = heaviest_matching(weights)
    assert len({right for right in found if right >= 0}) == sum(right >= 0 for right in found) == min(lefts, rights)
    padded = [row + [0] * lefts for row in weights]
    best = max(sum(padded[left][right] for left, right in enumerate(one)) for one in itertools.permutations(range(rights + lefts), lefts))
    assert sum(weights[left][right] for left, right in enumerate(found) if right >= 0) == pytest.approx(best)


@given(st.lists(st.lists(st.integers(0, 4), unique=True, max_size=4), max_size=5))
def test_the_maximum_matching_is_a_maximum(options):
    """Augmenting paths find as many pairs as trying every choice does."""
    found = maximum_matching(options, 5)
    assert all(right < 0 or right in options[left] for left, right in enumerate(found))
    choices = itertools.product(*[[-1, *each] for each in options])
    best = max(sum(right >= 0 for right in one) for one in choices if len({r for r in one if r >= 0}) == sum(r >= 0 for r in one))
    assert sum(right >= 0 for right in found) == best
