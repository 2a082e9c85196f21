"""Beta posterior: what a model says of one task's pass^k and pass@k. It is no unbiased estimate and no bar is held against it.

Formula: with prior Beta(a, b) and c of n trials passed, E[p^k] = product over j < k of (a + c + j) / (a + b + n + j), and
E[pass@k] = 1 - E[(1 - p)^k]. It pulls every task to the prior: eight of eight give 0.53 for pass^8 under a flat one. A mean of such
values over tasks covers 25 % where 95 % is promised, so that suites do not use it.
Source: Hariri et al. 2025, arXiv:2510.04265; moments of a beta law, Johnson, Kotz and Balakrishnan 1995, ch. 25.
"""

from __future__ import annotations

from math import inf, prod

from seatrial.base.errors import UsageError
from seatrial.measure.task_count import Interval, check_draws

FLAT = (1.0, 1.0)
"""Every pass rate is equally likely beforehand."""
JEFFREYS = (0.5, 0.5)


def mean_pass_k(passed: int, trials: int, k: int, *, prior: tuple[float, float] = FLAT) -> float:
    """Return the posterior mean of p^k.

    Args:
        passed: Trials that passed, 0 to `trials`; no trial gives the prior's own mean.
        trials: Trials whose success is known.
        k: Fresh trials, 1 or more; k may be above `trials`, and the value is then the model's alone.
        prior: Parameters of the beta prior, each above 0.

    Returns:
        A share.

    Raises:
        UsageError: The counts contradict each other, k < 1, or the prior is not proper.
    """
    first, second = _posterior(passed, trials, k, prior)
    return prod((first + j) / (first + second + j) for j in range(k))


def mean_pass_at_k(passed: int, trials: int, k: int, *, prior: tuple[float, float] = FLAT) -> float:
    """Return the posterior mean of 1 - (1 - p)^k; arguments and errors as for `mean_pass_k`."""
    first, second = prior
    return 1 - mean_pass_k(trials - passed, trials, k, prior=(second, first))


def interval(passed: int, trials: int, k: int, *, prior: tuple[float, float] = FLAT, confidence: float = 0.95) -> Interval:
    """Return the equal-tailed credible interval of p^k; arguments and errors as for `mean_pass_k`."""
    from scipy.special import betaincinv

    first, second = _posterior(passed, trials, k, prior)
    tails = ((1 - confidence) / 2, (1 + confidence) / 2)
    return Interval(*(float(betaincinv(first, second, tail)) ** k for tail in tails))


def _posterior(passed: int, trials: int, k: int, prior: tuple[float, float]) -> tuple[float, float]:
    """Return the parameters of the posterior after checking the counts and the prior."""
    check_draws(passed, trials, k)
    if not all(0 < parameter < inf for parameter in prior):
        raise UsageError(f"both parameters of a beta prior must be above 0, not {prior}.")
    return prior[0] + passed, prior[1] + trials - passed
