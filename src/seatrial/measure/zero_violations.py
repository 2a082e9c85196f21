"""No violation seen is a bound, not zero: the rate that is still possible.

Source: Louis 1981, The American Statistician 35 (the rule of three) – exact form 1 - alpha^(1/m). Counting tasks, not trials,
holds whatever the dependence within a task, because a task shows no violation with at most 1 - its own mean rate.
"""

from __future__ import annotations

from math import expm1, log, log1p

from seatrial.base.errors import UsageError
from seatrial.measure._powers import exponent


def allowed_rate(units: int, *, confidence: float = 0.95) -> float:
    """Return the rate of violations that none in so many independent units still allows.

    Args:
        units: Tasks (the guaranteed bound), or trials (only when trials are independent); 1 or more.
        confidence: One-sided, share, 0 to 1.

    Returns:
        The upper bound of the rate, a share.

    Raises:
        UsageError: There is no unit.
    """
    if units < 1:
        raise UsageError(f"a bound needs at least one unit, not {units}.")
    return -expm1(log(1 - confidence) / units)


def units_needed(rate: float, *, confidence: float = 0.95) -> int:
    """Return how many independent units without a violation show that the rate is at most so much.

    Args:
        rate: The rate to rule out, a share between 0 and 1, exclusive.
        confidence: One-sided, share, 0 to 1.

    Returns:
        The smallest m with (1 - rate)^m <= 1 - confidence.

    Raises:
        UsageError: The rate is not between 0 and 1.
    """
    if not 0 < rate < 1:
        raise UsageError(f"a rate to rule out must lie between 0 and 1, not {rate!r}.")
    return exponent(log1p(-rate), log(1 - confidence))
