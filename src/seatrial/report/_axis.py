"""The axis of a figure: where a value lies, and where round values stand beside it."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import NamedTuple

_WIDE = 20
"""From this ratio of the largest to the smallest value on an axis of positive values is logarithmic."""


class Axis(NamedTuple):
    """A scale from values to lengths."""

    low: float
    """The value at its start; its logarithm where it is logarithmic."""
    high: float
    start: float
    """Where it starts, in units of the figure."""
    end: float
    logarithmic: bool
    ticks: tuple[float, ...]
    """Round values on it, rising."""

    def at(self, value: float) -> float:
        """Return where a value lies."""
        number = log10(value) if self.logarithmic else value
        return self.start + (number - self.low) / (self.high - self.low) * (self.end - self.start)


def axis(values: Sequence[float], start: float, end: float, *, may_be_logarithmic: bool = False) -> Axis:
    """Return an axis on which values have some air on both sides.

    Args:
        values: The values; at least one.
        start: Where it starts, in units of the figure.
        end: Where it ends.
        may_be_logarithmic: Whether values that are far apart may be drawn by their logarithms.
    """
    low, high = min(values), max(values)
    if may_be_logarithmic and low > 0 and high / low >= _WIDE:
        bottom, top = log10(low), log10(high)
        air = 0.06 * (top - bottom)
        return Axis(bottom - air, top + air, start, end, logarithmic=True, ticks=_decades(bottom - air, top + air))
    air = 0.08 * (high - low) or abs(high) * 0.1 or 0.1
    return Axis(low - air, high + air, start, end, logarithmic=False, ticks=_steps(low - air, high + air))


def _decades(low: float, high: float) -> tuple[float, ...]:
    """Return the powers of ten between two logarithms, and their twofold and fivefold where the powers are few."""
    factors = (1.0, 2.0, 5.0) if high - low < 2 else (1.0, 3.0) if high - low < 3 else (1.0,)
    found = [factor * 10.0**power for power in range(floor(low) - 1, ceil(high) + 1) for factor in factors]
    return tuple(value for value in found if low <= log10(value) <= high)


def _steps(low: float, high: float) -> tuple[float, ...]:
    """Return four to nine multiples of 1, 2 or 5 times a power of ten between two values."""
    raw = (high - low) / 6
    power = 10.0 ** floor(log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if raw <= factor * power)
    return tuple(round(index * step, 12) for index in range(ceil(low / step), floor(high / step) + 1))
