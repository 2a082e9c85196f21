"""Bounds for a comparison that is looked at several times: the constant that keeps the chance of a false alarm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Literal

from seatrial.base.errors import UsageError

MOST_LOOKS = 10
Sides = Literal[1, 2]


def constant(looks: int, factor: Callable[[int], float], alpha: float, sides: Sides) -> float:
    """Return the C at which z statistics cross C × factor at any look with chance alpha when nothing differs.

    Args:
        looks: Planned looks, 1 to 10, after equal numbers of tasks.
        factor: Number of a look, from 1 on, to its factor.
        alpha: Chance of a false alarm over all looks.
        sides: 1: only high z alarm; 2: high and low.

    Returns:
        C, to about 1e-4: the normal probability is integrated with a fixed seed.

    Raises:
        UsageError: Too many looks or none, or an alpha that is no level.
    """
    if not 1 <= looks <= MOST_LOOKS:
        raise UsageError(f"looks must be 1 to {MOST_LOOKS}, fixed in advance, not {looks!r}.")
    if not 0 < alpha < 0.5:
        raise UsageError(f"alpha must lie between 0 and 0.5, not {alpha!r}.")
    return _solved([factor(look) for look in range(1, looks + 1)], alpha, sides)


def _solved(shape: Sequence[float], alpha: float, sides: Sides) -> float:
    """Return the C for one factor a look."""
    import numpy as np
    from scipy.optimize import root_scalar
    from scipy.stats import multivariate_normal

    times = np.arange(1, len(shape) + 1)
    correlation = np.sqrt(np.minimum.outer(times, times) / np.maximum.outer(times, times))
    factors = np.asarray(shape, dtype=float)
    below: Callable[..., float] = multivariate_normal.cdf

    def excess(c: float) -> float:
        """Return the chance of a false alarm beyond alpha."""
        upper = c * factors
        lower = -upper if sides == 2 else None
        generator = np.random.Generator(np.random.PCG64(1))
        inside = below(upper, cov=correlation, lower_limit=lower, abseps=1e-5, releps=1e-5, rng=generator)
        return 1 - float(inside) - alpha

    return float(root_scalar(excess, bracket=(0.1, 10 * sqrt(len(shape))), xtol=1e-6).root)
