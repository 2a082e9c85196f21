"""The variance split, standard errors, the intervals in closed form, and what the split is for: tasks against trials."""

from fractions import Fraction
from itertools import product
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from seatrial.base.errors import UsageError
from seatrial.measure import allocation, effective_wilson, plus_two_t, standard_error, student_t
from seatrial.measure.binomial import wilson
from seatrial.measure.pass_k import pass_k
from seatrial.measure.stratified_mean import Stratum, stratified_mean
from seatrial.measure.task_count import TaskCount, counted
from seatrial.measure.variance_split import paired_split, split

shares = st.lists(st.integers(0, 8).map(lambda eighths: eighths / 8), min_size=2, max_size=12)


def chances(n: int, rate: Fraction) -> list[Fraction]:
    """Return the chance of each number of passes."""
    return [comb(n, c) * rate**c * (1 - rate) ** (n - c) for c in range(n + 1)]


@pytest.mark.parametrize("trials", [(2, 2, 2), (3, 2, 4)])
def test_between_and_within_are_unbiased(trials):
    """Over every outcome of tasks with known rates, the mean of each part before it is cut is its truth."""
    rates = (Fraction(1, 5), Fraction(1, 2), Fraction(9, 10))
    within = noise = spread = Fraction(0)
    for passed in product(*(range(n + 1) for n in trials)):
        chance = Fraction(1)
        for n, c, rate in zip(trials, passed, rates, strict=True):
            chance *= chances(n, rate)[c]
        found = split([counted(c, n) for c, n in zip(passed, trials, strict=True)])
        within += chance * Fraction(found.within)
        noise += chance * Fraction(found.noise)
        spread += chance * Fraction(found.spread)
    assert float(within) == pytest.approx(float(sum(rate * (1 - rate) for rate in rates) / 3))
    assert float(spread - noise) == pytest.approx(float(np.var([float(rate) for rate in rates], ddof=1)))


@given(st.lists(st.integers(0, 6), min_size=2, max_size=10))
def test_the_split_is_the_analysis_of_variance(passed):
    """With equal trials, within is the mean square inside tasks times (n - 1) / n summed as usual, and icc the textbook's, cut at 0."""
    n = 6
    found = split([counted(c, n) for c in passed])
    runs = np.array([[1] * c + [0] * (n - c) for c in passed], dtype=float)
    inside = ((runs - runs.mean(axis=1, keepdims=True)) ** 2).sum() / (len(passed) * (n - 1))
    across = n * runs.mean(axis=1).var(ddof=1)
    assert found.within == pytest.approx(inside)
    assert found.between == pytest.approx(max(0.0, (across - inside) / n))
    assert found.error_new_tasks == pytest.approx(stats.sem(runs.mean(axis=1)))
    assert found.error_this_suite == pytest.approx(sqrt(inside / n / len(passed)))
    if found.icc is not None:
        assert found.icc == pytest.approx(found.between / (found.between + inside))


def test_what_cannot_be_split_is_none_and_never_0():
    """One trial a task shows no noise, one task no spread, no task nothing."""
    single = split([counted(1, 1), counted(0, 1)])
    assert (single.within, single.between, single.icc, single.error_this_suite) == (None, None, None, None)
    assert single.error_new_tasks == pytest.approx(0.5)
    alone = split([counted(3, 4)])
    assert (alone.spread, alone.between, alone.error_new_tasks) == (None, None, None)
    assert alone.within == pytest.approx(0.25)
    nothing = split([TaskCount(0, 0, 4)])
    assert (nothing.value, nothing.tasks, nothing.left_out) == (None, 0, 1)
    assert split([counted(4, 4), counted(4, 4)]).icc is None


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=8))
def test_the_paired_split_adds_up(pairs):
    """What trials add and what tasks differ by make up the spread, unless the first is more than all of it."""
    before, after = ([counted(pair[side], 4) for pair in pairs] for side in (0, 1))
    found = paired_split(before, after)
    assert found.spread == pytest.approx(np.var([(b - a) / 4 for a, b in pairs], ddof=1))
    assert found.between == pytest.approx(max(0.0, found.spread - found.noise))
    assert found.noise == pytest.approx((found.within_before + found.within_after) / 4)
    assert found.task_share is None or 0 <= found.task_share <= 1


