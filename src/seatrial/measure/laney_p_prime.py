"""Laney's p' chart: limits for the pass rate of a day when days differ by more than chance.

Formula: z_i = (p_i - p) / sqrt(p (1 - p) / n_i); sigma_z = mean |z_i - z_(i-1)| / 1.128; limits p +- 3 sigma_z sqrt(p (1 - p) / n).
The plain p-chart is sigma_z = 1. Assumption: the window that gives the limits was in control and is frozen; with the day in question
inside it, a shift widens the limits that should show it. Source: Laney 2002, Quality Engineering 14.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import fsum, sqrt
from typing import NamedTuple

from seatrial.base.errors import UsageError
from seatrial.measure.task_count import Interval

D2 = 1.128
"""Mean range of two standard normal values, to the digits that control charts use."""
WIDTH = 3.0
"""Standard deviations from centre to limit."""


class Limits(NamedTuple):
    """The frozen limits of a chart."""

    centre: float
    """Pass rate over the window's trials, a share."""
    sigma_z: float | None
    """How much more than chance days differ, 1: not more; `None`: fewer than two days, or every trial ended alike."""
    z: tuple[float, ...]
    """Standardised rate of each day of the window; empty when every trial ended alike."""

    def at(self, trials: int) -> Interval | None:
        """Return Laney's limits for a day of so many trials, not cut to 0 to 1; `None` when days show no spread."""
        return None if self.sigma_z is None else self._around(WIDTH * self.sigma_z, trials)

    def plain_at(self, trials: int) -> Interval:
        """Return the limits of the plain p-chart for a day of so many trials, not cut to 0 to 1."""
        return self._around(WIDTH, trials)

    def _around(self, width: float, trials: int) -> Interval:
        half = width * sqrt(self.centre * (1 - self.centre) / trials)
        return Interval(self.centre - half, self.centre + half)


def limits(passed: Sequence[int], trials: Sequence[int]) -> Limits:
    """Return the limits that a window in control gives.

    Args:
        passed: Passed trials of each day.
        trials: Scored trials of each day, 1 or more, in the same order.

    Returns:
        Centre, spread of days, standardised rates.

    Raises:
        UsageError: No day, another number of counts, or counts that contradict each other.
    """
    if not passed or len(passed) != len(trials) or any(n < 1 or not 0 <= x <= n for x, n in zip(passed, trials, strict=False)):
        raise UsageError(f"expected one count of passes within each day's trials, not {passed[:5]} of {trials[:5]}.")
    centre = sum(passed) / sum(trials)
    if not 0 < centre < 1:
        return Limits(centre, None, ())
    z = tuple((x / n - centre) / sqrt(centre * (1 - centre) / n) for x, n in zip(passed, trials, strict=True))
    moves = [abs(after - before) for before, after in pairwise(z)]
    return Limits(centre, fsum(moves) / len(moves) / D2 if moves else None, z)
