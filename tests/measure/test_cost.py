"""Cost: unknown is never zero, tasks are the unit, and an open limit is said to be open."""

from math import isfinite

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seatrial.base.errors import UsageError
from seatrial.measure import cost

tasks = st.lists(st.lists(st.floats(0, 100), min_size=1, max_size=4), min_size=5, max_size=12)


def test_an_unknown_cost_is_none_and_never_zero():
    """Without a known cost there is no mean and no p95."""
    for found in (cost.mean("usd mean", [[], []], unit="usd", unknown=8), cost.p95("usd p95", [[], []], unit="usd", unknown=8)):
        assert (found.value, found.lower, found.upper, found.unknown) == (None, None, None, 8)
        assert found.note == "usd not known"


def test_the_mean_is_over_tasks_and_not_over_trials():
    """A task with many trials counts once."""
    assert cost.mean("calls mean", [[2.0] * 8, [6.0]], unit="calls").value == 4.0


def test_few_tasks_get_no_interval():
    """From fewer than five tasks no spread between tasks is claimed."""
    found = cost.mean("calls mean", [[1.0, 2.0], [5.0]], unit="calls")
    assert (found.lower, found.upper) == (None, None)
    assert "no interval" in found.note


@settings(max_examples=30)
@given(tasks, st.randoms(use_true_random=False))
def test_the_order_of_tasks_and_trials_changes_nothing(costs, random):
    """Another order gives the same estimates, intervals included."""
    other = [sorted(task) for task in costs]
    random.shuffle(other)
    assert cost.mean("m", [sorted(task) for task in costs], unit="usd", seed=1) == cost.mean("m", other, unit="usd", seed=1)
    assert cost.p95("p", costs, unit="usd") == cost.p95("p", other, unit="usd")


@settings(max_examples=30)
@given(tasks)
def test_p95_lies_in_its_interval_and_is_a_cost_that_happened(costs):
    """The p95 is one of the costs, at least its lower limit, and at most its upper limit when it has one."""
    found = cost.p95("p", costs, unit="usd")
    assert found.value in [one for task in costs for one in task]
    assert found.lower <= found.value
    assert found.upper is None or found.upper >= found.value


def test_few_trials_leave_p95_open_above():
    """Twenty trials cannot bound a p95 from above: the limit is open and the note says so."""
    found = cost.p95("p", [[float(task), task + 0.5] for task in range(10)], unit="calls")
    assert found.upper is None
    assert "no finite upper limit from 20 trials" in found.note


@pytest.mark.parametrize("tasks_count", [150, 400])
def test_the_interval_of_a_mean_narrows_with_tasks(tasks_count):
    """Both the bootstrap and Student's t hold the mean; more tasks narrow them."""
    costs = [[float(task % 7)] for task in range(tasks_count)]
    found, few = cost.mean("m", costs, unit="calls"), cost.mean("m", costs[:14], unit="calls")
    assert found.lower < found.value < found.upper
    assert found.upper - found.lower < few.upper - few.lower


@pytest.mark.parametrize("bad", [-0.01, float("nan"), float("inf")])
def test_impossible_costs_are_refused(bad):
    """A cost is finite and not negative."""
    with pytest.raises(UsageError, match="cost"):
        cost.mean("m", [[bad]], unit="usd")


@settings(max_examples=200)
@given(st.lists(st.lists(st.floats(0, allow_infinity=False, allow_nan=False), max_size=4), max_size=12))
def test_no_finite_cost_is_too_much(costs):
    """Any finite costs give an estimate, if need be one without a value or an interval; nothing overflows, no number is infinite."""
    for found in (cost.mean("m", costs, unit="usd"), cost.p95("p", costs, unit="usd")):
        assert all(one is None or isfinite(one) for one in (found.value, found.lower, found.upper))


def test_a_mean_that_cannot_be_told_says_why():
    """Beyond what numbers can add up there is no mean, and the note says so."""
    found = cost.mean("m", [[1e308, 1e308]] * 6, unit="usd")
    assert (found.value, found.lower, found.upper) == (None, None, None)
    assert "no mean is given" in found.note