def test_a_paired_split_leaves_out_what_one_side_lost():
    """A task that one candidate has no scored trial of is counted, not averaged."""
    found = paired_split([counted(1, 2), TaskCount(0, 0, 2)], [counted(2, 2), counted(2, 2)])
    assert (found.value, found.tasks, found.left_out, found.spread) == (0.5, 1, 1, None)
    with pytest.raises(UsageError, match="same tasks"):
        paired_split([counted(1, 2)], [])


@pytest.mark.parametrize(("n", "k"), [(4, 1), (4, 2), (8, 3)])
def test_the_error_of_this_suite_is_unbiased(n, k):
    """Its square is, over every outcome of one task, the variance of that task's pass^k."""
    rate = Fraction(7, 10)
    weights = chances(n, rate)
    values = [Fraction(comb(c, k), comb(n, k)) for c in range(n + 1)]
    mean = sum(w * v for w, v in zip(weights, values, strict=True))
    truth = sum(w * (v - mean) ** 2 for w, v in zip(weights, values, strict=True))
    two = [(counted(c, n), counted(n - c, n)) for c in range(n + 1)]
    # a second task keeps the sum above 0, so that the cut at 0 never bites
    squares = [Fraction((standard_error.of_this_suite(pair, k) * 2) ** 2) for pair in two]
    mirror = sum(w * Fraction(pass_k(n - c, n, k) ** 2 - (pass_k(n - c, n, 2 * k) or 0)) for c, w in enumerate(weights))
    assert float(sum(w * s for w, s in zip(weights, squares, strict=True)) - mirror) == pytest.approx(float(truth))


def test_an_error_that_cannot_be_estimated_is_none():
    """2k trials a task are needed for these tasks, two tasks for new ones."""
    assert standard_error.of_this_suite([counted(3, 4)], 3) is None
    assert standard_error.of_this_suite([], 1) is None
    assert standard_error.of_new_tasks([0.5]) is None
    assert standard_error.of_new_tasks([1.0, 1.0]) == 0.0


@given(shares, st.sampled_from([0.8, 0.95]))
def test_student_agrees_with_scipy(values, confidence):
    """The interval of a mean is that of the t test."""
    assume(max(values) > min(values))
    right = stats.ttest_1samp(values, 0).confidence_interval(confidence)
    assert student_t.interval(values, confidence=confidence) == pytest.approx((right.low, right.high))
    assert student_t.interval(values[:1]) is None


@given(shares, st.sampled_from([(0.0, 1.0), (-1.0, 1.0)]))
def test_plus_two_is_student_with_the_ends_added(values, ends):
    """It is the t interval of the values and both ends, has width always, and its cut form stays on the scale."""
    low, high = ends
    right = stats.ttest_1samp([*values, low, high], 0).confidence_interval(0.95)
    assert plus_two_t.plus_two(values, low=low, high=high).interval == pytest.approx((right.low, right.high))
    cut = plus_two_t.interval(values, low=low, high=high)
    assert low <= cut.lower < cut.upper <= high


@given(st.integers(1, 30), st.data())
def test_effective_wilson_of_single_trials_is_nearly_wilson(tasks, data):
    """With values of only 0 and 1 the effective trials are the tasks but for Bessel's correction; at both ends they are the tasks."""
    passed = data.draw(st.integers(0, tasks))
    values = [1.0] * passed + [0.0] * (tasks - passed)
    found = effective_wilson.effective_trials(values)
    if tasks < 2:
        assert found is None
    elif 0 < passed < tasks:
        assert found == pytest.approx(tasks - 1)
    else:
        assert effective_wilson.interval(values, law="normal") == pytest.approx(wilson(passed, tasks))


def test_effective_wilson_has_width_when_all_values_are_equal():
    """No spread seen is no certainty."""
    found = effective_wilson.interval([0.3] * 10)
    assert found.lower < 0.15
    assert found.upper > 0.5


@pytest.mark.parametrize("values", [[1.5], [-0.1, 0.5], [float("nan"), 0.5]])
def test_values_beyond_the_scale_are_refused(values):
    """A share is within 0 to 1, whatever makes its interval."""
    with pytest.raises(UsageError, match="within 0 to 1"):
        plus_two_t.plus_two(values)
    with pytest.raises(UsageError, match="within 0 to 1"):
        effective_wilson.interval(values)


