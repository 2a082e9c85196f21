"""G-Pass@k, consistency, flaky tasks, cover: unbiased where they estimate, counts where they count, undefined where they must be."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base.errors import UsageError
from seatrial.measure import consistency, cover, flaky, g_pass_at_k
from seatrial.measure.pass_at_k import pass_at_k
from seatrial.measure.pass_k import pass_k
from seatrial.measure.task_count import TaskCount


def mean_over_outcomes(value, n: int, rate: Fraction) -> float:
    """Return the mean of a value of (passed, trials) over every outcome of n trials, weighted by its chance."""
    return float(sum(comb(n, c) * rate**c * (1 - rate) ** (n - c) * Fraction(value(c, n)) for c in range(n + 1)))


@st.composite
def outcomes(draw, most: int = 8) -> TaskCount:
    planned = draw(st.integers(1, most))
    scored = draw(st.integers(0, planned))
    return TaskCount(draw(st.integers(0, scored)), scored, planned)


@pytest.mark.parametrize(("n", "k", "share"), [(4, 4, 0.5), (6, 4, 0.75), (8, 3, 0.34), (5, 5, 1.0)])
@pytest.mark.parametrize("rate", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
def test_g_pass_is_unbiased(n, k, share, rate):
    """Its mean over every outcome is the chance that enough of k fresh trials pass, by enumeration of those."""
    least = g_pass_at_k.passes_needed(k, share)
    truth = sum(rate ** sum(fresh) * (1 - rate) ** (k - sum(fresh)) for fresh in product((0, 1), repeat=k) if sum(fresh) >= least)
    assert mean_over_outcomes(lambda c, n: g_pass_at_k.g_pass_at_k(c, n, k, share=share), n, rate) == pytest.approx(float(truth))
    assert g_pass_at_k.of_rate(float(rate), k, share=share) == pytest.approx(float(truth))


@given(n=st.integers(0, 30), k=st.integers(1, 30), data=st.data())
def test_g_pass_lies_between_pass_k_and_pass_at_k(n, k, data):
    """At share 1 it is pass^k, at the least share pass@k, and all three are undefined together."""
    c = data.draw(st.integers(0, n))
    share = data.draw(st.floats(0.01, 1))
    low, middle, high = pass_k(c, n, k), g_pass_at_k.g_pass_at_k(c, n, k, share=share), pass_at_k(c, n, k)
    assert (low is None) == (middle is None) == (high is None) == (n < k)
    assert g_pass_at_k.g_pass_at_k(c, n, k, share=1) == low
    assert g_pass_at_k.g_pass_at_k(c, n, k, share=1 / (2 * k)) == pytest.approx(high)
    if middle is not None:
        assert low <= middle + 1e-12
        assert middle <= high + 1e-12


@pytest.mark.parametrize(("share", "k", "right"), [(0.1, 30, 3), (0.7, 10, 7), (1 / 3, 3, 1), (2 / 3, 3, 2), (0.75, 5, 4), (0.01, 4, 1)])
def test_a_share_of_k_is_rounded_up_as_it_is_written(share, k, right):
    """0.1 of 30 is three, although the product of the two numbers is a little more."""
    assert g_pass_at_k.passes_needed(k, share) == right


@pytest.mark.parametrize("share", [0, -0.1, 1.01, float("nan")])
def test_a_share_that_is_none_is_refused(share):
    """A share lies above 0 and up to 1."""
    with pytest.raises(UsageError, match="above 0 and up to 1"):
        g_pass_at_k.g_pass_at_k(2, 4, 2, share=share)
    with pytest.raises(UsageError, match="above 0 and up to 1"):
        cover.cover([TaskCount(2, 4, 4)], share)


def test_g_pass_of_a_suite_has_interval_and_bounds():
    """Unknown trials are bounds, as for pass^k."""
    found = g_pass_at_k.estimate([TaskCount(4, 4, 4), TaskCount(2, 3, 4), TaskCount(3, 4, 4)], 4, share=0.75)
    assert (found.name, found.value) == ("g-pass(0.75)@4", None)
    assert found.bound_low == pytest.approx(2 / 3)
    assert found.bound_high == pytest.approx(1.0)
    assert found.lower < found.bound_low
    assert found.upper == 1.0


@pytest.mark.parametrize("n", [2, 3, 5, 8])
@pytest.mark.parametrize("rate", [Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10)])
def test_consistency_is_unbiased(n, rate):
    """Its mean over every outcome is (2p - 1)^2, which the plug-in's is not."""
    truth = float((2 * rate - 1) ** 2)
    assert mean_over_outcomes(consistency.consistency, n, rate) == pytest.approx(truth)
    plug_in = mean_over_outcomes(lambda c, n: Fraction(2 * c - n, n) ** 2, n, rate)
    assert plug_in == pytest.approx(truth + float(4 * rate * (1 - rate) / n))


