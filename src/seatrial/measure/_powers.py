"""How often a share has to be multiplied by itself before it is small enough; what two sample sizes are made of."""

from __future__ import annotations

from math import ceil

_ROUNDING = 1e-9
"""Room for a ratio of logarithms that is a whole number but for the last bits."""


def exponent(log_share: float, log_bound: float) -> int:
    """Return the smallest n, 1 or more, with share^n <= bound.

    Args:
        log_share: Logarithm of the share, below 0.
        log_bound: Logarithm of the bound, below 0.
    """
    return max(1, ceil(log_bound / log_share - _ROUNDING))
