"""E-value of a rate: evidence against "the rate is p0" that may be looked at after every trial, for ever.

Formula: product over trials of (Beta(1/2, 1/2) predictive) / (likelihood at p0)
= B(s + 1/2, f + 1/2) / B(1/2, 1/2) / (p0^s (1 - p0)^f) after s passes and f fails. Reject p0 when it has reached 1 / alpha at any time:
the chance of ever doing so wrongly is at most alpha (Ville). Assumption: trials are independent draws – one a task, or production
traffic. It speaks against rates on both sides of p0. Source: Krichevsky and Trofimov 1981, IEEE Trans. Inf. Theory 27; Ville 1939.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log, log1p

from seatrial.base.errors import UsageError

_LARGEST = 700.0
"""Largest logarithm that is put back: e^700 is near the end of what a number can hold."""


def e_value(passed: int, failed: int, *, rate: float) -> float:
    """Return the e-value against a rate after so many passes and fails; their order does not matter.

    Args:
        passed: Passes, 0 or more.
        failed: Fails, 0 or more.
        rate: The rate to speak against, between 0 and 1, exclusive.

    Returns:
        0 or more, 1 before any trial, at most e^700; 20 rejects at 5 %.

    Raises:
        UsageError: A negative count, or a rate that is not between 0 and 1.
    """
    if min(passed, failed) < 0 or not 0 < rate < 1:
        raise UsageError(f"expected counts of 0 or more and a rate between 0 and 1, not {passed}, {failed} and {rate!r}.")
    mixture = _log_beta(passed + 0.5, failed + 0.5) - _log_beta(0.5, 0.5)
    return exp(min(_LARGEST, mixture - passed * log(rate) - failed * log1p(-rate)))


def path(outcomes: Sequence[bool], *, rate: float) -> list[float]:
    """Return the e-value after each trial.

    Args:
        outcomes: Whether each trial passed, in order.
        rate: The rate to speak against, between 0 and 1, exclusive.

    Returns:
        One e-value a trial.

    Raises:
        UsageError: A rate that is not between 0 and 1.
    """
    passed, found = 0, []
    for trials, outcome in enumerate(outcomes, start=1):
        passed += bool(outcome)
        found.append(e_value(passed, trials - passed, rate=rate))
    return found


def rejected_at(outcomes: Sequence[bool], *, rate: float, alpha: float = 0.05) -> int | None:
    """Return the number of trials after which a rate was rejected.

    Args:
        outcomes: Whether each trial passed, in order.
        rate: The rate to speak against, between 0 and 1, exclusive.
        alpha: Chance of ever rejecting wrongly, above 0 and below 1.

    Returns:
        Trials, 1 or more; `None`: not rejected so far.

    Raises:
        UsageError: A rate or an alpha that is not between 0 and 1.
    """
    if not 0 < alpha < 1:
        raise UsageError(f"alpha must lie between 0 and 1, not {alpha!r}.")
    return next((trials for trials, value in enumerate(path(outcomes, rate=rate), start=1) if value >= 1 / alpha), None)


def _log_beta(first: float, second: float) -> float:
    """Return the logarithm of the beta function."""
    return lgamma(first) + lgamma(second) - lgamma(first + second)
