"""Dirichlet ends: honest at 0 % and 100 %, exact where it can be, independent of the order and of how tasks are grouped."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seatrial.base.errors import UsageError
from seatrial.measure import binomial, dirichlet_ends

shares = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(st.integers(0, 30), st.integers(1, 30))
def test_binary_values_give_jeffreys(passed, tasks):
    """On passes and fails alone the interval is Jeffreys' with closed ends, exactly."""
    passed = min(passed, tasks)
    ours = dirichlet_ends.interval([1.0] * passed + [0.0] * (tasks - passed))
    assert tuple(ours) == pytest.approx(tuple(binomial.jeffreys(passed, tasks)), abs=1e-12)


@settings(max_examples=25)
@given(shares)
def test_the_drawn_interval_agrees_with_the_moments(values):
    """Two standard deviations around the exact mean reach about as far as the drawn interval."""
    exact, drawn = dirichlet_ends.moments(values), dirichlet_ends.interval(values)
    assert drawn.lower < exact.mean < drawn.upper
    assert (drawn.upper - drawn.lower) < 6 * exact.variance**0.5 + 0.01


@settings(max_examples=25)
@given(shares, st.randoms(use_true_random=False))
def test_grouped_values_have_the_same_moments(values, random):
    """One value with a count is the same as the value repeated, in any order."""
    other = values * 2
    random.shuffle(other)
    distinct = sorted(set(other))
    grouped = dirichlet_ends.moments(distinct, [other.count(value) for value in distinct])
    assert grouped == pytest.approx(dirichlet_ends.moments(other))


def test_a_seed_fixes_the_interval_and_another_moves_it_little():
    """Equal seeds give equal ends; other seeds differ by the Monte Carlo error."""
    values = [0.1, 0.4, 0.5, 0.9, 1.0]
    first, again, other = (dirichlet_ends.interval(values, seed=seed) for seed in (1, 1, 2))
    assert first == again != other
    assert tuple(other) == pytest.approx(tuple(first), abs=0.02)


def test_another_scale_is_stretched():
    """On -1 to 1 the interval is that of 0 to 1, stretched."""
    values = [0.25, 0.5, 1.0]
    ours = dirichlet_ends.interval([2 * value - 1 for value in values], low=-1, high=1)
    assert tuple(ours) == pytest.approx(tuple(2 * end - 1 for end in dirichlet_ends.interval(values)))


def test_all_equal_at_an_end_still_has_room():
    """Twenty of twenty is not proof of always: the lower end stays below 1 and the upper is 1."""
    found = dirichlet_ends.interval([1.0] * 20)
    assert 0.85 < found.lower < 0.9
    assert found.upper == 1.0


@pytest.mark.parametrize(("values", "counts"), [([], None), ([1.2], None), ([float("nan")], None), ([0.5], [0]), ([0.5], [1, 2])])
def test_values_off_the_scale_and_bad_counts_are_refused(values, counts):
    """No value, a value outside of the scale, or a count below one is an error."""
    with pytest.raises(UsageError):
        dirichlet_ends.moments(values, counts)
    with pytest.raises(UsageError):
        dirichlet_ends.interval(values, counts)
