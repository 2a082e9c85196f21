"""Looks that were planned, looks without end, and charts of production: false alarms are as rare as they are said to be."""

from itertools import product
from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import betaln

from seatrial.base.errors import UsageError
from seatrial.measure import bernoulli_cusum, beta_posterior, e_value, laney_p_prime, obrien_fleming, pocock

outcomes = st.lists(st.booleans(), max_size=40)
RATES = {"expected": 0.9, "dropped": 0.8}


def false_alarms(bounds: list[float], sides: int) -> float:
    """Return the chance that a Brownian path crosses at some look, by integrating from look to look (Armitage et al. 1969)."""
    nodes, weights = np.polynomial.legendre.leggauss(151)
    inside = None
    for look, bound in enumerate(bounds, start=1):
        high = bound * sqrt(look)
        low = -high if sides == 2 else min(high - 1, -9 * sqrt(look))
        at, mass = low + (high - low) * (nodes + 1) / 2, weights * (high - low) / 2
        density = stats.norm.pdf(at) if inside is None else stats.norm.pdf(at[:, None] - inside[0][None, :]) @ inside[1]
        inside = (at, mass * density)
    return 1 - float(inside[1].sum())


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("looks", [1, 2, 5])
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_planned_looks_keep_the_level(looks, sides, alpha):
    """Both kinds of bounds cross with chance alpha when nothing differs, by another way to integrate."""
    assert false_alarms(obrien_fleming.bounds(looks, alpha=alpha, sides=sides), sides) == pytest.approx(alpha, abs=1e-4)
    flat = [pocock.constant(looks, alpha=alpha, sides=sides)] * looks
    assert false_alarms(flat, sides) == pytest.approx(alpha, abs=1e-4)


def test_one_look_is_the_ordinary_test_and_first_looks_ask_for_much():
    """With one look the bound is the normal quantile; O'Brien and Fleming ask most of the first look, Pocock the same of all."""
    assert obrien_fleming.constant(1) == pytest.approx(stats.norm.ppf(0.975), abs=1e-4)
    assert pocock.constant(1, sides=1) == pytest.approx(stats.norm.ppf(0.95), abs=1e-4)
    bounds = obrien_fleming.bounds(3, sides=1)
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] < pocock.constant(3, sides=1) < bounds[0]


@pytest.mark.parametrize(("looks", "alpha"), [(0, 0.05), (11, 0.05), (2, 0.0), (2, 0.5), (2, float("nan"))])
def test_looks_that_cannot_be_planned_are_refused(looks, alpha):
    """Looks are few and fixed in advance, and alpha is a level."""
    for function in (obrien_fleming.constant, pocock.constant):
        with pytest.raises(UsageError):
            function(looks, alpha=alpha)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.8])
def test_the_e_value_is_a_fair_game(rate):
    """Over every path of eight trials at the rate it speaks against, its mean is 1, and it crosses 20 in at most 5 % of them."""
    mean = crossed = 0.0
    for path in product((False, True), repeat=8):
        chance = rate ** sum(path) * (1 - rate) ** (8 - sum(path))
        mean += chance * e_value.path(path, rate=rate)[-1]
        crossed += chance * (e_value.rejected_at(path, rate=rate) is not None)
    assert mean == pytest.approx(1)
    assert crossed <= 0.05


@given(outcomes, st.floats(0.01, 0.99))
def test_the_e_value_is_the_product_of_its_bets(trials, rate):
    """Each step multiplies by the predicted chance of the outcome over its chance at the rate."""
    product_of_bets, passed, found = 1.0, 0, e_value.path(trials, rate=rate)
    for made, (outcome, ours) in enumerate(zip(trials, found, strict=True)):
        predicted = (passed + 0.5) / (made + 1)
        product_of_bets *= predicted / rate if outcome else (1 - predicted) / (1 - rate)
        passed += outcome
        assert ours == pytest.approx(product_of_bets, rel=1e-6)
    assert e_value.e_value(0, 0, rate=rate) == 1


def test_an_e_value_beyond_what_a_number_holds_is_cut():
    """A million fails against a rate of 0.9 is no overflow."""
    assert np.isfinite(e_value.e_value(0, 10**6, rate=0.9))
    assert e_value.rejected_at([False] * 9, rate=0.9) == 2


@given(outcomes)
def test_the_cusum_is_the_worst_stretch_of_evidence(trials):
    """After each trial it is the largest sum of log-likelihood ratios over a stretch that ends there, or 0."""
    steps = [np.log(0.8 / 0.9) if passed else np.log(0.2 / 0.1) for passed in trials]
    for end, ours in enumerate(bernoulli_cusum.path(trials, **RATES), start=1):
        assert ours == pytest.approx(max(0.0, *(sum(steps[start:end]) for start in range(end))))


def test_an_alarm_comes_when_the_threshold_is_reached():
    """Three fails in a row add up to 2.08; without them there is no alarm."""
    assert bernoulli_cusum.alarm_at([True, False, False, False], **RATES, threshold=2) == 4
    assert bernoulli_cusum.alarm_at([True] * 50, **RATES, threshold=2) is None