@given(st.lists(st.tuples(shares, st.integers(1, 9)), min_size=1, max_size=4))
def test_a_stratified_mean_is_moved_by_results_and_not_by_the_mix(strata):
    """Doubling the tasks of a stratum, or the scale of all weights, leaves the mean."""
    plain = stratified_mean([Stratum(values, weight) for values, weight in strata])
    doubled = stratified_mean([Stratum(values * (1 + (at == 0)), 10 * weight) for at, (values, weight) in enumerate(strata)])
    assert doubled.mean == pytest.approx(plain.mean)
    total = sum(weight for _, weight in strata)
    assert plain.mean == pytest.approx(sum(weight * np.mean(values) for values, weight in strata) / total)
    right = sum((weight / total) ** 2 * np.var(values, ddof=1) / len(values) for values, weight in strata)
    assert plain.variance == pytest.approx(right)


def test_two_equal_strata_have_the_interval_of_welch():
    """With weights one half and one half it is half of Welch's interval of a sum, as scipy has it for a difference."""
    first, second = [0.0, 0.5, 1.0, 1.0], [0.25, 0.5, 0.25]
    found = stratified_mean([Stratum(first, 1), Stratum(second, 1)]).interval()
    right = stats.ttest_ind(first, [-value for value in second], equal_var=False).confidence_interval()
    assert found == pytest.approx((right.low / 2, right.high / 2))


def test_a_stratum_without_tasks_leaves_no_mean():
    """A weight on nothing is unknown, not left out; a single task shows no variance; weight 0 counts for nothing."""
    assert stratified_mean([Stratum([1.0, 0.0], 0.5), Stratum([], 0.5)]).mean is None
    single = stratified_mean([Stratum([1.0], 0.5), Stratum([0.0, 1.0], 0.5)])
    assert (single.mean, single.variance, single.interval()) == (0.75, None, None)
    assert stratified_mean([Stratum([1.0, 0.0], 1), Stratum([], 0)]).mean == 0.5
    for weights in ([], [Stratum([1.0], -1)], [Stratum([1.0], 0)], [Stratum([1.0], float("nan"))]):
        with pytest.raises(UsageError, match="weights"):
            stratified_mean(weights)


@given(
    within=st.floats(0.01, 0.25),
    between=st.floats(0.001, 0.25),
    task_cost=st.floats(0, 50),
    trial_cost=st.floats(0.1, 5),
    other=st.floats(1, 60),
)
def test_no_other_number_of_trials_is_better(within, between, task_cost, trial_cost, other):
    """At one budget the variance at the best number of trials is the least."""

    def variance(trials: float) -> float:
        return (between + within / trials) * (task_cost + trials * trial_cost)

    best = allocation.best_trials(within=within, between=between, task_cost=task_cost, trial_cost=trial_cost)
    assert variance(best) <= variance(other) * (1 + 1e-9)


def test_an_allocation_stays_within_the_budget_and_beats_its_neighbours():
    """Whole tasks and trials, paid for, and no other pair of them has a smaller error."""
    costs = {"within": 0.15, "between": 0.03, "task_cost": 8.0, "trial_cost": 1.0}
    found = allocation.allocate(1000, **costs)
    assert found.tasks * (8 + found.trials) <= 1000
    errors = [sqrt((0.03 + 0.15 / n) / (1000 // (8 + n))) for n in range(1, 65)]
    assert found.error == pytest.approx(min(errors))
    assert found.trials == 1 + errors.index(min(errors))


def test_an_allocation_says_when_it_has_no_answer():
    """Tasks that do not differ, a budget of nothing, and costs that cannot be."""
    assert allocation.best_trials(within=0.1, between=0, task_cost=1, trial_cost=1) is None
    assert allocation.allocate(3, within=0.1, between=0.1, task_cost=9, trial_cost=1) == (0, 1, None)
    for wrong in ({"within": -1}, {"between": -1}, {"task_cost": -1}, {"trial_cost": 0}, {"within": float("nan")}):
        with pytest.raises(UsageError):
            allocation.best_trials(**({"within": 0.1, "between": 0.1, "task_cost": 1, "trial_cost": 1} | wrong))
