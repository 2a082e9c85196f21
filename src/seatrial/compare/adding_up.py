"""Parts that still add up after they were rounded.

Rounding each part by itself loses the sum. Here every part is rounded down to the grid and the steps that are missing go to the parts
that lost most (largest remainders). A part that lies on the grid – above all one of exactly nothing – stays what it is.

Source: Balinski and Young 1982, Fair Representation, ch. 2 (Hamilton's method).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

GRID = 2**40
"""Steps of a share: sums of such numbers are exact in floating point, and a step is far below anything that is ever printed."""


def on_grid(value: Fraction, grid: int = GRID) -> int:
    """Return a number in whole steps of the grid, the nearest.

    Args:
        value: The number.
        grid: Steps of 1.
    """
    return floor(value * grid + Fraction(1, 2))


def adding_up(parts: Sequence[Fraction], total: int, grid: int = GRID) -> list[int]:
    """Return the parts in whole steps of the grid, so that they add up to a total.

    Args:
        parts: The exact parts.
        total: Their sum in steps, rounded up or down.
        grid: Steps of 1.

    Returns:
        One number of steps a part, in their order; none is a step or more away from the exact one.

    Raises:
        ValueError: The total is a step or more away from the sum of the parts.
    """
    exact = [part * grid for part in parts]
    steps = [floor(part) for part in exact]
    missing = total - sum(steps)
    lost = sorted((index for index, part in enumerate(exact) if part != steps[index]), key=lambda index: steps[index] - exact[index])
    if not 0 <= missing <= len(lost):
        raise ValueError(f"the parts add up to {float(sum(exact)):g} steps, not to {total}")
    for index in lost[:missing]:
        steps[index] += 1
    return steps
