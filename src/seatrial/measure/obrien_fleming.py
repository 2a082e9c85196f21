"""O'Brien and Fleming's bounds: look at a comparison several times, and hardly ever stop early on little.

Formula: at look k of K the z statistic must reach C sqrt(K / k); C makes the chance of a false alarm over all looks alpha, from the
multivariate normal law with correlation sqrt(i / j). Assumption: K is fixed in advance, tasks come in random order and in equal parts,
all trials of a task together. Source: O'Brien and Fleming 1979, Biometrics 35; Jennison and Turnbull 2000, ch. 2.
"""

from __future__ import annotations

from math import sqrt

from seatrial.measure import _group_sequential
from seatrial.measure._group_sequential import Sides


def constant(looks: int, *, alpha: float = 0.05, sides: Sides = 2) -> float:
    """Return C: the bound of the last look.

    Args:
        looks: Planned looks, 1 to 10.
        alpha: Chance of a false alarm over all looks.
        sides: 1 or 2.

    Returns:
        C in standard errors; 1.678 for two looks at one-sided 5 %.

    Raises:
        UsageError: Too many looks or none, or an alpha that is no level.
    """
    return _group_sequential.constant(looks, lambda look: sqrt(looks / look), alpha, sides)


def bounds(looks: int, *, alpha: float = 0.05, sides: Sides = 2) -> list[float]:
    """Return the z statistic that each look must reach; arguments and errors as for `constant`."""
    c = constant(looks, alpha=alpha, sides=sides)
    return [c * sqrt(looks / look) for look in range(1, looks + 1)]
