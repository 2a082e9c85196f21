"""Binomial intervals, quantiles, and what no violation still allows."""

from fractions import Fraction
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base.errors import UsageError
from seatrial.measure import binomial, quantile, zero_violations

METHODS = [binomial.wilson, binomial.clopper_pearson, binomial.jeffreys]
values = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40)


@pytest.mark.parametrize("method", METHODS)
@given(trials=st.integers(1, 200), data=st.data())
def test_an_interval_holds_the_share_and_mirrors(method, trials, data):
    """The interval holds the observed share; failures and successes change places with its ends."""
    successes = data.draw(st.integers(0, trials))
    ours, mirror = method(successes, trials), method(trials - successes, trials)
    assert 0 <= ours.lower <= successes / trials <= ours.upper <= 1
    assert (ours.lower, ours.upper) == pytest.approx((1 - mirror.upper, 1 - mirror.lower), abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("successes", "trials"), [(1, 0), (0, 0), (3, 2), (-1, 2)])
def test_impossible_counts_are_refused(method, successes, trials):
    """More successes than trials, or no trial, is an error."""
    with pytest.raises(UsageError):
        method(successes, trials)


@given(values, st.floats(0, 1))
def test_the_reported_quantile_happened(numbers, share):
    """`inverted_cdf` is one of the values, whatever their order."""
    ours = quantile.quantile(numbers, share)
    assert ours in numbers
    assert ours == quantile.quantile(sorted(numbers), share)


@pytest.mark.parametrize("definition", quantile.DEFINITIONS)
@given(numbers=values)
def test_every_definition_stays_within_the_values_and_rises(definition, numbers):
    """A quantile lies between the least and the greatest value and never falls with its share."""
    found = [quantile.quantile(numbers, share, definition=definition) for share in (0.05, 0.5, 0.95)]
    span = 1e-9 * (1 + max(map(abs, numbers)))
    assert min(numbers) - span <= found[0] <= found[1] + span <= found[2] + 2 * span <= max(numbers) + 3 * span


def test_harrell_davis_of_one_value_is_that_value():
    """One value has no spread, and equal values have none."""
    assert quantile.harrell_davis([3.0], 0.95) == 3.0
    assert quantile.harrell_davis([2.0] * 5, 0.95) == pytest.approx(2.0)


@given(st.integers(1, 400), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_ranks_cover_at_least_what_they_promise(trials, share):
    """The exact coverage is at least 95 %, and ranks are missing only when no rank would do."""
    found = quantile.order_statistic_interval(trials, share)
    assert found.coverage >= 0.95 - 1e-12
    assert found.upper_rank is None or found.upper_rank <= trials
    assert (found.upper_rank is None) == (trials < quantile.trials_for_finite_upper(share))


@pytest.mark.parametrize(("numbers", "share"), [([], 0.5), ([float("nan")], 0.5), ([float("inf")], 0.5), ([1.0], 1.5)])
def test_quantiles_of_nothing_or_of_no_numbers_are_refused(numbers, share):
    """No value, a value that is not finite, or a share off the scale is an error."""
    with pytest.raises(UsageError):
        quantile.quantile(numbers, share)


def test_a_wrong_definition_names_the_nearest():
    """A typing error is answered with the right name."""
    with pytest.raises(UsageError, match="'hazen'"):
        quantile.quantile([1.0], 0.5, definition="hazn")


@given(st.integers(1, 5000))
def test_no_violation_is_a_bound_that_shrinks(units):
    """The allowed rate falls with more units, and so many units are enough for it."""
    rate = zero_violations.allowed_rate(units)
    assert zero_violations.allowed_rate(units + 1) < rate
    assert zero_violations.units_needed(rate + 1e-9) <= units if rate < 1 else True


@pytest.mark.parametrize("kept", ["0.1", "0.5", "0.9", "0.99", "0.75"])
@pytest.mark.parametrize("power", range(1, 7))
def test_whole_numbers_of_units_are_not_rounded_up(kept, power):
    """Where so many units leave exactly the chance that is allowed, they are enough, whatever the logarithms round to."""
    allowed = float(Fraction(kept) ** power)
    assert zero_violations.units_needed(float(1 - Fraction(kept)), confidence=1 - allowed) == power
    assert quantile.trials_for_finite_upper(float(kept), confidence=1 - allowed, sided=1) == power


def test_a_very_small_rate_needs_as_many_units_as_its_logarithm_says():
    """A rate near the end of a number's digits is not rounded away: ln 20 divided by the rate."""
    assert zero_violations.units_needed(1e-12) == pytest.approx(2.995732273554e12, rel=1e-9)


@pytest.mark.parametrize("rate", [0.0, 1.0, -0.1])
def test_a_rate_that_cannot_be_ruled_out_is_refused(rate):
    """Zero and one are no rates to rule out, and no unit gives no bound."""
    with pytest.raises(UsageError):
        zero_violations.units_needed(rate)
    with pytest.raises(UsageError):
        zero_violations.allowed_rate(0)


def test_means_and_quantiles_are_not_confused():
    """The p95 of costs is no mean."""
    assert quantile.quantile([1.0] * 19 + [100.0], 0.95) == 1.0 != mean([1.0] * 19 + [100.0])
