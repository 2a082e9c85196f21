"""Equal budget: retries and majorities are what enumerating the trials of a task gives, and nothing is tried again over a write."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seatrial.base.errors import UsageError
from seatrial.measure import equal_budget
from seatrial.measure.equal_budget import TaskTrials
from seatrial.measure.pass_at_k import pass_at_k

trials = st.lists(st.sampled_from("pfv"), min_size=1, max_size=6)


def enumerated_retry(letters, k):
    """Return success, attempts and violated over every order of the trials: p passed, f failed, v broke a rule."""
    orders = [order[:k] for order in permutations(letters)]
    stopped = [order[: order.index("p") + 1] if "p" in order else order for order in orders]
    right = sum(order[-1] == "p" and "v" not in order for order in stopped)
    return [Fraction(total, len(orders)) for total in (right, sum(map(len, stopped)), sum("v" in order for order in stopped))]


def enumerated_majority(letters, k):
    """Return success and violated over every order of the trials."""
    orders = [order[:k] for order in permutations(letters)]
    right = sum(2 * order.count("p") > k and "v" not in order for order in orders)
    return [Fraction(right, len(orders)), Fraction(sum("v" in order for order in orders), len(orders))]


@settings(max_examples=60)
@given(trials, st.data())
def test_retries_are_what_every_order_of_the_trials_gives(letters, data):
    """Success, expected attempts and the chance of a violation, exactly."""
    k = data.draw(st.integers(1, len(letters)))
    found = equal_budget.retry(letters.count("p"), len(letters), k, violated=letters.count("v"))
    assert found == pytest.approx([float(one) for one in enumerated_retry(letters, k)], abs=1e-12)


@settings(max_examples=60)
@given(trials, st.data())
def test_a_majority_is_what_every_order_of_the_trials_gives(letters, data):
    """More than half of k pass and none broke a rule; all k are paid."""
    k = data.draw(st.integers(1, len(letters)))
    found = equal_budget.majority(letters.count("p"), len(letters), k, violated=letters.count("v"))
    success, violated = enumerated_majority(letters, k)
    assert found == pytest.approx([float(success), k, float(violated)], abs=1e-12)


@given(st.integers(1, 30), st.data())
def test_without_a_violation_retrying_succeeds_as_pass_at_k(n, data):
    """The oracle's success is pass@k, and its attempts lie between 1 and k."""
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    found = equal_budget.retry(c, n, k)
    assert found.success == pytest.approx(pass_at_k(c, n, k), abs=1e-12)
    assert 1 <= found.attempts <= k + 1e-9
    assert found.violated == 0.0


@pytest.mark.parametrize("way", [equal_budget.retry, equal_budget.majority])
def test_more_retries_than_trials_are_not_known(way):
    """They are neither 0 nor 1."""
    assert way(3, 3, 4) is None
    assert equal_budget.expected_attempts(0, 2, 3) is None


@pytest.mark.parametrize(("c", "n", "k", "v"), [(4, 3, 1, 0), (1, 3, 0, 0), (2, 3, 1, 2), (0, 3, 1, -1)])
def test_counts_that_contradict_each_other_are_refused(c, n, k, v):
    """Passed and violated trials are different trials of the task."""
    with pytest.raises(UsageError):
        equal_budget.retry(c, n, k, violated=v)


def test_a_task_that_may_have_written_counts_with_its_first_trial():
    """No retry over a committed write: success and cost of such a task do not move with k."""
    written, free = TaskTrials(2, 4, 1.0, again=False), TaskTrials(2, 4, 1.0)
    once, thrice = (equal_budget.baseline([written], k) for k in (1, 3))
    assert (once.success, once.cost) == (thrice.success, thrice.cost) == (0.5, 1.0)
    assert equal_budget.baseline([free], 3).success > 0.5


def test_the_ladder_is_climbed_as_far_as_the_money_goes():
    """The most trials a task whose expected cost fits; none where not even one fits, all where money does not end."""
    steps = equal_budget.ladder([TaskTrials(5, 8, 1.0), TaskTrials(0, 8, 1.0)])
    assert [step.k for step in steps] == list(range(1, 9))
    assert equal_budget.within(steps, 0.99) is None
    assert equal_budget.within(steps, 1.0).k == 1
    chosen = equal_budget.within(steps, 2.5)
    assert chosen.cost <= 2.5 < steps[chosen.k].cost
    assert equal_budget.within(steps, 1e9) is steps[-1]


def test_a_majority_needs_odd_numbers_and_a_ladder_trials():
    """An even number of trials can be split; without a scored trial there is no ladder."""
    assert [step.k for step in equal_budget.ladder([TaskTrials(2, 6, 1.0)], selector="majority")] == [1, 3, 5]
    assert equal_budget.ladder([TaskTrials(2, 6, 1.0), TaskTrials(0, 0, 1.0)]) == ()
    assert equal_budget.ladder([]) == ()
