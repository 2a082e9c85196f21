"""Two candidates on the same tasks: the difference, its two tests, and their guards, against enumeration and scipy."""

from itertools import product
from math import inf, isfinite

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from seatrial.base.errors import UsageError
from seatrial.measure.paired_difference import BY_T, BY_WEIGHTS, difference, limits
from seatrial.measure.paired_t import paired_t
from seatrial.measure.sign_flip import EXACT, sign_flip
from seatrial.records.estimate import Difference

eighths = st.integers(-8, 8).map(lambda number: number / 8)
shares = st.lists(st.tuples(*[st.integers(0, 8).map(lambda number: number / 8)] * 2), min_size=1, max_size=40)


def compared(pairs) -> Difference:
    """Return the difference of pairs of values."""
    return difference([before for before, _ in pairs], [after for _, after in pairs], name="d", seed=3)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=30), st.floats(-0.2, 0.2))
def test_the_paired_t_test_is_that_of_scipy(values, null):
    """Statistic, limits and all three p values are those of `scipy.stats.ttest_1samp`."""
    assume(np.std(values) > 1e-6)
    ours = paired_t(values, null=null)
    right = {side: ttest_1samp(values, null, alternative=side) for side in ("two-sided", "greater", "less")}
    ends = (*right["two-sided"].confidence_interval(), right["greater"].confidence_interval()[0], right["less"].confidence_interval()[1])
    assert (*ours.two_sided, *ours.one_sided) == pytest.approx(ends, rel=1e-9, abs=1e-12)
    p_values = [right[side].pvalue for side in ("two-sided", "greater", "less")]
    assert (ours.p_two_sided, ours.p_greater, ours.p_less) == pytest.approx(p_values, rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("values", [[], [0.5], [0.0] * 5, [0.25] * 6, [0.1 + 0.2, 0.3, 0.3], [1e-300] * 3])
def test_without_spread_the_t_test_says_nothing(values):
    """Too few tasks, equal differences, and differences equal but for rounding have no t test: not p = 0, not nan."""
    assert paired_t(values) is None


@settings(max_examples=60)
@given(st.lists(eighths, min_size=1, max_size=9))
def test_the_sign_flip_test_counts_every_way(values):
    """The p values are the shares of all 2^m ways, found by going through them."""
    sums = [sum(sign * value for sign, value in zip(signs, values, strict=True)) for signs in product((1, -1), repeat=len(values))]
    seen = sum(values)
    right = [sum(far) / len(sums) for far in ([abs(s) >= abs(seen) for s in sums], [s >= seen for s in sums], [s <= seen for s in sums])]
    found = sign_flip(values)
    assert found.exact
    assert (found.two_sided, found.greater, found.less) == pytest.approx(right)


def test_drawn_ways_come_near_to_all_of_them():
    """With one task more than are counted, the drawn p values lie within the error of the draws, and the seed fixes them."""
    values = [(-1) ** i * (i % 5 + 1) / 8 + 0.0625 for i in range(EXACT + 1)]
    signs = 1 - 2 * ((np.arange(1 << len(values))[:, None] >> np.arange(len(values))) & 1)
    sums, seen = signs @ np.array(values), sum(values)
    right = [np.mean(np.abs(sums) >= abs(seen) - 1e-9), np.mean(sums >= seen - 1e-9), np.mean(sums <= seen + 1e-9)]
    found = sign_flip(values, seed=5)
    assert not found.exact
    assert (found.two_sided, found.greater, found.less) == pytest.approx(right, abs=0.02)
    assert found == sign_flip(values, seed=5)


def test_a_drawn_p_is_never_zero():
    """However far out the difference, the way that was seen counts as one."""
    assert sign_flip([1.0] * 200).two_sided > 0


@settings(max_examples=60)
@given(shares)
def test_a_difference_holds_together(pairs):
    """The estimate is the mean, lies in its interval, the limits lie within the interval's ends, p values are shares, nothing is nan."""
    found = compared(pairs)
    assert found.estimate.value == pytest.approx(sum(after - before for before, after in pairs) / len(pairs))
    assert -1 <= found.estimate.lower <= found.lower < found.upper <= found.estimate.upper <= 1
    assert found.estimate.lower < found.estimate.upper
    assert all(0 < p <= 1 for p in (found.p_value, found.p_worse, found.p_sign_flip))
    assert found.differing == sum(before != after for before, after in pairs)
    assert found.detectable is None or (isfinite(found.detectable) and 0 < found.detectable <= 1)


@settings(max_examples=40)
@given(shares, st.randoms(use_true_random=False))
def test_the_order_of_tasks_changes_nothing(pairs, random):
    """The same pairs in another order give the same difference."""
    other = pairs[:]
    random.shuffle(other)
    first, second = compared(pairs), compared(other)
    numbers = [name for name in ("lower", "upper", "p_value", "p_worse", "detectable") if getattr(first, name) is not None]
    assert (first.detectable is None) == (second.detectable is None)
    assert [getattr(first, name) for name in numbers] == pytest.approx([getattr(second, name) for name in numbers], rel=1e-9)


@settings(max_examples=40)
@given(shares)
def test_the_other_way_round_is_the_other_sign(pairs):
    """Baseline for candidate negates the estimate and the limits, but for the error of the draws, and keeps the two-sided p."""
    there, back = compared(pairs), compared([(after, before) for before, after in pairs])
    assert back.estimate.value == pytest.approx(-there.estimate.value)
    assert back.p_value == pytest.approx(there.p_value, abs=0.02)
    assert back.lower == pytest.approx(-there.upper, abs=0.15 / len(pairs) ** 0.5)


def test_two_candidates_that_never_differ_are_not_called_equal():
    """With no difference p is 1, and the interval still has room: less with more tasks."""
    few, many = compared([(1.0, 1.0)] * 20), compared([(1.0, 1.0)] * 150)
    assert few.p_value == few.p_worse == few.p_sign_flip == 1.0
    assert few.estimate.value == 0.0
    assert few.lower < many.lower < 0 < many.upper < few.upper
    assert few.detectable > many.detectable > 0


@pytest.mark.parametrize("tasks", [6, 12])
def test_a_constant_difference_is_tested_by_sign_flips(tasks):
    """When every task gains the same there is no spread: p is that of sign flips, not the 0 of a t test."""
    found = compared([(0.5, 0.75)] * tasks)
    assert found.estimate.method == BY_WEIGHTS
    assert found.p_value == found.p_sign_flip == 2 / 2**tasks
    assert found.lower < 0.25 < found.upper


def test_students_t_takes_over_at_ten_differing_tasks():
    """Nine differing tasks are weighted, ten use Student's t."""
    nine = [(0.5, 0.5 + (-1) ** i / 8 + 0.125 * (i % 3)) for i in range(9)]
    nine = [(before, after if after != before else before + 0.25) for before, after in nine]
    assert compared(nine + [(1.0, 1.0)] * 9).estimate.method == BY_WEIGHTS
    assert compared([*nine, (1.0, 0.5)]).estimate.method == BY_T


def test_one_task_says_that_it_is_one():
    """A single pair has an interval almost as wide as the scale, no power, and a note."""
    found = compared([(0.0, 1.0)])
    assert found.estimate.note == "one task: the spread between tasks cannot be seen from it"
    assert (found.p_value, found.p_worse, found.detectable) == (1.0, 1.0, None)
    assert found.lower < 0


def test_no_shared_task_is_no_number():
    """Without a pair there is nothing: no 0, no p of 1."""
    found = compared([])
    assert found.estimate.note == "no task is shared"
    assert [found.estimate.value, found.estimate.lower, found.lower, found.upper, found.p_value, found.p_worse] == [None] * 6
    assert (found.tasks, found.differing, found.detectable) == (0, 0, None)


def test_a_scale_without_ends_uses_students_t_or_nothing():
    """Logarithms of costs have no largest difference: few differing tasks still use t, equal ones have no interval."""
    assert limits([0.0, 0.0, 3.5], reach=inf).method == BY_T
    assert limits([0.5, 0.5, 0.5], reach=inf) is None
    assert difference([1.0] * 3, [1.5] * 3, name="d", seed=1, reach=inf).estimate.note == "no interval: the tasks show no spread"


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ([0.5], [0.5, 0.5], "not 1 and 2"),
        ([0.0], [float("nan")], "finite"),
        ([0.0], [1.5], "within -1 to 1; 1.5"),
        ([inf], [inf], "finite"),
    ],
)
def test_values_that_are_no_pairs_are_refused(before, after, words):
    """Other lengths, nan, and differences beyond the scale are errors that name the value."""
    with pytest.raises(UsageError, match=words):
        difference(before, after, name="d", seed=1)
