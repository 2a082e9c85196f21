"""pass^k and pass@k: unbiased, undefined where they must be, bounded when trials are unknown."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base.errors import UsageError
from seatrial.measure import one_task, pass_at_k, pass_k, pass_rate
from seatrial.measure.bounds import bounds, values
from seatrial.measure.task_count import TaskCount, counted

STATISTICS = [pass_k.STATISTIC, pass_at_k.STATISTIC]


@st.composite
def task_counts(draw, most: int = 9) -> TaskCount:
    planned = draw(st.integers(1, most))
    scored = draw(st.integers(0, planned))
    return TaskCount(draw(st.integers(0, scored)), scored, planned)


@pytest.mark.parametrize("statistic", STATISTICS, ids=lambda one: one.prefix)
@pytest.mark.parametrize(("n", "k"), [(1, 1), (4, 1), (4, 3), (6, 4), (8, 8)])
@pytest.mark.parametrize("rate", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
def test_the_estimate_is_unbiased(statistic, n, k, rate):
    """The mean over every outcome of n trials, weighted by its chance, is the true value."""
    mean = sum(comb(n, c) * rate**c * (1 - rate) ** (n - c) * Fraction(statistic.of_task(c, n, k)) for c in range(n + 1))
    assert abs(float(mean) - float(statistic.of_rate(rate, k))) < 1e-12


def test_the_plug_in_is_not_what_we_compute():
    """pass^k is neither the power of the rate nor the mean of powers."""
    assert pass_k.pass_k(7, 8, 4) == 0.5 != (7 / 8) ** 4


@given(n=st.integers(1, 40), k=st.integers(1, 40), data=st.data())
def test_pass_at_k_is_the_mirror_of_pass_k(n, k, data):
    """At least one passes exactly when not all fail; both are undefined together."""
    c = data.draw(st.integers(0, n))
    ours, mirror = pass_at_k.pass_at_k(c, n, k), pass_k.pass_k(n - c, n, k)
    assert (ours is None) == (mirror is None) == (n < k)
    if ours is not None:
        assert ours == pytest.approx(1 - mirror)


@pytest.mark.parametrize("statistic", STATISTICS, ids=lambda one: one.prefix)
@given(tasks=st.lists(task_counts(most=4), min_size=1, max_size=3), k=st.integers(1, 4))
def test_a_value_without_k_trials_is_known_only_where_nothing_unknown_could_change_it(statistic, tasks, k):
    """Each short task's value is then that of every way in which its unknown trials could have ended; else all short tasks are unknown."""
    every = [{statistic.of_task(one.passed + more, one.planned, k) for more in range(one.unknown + 1)} for one in tasks]
    short = [one.scored < k for one in tasks]
    known = all(len(ends) == 1 and None not in ends for ends, few in zip(every, short, strict=True) if few)
    for one, value, ends, few in zip(tasks, values(tasks, statistic, k), every, short, strict=True):
        assert value == ((next(iter(ends)) if known else None) if few else statistic.of_task(one.passed, one.scored, k))


@given(st.lists(task_counts(), min_size=1, max_size=6))
def test_pass_k_falls_and_pass_at_k_rises_with_k(tasks):
    """More draws can only make all-pass rarer and any-pass likelier; they start equal."""
    most = min(task.scored for task in tasks)
    falls = [pass_k.suite_pass_k(tasks, k) for k in range(1, most + 1)]
    rises = [pass_at_k.suite_pass_at_k(tasks, k) for k in range(1, most + 1)]
    assert falls == sorted(falls, reverse=True)
    assert rises == sorted(rises)
    assert falls[:1] == pytest.approx(rises[:1])


@pytest.mark.parametrize(("passed", "trials", "k"), [(5, 4, 1), (-1, 4, 1), (2, 4, 0), (2, 4, -1)])
def test_contradicting_counts_are_refused(passed, trials, k):
    """More passes than trials, or fewer than one draw, is an error and never a number."""
    for statistic in STATISTICS:
        with pytest.raises(UsageError):
            statistic.of_task(passed, trials, k)


