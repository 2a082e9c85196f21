"""Cost per success: failed trials are paid for, and without a success there is no price."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base.errors import UsageError
from seatrial.measure import cost_per_success

tasks = st.lists(st.tuples(st.floats(0, 50), st.sampled_from([0.0, 0.25, 0.5, 1.0])), min_size=5, max_size=20)


def test_failed_trials_are_paid_for():
    """Two dollars a trial and every second one passes: four dollars a success."""
    assert cost_per_success.estimate([2.0] * 6, [0.5] * 6).value == 4.0


def test_without_a_success_there_is_no_price():
    """It is not zero and not infinite: it is not known, and the note says why."""
    found = cost_per_success.estimate([2.0] * 6, [0.0] * 6)
    assert (found.value, found.lower, found.upper, found.note) == (None, None, None, "no success")
    assert cost_per_success.estimate([], []).note == "no task"


@given(tasks)
def test_the_price_lies_in_its_interval(rows):
    """And the interval is the same for the same seed."""
    costs, shares = [cost for cost, _ in rows], [share for _, share in rows]
    found = cost_per_success.estimate(costs, shares, seed=3)
    assert found == cost_per_success.estimate(costs, shares, seed=3)
    if found.value is not None:
        assert 0 <= found.lower <= found.upper
        smallest, largest = min(costs), max(costs)
        assert smallest <= found.lower * (1 + 1e-9) or max(shares) < 1
        assert largest / min(share for share in shares if share) * len(rows) >= found.value


def test_few_tasks_get_no_interval():
    """From fewer than five tasks no spread between tasks is claimed."""
    found = cost_per_success.estimate([1.0, 3.0], [1.0, 1.0])
    assert (found.value, found.lower, found.upper) == (2.0, None, None)
    assert "no interval: 2 tasks" in found.note


@pytest.mark.parametrize(("costs", "shares"), [([1.0], []), ([-1.0], [0.5]), ([float("nan")], [0.5]), ([1.0], [1.5])])
def test_impossible_numbers_are_refused(costs, shares):
    """A cost is finite and not negative, a pass rate a share, and there is one of each a task."""
    with pytest.raises(UsageError):
        cost_per_success.estimate(costs, shares)