@pytest.mark.parametrize(("rate", "threshold"), [(0.9, 2.0), (0.8, 3.0), (0.5, 4.0)])
def test_the_mean_run_length_is_what_simulation_gives(rate, threshold):
    """The Markov chain agrees with 20,000 simulated runs within five standard errors."""
    generator = np.random.Generator(np.random.PCG64(7))
    up, down = np.log(2), np.log(0.8 / 0.9)
    total, lengths, made = np.zeros(20_000), [], 0
    while len(total):
        made += 1
        total = np.maximum(0, total + np.where(generator.random(len(total)) < rate, down, up))
        lengths += [made] * int((total >= threshold).sum())
        total = total[total < threshold]
    found = bernoulli_cusum.run_length(rate, **RATES, threshold=threshold)
    assert abs(found - np.mean(lengths)) < 5 * stats.sem(lengths)


def test_run_lengths_at_the_edges():
    """Nothing but fails alarms after as many as the threshold asks for; nothing but passes never."""
    assert bernoulli_cusum.run_length(0, **RATES, threshold=2) == pytest.approx(3)
    assert bernoulli_cusum.run_length(1, **RATES, threshold=2) == inf


@pytest.mark.parametrize("rates", [(0.8, 0.9), (0.9, 0.9), (1.0, 0.9), (0.9, 0.0)])
def test_rates_of_a_cusum_are_in_order(rates):
    """The dropped rate lies below the expected one, and neither at an end."""
    with pytest.raises(UsageError, match="dropped < expected"):
        bernoulli_cusum.path([True], expected=rates[0], dropped=rates[1])
    with pytest.raises(UsageError, match="threshold"):
        bernoulli_cusum.run_length(0.9, **RATES, threshold=0)


@given(st.lists(st.integers(0, 50), min_size=2, max_size=12).filter(lambda passed: 0 < sum(passed) < 50 * len(passed)))
def test_laneys_limits_are_the_plain_ones_times_sigma(passed):
    """The chart is the plain one stretched by how much more than chance days move."""
    found = laney_p_prime.limits(passed, [50] * len(passed))
    plain, wide = found.plain_at(50), found.at(50)
    assert wide.upper - found.centre == pytest.approx(found.sigma_z * (plain.upper - found.centre))
    assert found.centre == pytest.approx(sum(passed) / 50 / len(passed))
    assert found.plain_at(200).upper - found.centre == pytest.approx((plain.upper - found.centre) / 2)


def test_a_frozen_window_shows_the_shift_that_an_open_one_hides():
    """A last day of 75 % is outside of limits from the days before it, and inside of limits that it made itself."""
    passed, trials = [180, 176, 185, 170, 182, 150], [200] * 6
    assert passed[-1] / 200 < laney_p_prime.limits(passed[:-1], trials[:-1]).at(200).lower
    assert passed[-1] / 200 > laney_p_prime.limits(passed, trials).at(200).lower


def test_a_chart_without_spread_says_so():
    """One day, or days on which everything passed, have no limits; counts that contradict each other are refused."""
    assert laney_p_prime.limits([9], [10]).at(10) is None
    assert laney_p_prime.limits([10, 10], [10, 10]).at(10) is None
    for passed, trials in (([], []), ([5], [4]), ([1, 2], [4]), ([0], [0])):
        with pytest.raises(UsageError, match="each day"):
            laney_p_prime.limits(passed, trials)


@given(n=st.integers(0, 20), k=st.integers(1, 10), prior=st.sampled_from([beta_posterior.FLAT, beta_posterior.JEFFREYS]), data=st.data())
def test_posterior_moments_are_those_of_the_beta_law(n, k, prior, data):
    """E[p^k] and E[pass@k] are ratios of beta functions, and the interval is the law's quantiles to the power of k."""
    c = data.draw(st.integers(0, n))
    first, second = prior[0] + c, prior[1] + n - c
    power, mirror = (np.exp(betaln(a + k, b) - betaln(a, b)) for a, b in ((first, second), (second, first)))
    assert beta_posterior.mean_pass_k(c, n, k, prior=prior) == pytest.approx(power)
    assert beta_posterior.mean_pass_at_k(c, n, k, prior=prior) == pytest.approx(1 - mirror)
    quantiles = stats.beta(first, second).ppf([0.025, 0.975])
    assert beta_posterior.interval(c, n, k, prior=prior) == pytest.approx(quantiles**k, abs=1e-9)


def test_a_posterior_is_pulled_to_its_prior():
    """Eight of eight are 0.53 under a flat prior and 1 without a model: the two are never to be mixed up."""
    assert beta_posterior.mean_pass_k(8, 8, 8) == pytest.approx(9 / 17)
    for prior in ((0, 1), (1, -1), (inf, 1)):
        with pytest.raises(UsageError, match="prior"):
            beta_posterior.mean_pass_k(1, 2, 1, prior=prior)
