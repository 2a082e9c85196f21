"""The price of an avoided error: a ratio with a meaning only where errors are avoided, and at a cost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base.errors import UsageError
from seatrial.measure.price_of_avoided_error import estimate


@given(st.lists(st.tuples(st.floats(0.01, 5), st.floats(0.01, 1)), min_size=5, max_size=30), st.integers(0, 9))
def test_the_price_lies_in_its_interval_and_between_the_tasks(pairs, seed):
    """It is the ratio of the sums; where every task avoids errors at a cost it lies within the tasks' own prices."""
    cost, avoided = zip(*pairs, strict=True)
    found = estimate(cost, avoided, seed=seed)
    prices = [more / fewer for more, fewer in pairs]
    assert found.value == pytest.approx(sum(cost) / sum(avoided))
    assert min(prices) * (1 - 1e-9) <= found.lower <= found.upper <= max(prices) * (1 + 1e-9)
    assert found == estimate(cost, avoided, seed=seed)


@pytest.mark.parametrize(
    ("cost", "avoided", "why"),
    [
        ([], [], "no task has a known price"),
        ([1.0] * 6, [0.0] * 6, "no error is avoided"),
        ([1.0] * 6, [-0.5] * 6, "no error is avoided"),
        ([-1.0] * 6, [0.5] * 6, "nothing more is paid"),
        ([0.0] * 6, [0.5] * 6, "nothing more is paid"),
    ],
)
def test_without_a_price_there_is_none(cost, avoided, why):
    """Nothing avoided, or nothing paid for it, is no price of 0."""
    found = estimate(cost, avoided)
    assert (found.value, found.lower) == (None, None)
    assert why in found.note


def test_an_uncertain_gain_has_no_interval():
    """Where reweighed tasks may avoid no error the price has no ends; below five tasks neither."""
    assert "not certain" in estimate([1.0] * 6, [0.5, -0.4, 0.3, -0.2, 0.1, 0.0]).note
    assert "5 are needed" in estimate([1.0] * 4, [0.5] * 4).note


def test_sides_of_unequal_length_are_refused():
    """Cost and errors belong to the same tasks."""
    with pytest.raises(UsageError, match="not 1 and 2"):
        estimate([1.0], [0.5, 0.5])
