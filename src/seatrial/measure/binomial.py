"""Intervals of one binomial share: Wilson, Clopper-Pearson, Jeffreys.

Source: Wilson 1927; Clopper and Pearson 1934; Brown, Cai and DasGupta 2001, Statistical Science 16 (Jeffreys, with its ends
closed at 0 and at n).
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from seatrial.base.errors import UsageError
from seatrial.measure.task_count import Interval


def wilson(successes: int, trials: int, *, confidence: float = 0.95) -> Interval:
    """Return Wilson's score interval.

    Args:
        successes: 0 to `trials`.
        trials: 1 or more.
        confidence: Share, 0 to 1.

    Returns:
        The interval; 0 at no success and 1 at nothing but successes are exact.

    Raises:
        UsageError: The counts contradict each other.
    """
    _check(successes, trials)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, weight = successes / trials, z * z / trials
    centre = (share + weight / 2) / (1 + weight)
    half = z / (1 + weight) * sqrt(share * (1 - share) / trials + weight / (4 * trials))
    return Interval(0.0 if successes == 0 else centre - half, 1.0 if successes == trials else centre + half)


def clopper_pearson(successes: int, trials: int, *, confidence: float = 0.95) -> Interval:
    """Return the exact interval: at least `confidence` coverage whatever the share.

    Args:
        successes: 0 to `trials`.
        trials: 1 or more.
        confidence: Share, 0 to 1.

    Returns:
        The interval.

    Raises:
        UsageError: The counts contradict each other.
    """
    _check(successes, trials)
    failures, tail = trials - successes, (1 - confidence) / 2
    lower = _beta_quantile(successes, failures + 1, tail) if successes else 0.0
    return Interval(lower, _beta_quantile(successes + 1, failures, 1 - tail) if failures else 1.0)


def jeffreys(successes: int, trials: int, *, confidence: float = 0.95) -> Interval:
    """Return Jeffreys' interval with its ends closed: 0 at no success, 1 at nothing but successes.

    Args:
        successes: 0 to `trials`.
        trials: 1 or more.
        confidence: Share, 0 to 1.

    Returns:
        The interval.

    Raises:
        UsageError: The counts contradict each other.
    """
    _check(successes, trials)
    failures, tail = trials - successes, (1 - confidence) / 2
    lower = _beta_quantile(successes + 0.5, failures + 0.5, tail) if successes else 0.0
    return Interval(lower, _beta_quantile(successes + 0.5, failures + 0.5, 1 - tail) if failures else 1.0)


def _check(successes: int, trials: int) -> None:
    """Raise `UsageError` unless 0 <= successes <= trials and trials >= 1."""
    if trials < 1 or not 0 <= successes <= trials:
        raise UsageError(f"expected 0 <= successes <= trials and at least one trial, not {successes} of {trials}.")


def _beta_quantile(alpha: float, beta: float, share: float) -> float:
    """Return a quantile of a beta distribution."""
    from scipy.special import betaincinv

    return float(betaincinv(alpha, beta, share))
