"""Pocock's bounds: look at a comparison several times, with the same bound at each look.

Formula: at every look the z statistic must reach C, which makes the chance of a false alarm over all looks alpha. It stops earlier on
large differences than O'Brien and Fleming's bounds and asks more of the last look. Assumptions as there.
Source: Pocock 1977, Biometrika 64; Jennison and Turnbull 2000, ch. 2.
"""

from __future__ import annotations

from seatrial.measure import _group_sequential
from seatrial.measure._group_sequential import Sides


def constant(looks: int, *, alpha: float = 0.05, sides: Sides = 2) -> float:
    """Return C: the bound of every look.

    Args:
        looks: Planned looks, 1 to 10.
        alpha: Chance of a false alarm over all looks.
        sides: 1 or 2.

    Returns:
        C in standard errors; 1.875 for two looks at one-sided 5 %.

    Raises:
        UsageError: Too many looks or none, or an alpha that is no level.
    """
    return _group_sequential.constant(looks, lambda _look: 1.0, alpha, sides)