def test_counts_that_contradict_the_plan_are_refused():
    """More scored trials than planned ones is an error."""
    with pytest.raises(UsageError, match="planned"):
        counted(1, 3, 2)


def test_a_suite_with_a_short_task_has_no_value_but_bounds():
    """The mean over the long tasks would be another population, so it stands in the note only."""
    found = pass_k.estimate([TaskCount(4, 4, 4), TaskCount(2, 2, 4)], 4)
    assert found.value is None
    assert (found.bound_low, found.bound_high) == (0.5, 1.0)
    assert "1 of 2 tasks have fewer than 4 scored trials" in found.note


def test_no_task_has_no_value():
    """Nothing is not zero."""
    found = pass_rate.estimate([])
    assert (found.value, found.lower, found.upper, found.note) == (None, None, None, "no task")


@given(st.lists(task_counts(5), min_size=1, max_size=4), st.integers(1, 5))
def test_every_completion_of_unknown_trials_lies_within_the_bounds(tasks, k):
    """Whatever the lost trials would have been, the value lies between both bounds, and both are reached."""
    for statistic in STATISTICS:
        ends = bounds(tasks, statistic, k)
        completed = [
            [statistic.of_task(task.passed + more, task.planned, k) for more in range(task.unknown + 1)]
            for task in tasks
            if task.planned >= k
        ]
        if len(completed) < len(tasks):
            continue
        values = [sum(values) / len(tasks) for values in product(*completed)]
        assert min(values) == pytest.approx(ends.lower)
        assert max(values) == pytest.approx(ends.upper)


@given(st.lists(task_counts(), min_size=2, max_size=12), st.integers(1, 4), st.randoms(use_true_random=False))
def test_the_order_of_tasks_changes_nothing(tasks, k, random):
    """The same tasks in another order give the same estimate, interval included."""
    other = list(tasks)
    random.shuffle(other)
    assert pass_k.estimate(tasks, k, seed=3) == pass_k.estimate(other, k, seed=3)


@given(st.lists(task_counts(), min_size=1, max_size=12), st.integers(1, 4))
def test_the_interval_has_room_and_holds_the_bounds_order(tasks, k):
    """An interval never has zero width and lies on the scale."""
    found = pass_k.estimate(tasks, k)
    assert 0 <= found.lower < found.upper <= 1
    if found.value is not None and found.unknown:
        assert found.bound_low <= found.bound_high


def test_unknown_trials_widen_the_interval_in_both_directions():
    """The lower end takes the lost trials as failed and the upper end as passed."""
    known, lost = [TaskCount(3, 4, 4)] * 20, [TaskCount(3, 4, 6)] * 20
    sure, unsure = pass_k.estimate(known, 1), pass_k.estimate(lost, 1)
    assert unsure.lower < sure.lower
    assert unsure.upper > sure.upper


def test_one_task_alone_speaks_of_itself():
    """With one task the interval is Clopper-Pearson's and claims no other task."""
    found = pass_k.estimate([TaskCount(7, 8, 8)], 4)
    assert found.estimand == "this suite"
    assert (found.lower, found.upper) == pytest.approx((0.0502625423995014, 0.9874208829065748))
    assert tuple(one_task.interval(TaskCount(0, 0, 0), pass_k.STATISTIC, 2)) == (0.0, 1.0)


def test_both_denominators_are_given():
    """Passed trials stand over planned and over scored ones, and lost trials are counted."""
    found = pass_rate.coverage([TaskCount(3, 4, 5), TaskCount(0, 0, 5)])
    assert (found.tasks, found.tasks_scored, found.unknown) == (2, 1, 6)
    assert (found.of_planned, found.of_scored) == (0.3, 0.75)
