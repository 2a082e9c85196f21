"""Matchers in place of values."""

import pytest

from seatrial.grade.arguments import compile_value


@pytest.mark.parametrize(
    ("bounds", "inside", "outside"),
    [
        ([1, 5], (1, 5.0, 3.5), ("3", "1", True, None, [3], {}, 0.99, "")),
        ([None, 5], (-99, 5), ("3", False, None, 5.01)),
        (["2026-01-01", "2026-02-01"], ("2026-01-15", "2026-01-01"), (20260115, "2026-02-02", None)),
        (["1", "20"], ("3", "20"), (3, 20, "21", True)),
        (["001", None], ("003",), (3, "000")),
    ],
)
def test_a_range_holds_values_of_its_own_type(bounds, inside, outside):
    """Numbers lie between numbers and texts between texts: "3" is not 3, and true is no number."""
    matcher = compile_value({"$range": bounds})
    assert all(matcher.matches(value) for value in inside)
    assert not any(matcher.matches(value) for value in outside)


def test_a_range_under_a_normaliser_compares_normal_forms():
    """An amount lies between two amounts, however it is written."""
    matcher = compile_value({"$range": [1000, "2,000"]}, normaliser="money")
    assert all(matcher.matches(value) for value in (1250, "1250.00", "$1,250", "USD 2000"))
    assert not any(matcher.matches(value) for value in ("999.99", 2001, True, "1.250", None))


@pytest.mark.parametrize("as_set", [True, False])
def test_a_huge_list_is_told_apart_in_a_bounded_number_of_differences(as_set):
    """What an agent sends decides neither the time nor the size of a grade."""
    matcher = compile_value(list(range(1000)), as_set=as_set)
    found = matcher.differences(list(range(7, 150_000)), "ids")
    assert 50 <= len(found) <= 101
    assert matcher.share(list(range(7, 150_000)))[1] == 1000


def test_members_of_a_multiset_are_assigned_beside_matchers():
    """A plain member and a matcher want the same value: the assignment is optimal, whatever the order."""
    expected = [{"$any": True}, 1, {"$range": [1, 2]}, "1"]
    for actual, same in (([1, "1", 2, "x"], True), (["x", 2, "1", 1], True), ([2, "1", 2, "x"], False), ([1, 1, "1", True], True)):
        matcher = compile_value(expected, as_set=True)
        assert matcher.matches(actual) is same
        assert (matcher.differences(actual) == ()) is same