@given(n=st.integers(2, 12), data=st.data())
def test_consistency_is_the_share_of_pairs_that_agree(n, data):
    """It is the mean over all pairs of trials, put onto 0 to 1."""
    trials = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    alike = sum(trials[i] == trials[j] for i in range(n) for j in range(i))
    assert consistency.consistency(sum(trials), n) == pytest.approx(2 * alike / comb(n, 2) - 1)


def test_one_trial_cannot_disagree():
    """Below two trials consistency is undefined, and then for its suite: bounds are given when trials are unknown."""
    assert consistency.consistency(1, 1) is None
    found = consistency.estimate([TaskCount(1, 1, 2), TaskCount(4, 4, 4)])
    assert found.value is None
    assert (found.bound_low, found.bound_high) == (0.0, 1.0)
    assert "1 of 2 tasks have fewer than 2 scored trials" in found.note


@given(st.lists(outcomes(), min_size=2, max_size=5))
def test_the_bounds_of_consistency_hold_every_completion(tasks):
    """Whatever the unknown trials were, the mean lies within the bounds and the interval within 0 to 1."""
    found = consistency.estimate(tasks)
    assert 0 <= found.lower <= found.upper <= 1
    if found.bound_low is None or any(task.planned < 2 for task in tasks):
        return
    for more in product(*(range(task.unknown + 1) for task in tasks)):
        values = [consistency.consistency(task.passed + plus, task.planned) for task, plus in zip(tasks, more, strict=True)]
        assert found.bound_low - 1e-12 <= sum(values) / len(values) <= found.bound_high + 1e-12


def test_a_suite_that_is_always_consistent_has_an_interval_with_room():
    """Twenty tasks that always end alike do not prove that the next one does."""
    found = consistency.estimate([TaskCount(4, 4, 4)] * 10 + [TaskCount(0, 4, 4)] * 10)
    assert found.value == 1.0
    assert 0.5 < found.lower < 1
    assert found.upper == 1.0


def test_no_task_has_no_consistency_and_one_task_no_interval():
    """Nothing is not 0, and the spread between tasks cannot be seen from one."""
    assert consistency.estimate([]).value is None
    alone = consistency.estimate([TaskCount(3, 4, 4)])
    assert (alone.value, alone.lower, alone.estimand) == (0.0, None, "this suite")


@given(st.dictionaries(st.text("abcdef", min_size=1, max_size=3), outcomes(), max_size=8))
def test_flaky_tasks_are_those_that_did_both(tasks):
    """Each listed task passed and failed, none that did is missing, and its interval holds its rate."""
    found = flaky.flaky(tasks)
    assert {row.task for row in found} == {task for task, count in tasks.items() if 0 < count.passed < count.scored}
    distances = [abs(row.passed / row.scored - 0.5) for row in found]
    assert distances == sorted(distances)
    assert all(0 < row.interval.lower < row.passed / row.scored < row.interval.upper < 1 for row in found)


def test_cover_counts_what_was_seen():
    """Tasks without a scored trial are in neither count."""
    tasks = [TaskCount(3, 4, 4), TaskCount(4, 4, 4), TaskCount(1, 4, 4), TaskCount(0, 0, 4), TaskCount(7, 10, 10)]
    assert cover.cover(tasks, 0.75) == (2, 4, 1)
    assert cover.cover(tasks, 0.7) == (3, 4, 1)
    assert cover.cover([], 0.5) == (0, 0, 0)
