"""Ours and theirs by turns: A B A B …, CPU time, median of the per-round ratios.

On a shared machine the same code costs 1.5 times as much from one minute to the next; neighbours in time share the weather.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

Measure = Callable[[], float]
"""Does one round of work and returns its cost, in any unit that both sides share."""


@dataclass(frozen=True)
class Comparison:
    """Two interleaved measurements.

    Args:
        ours: Median cost of ours.
        theirs: Median cost of theirs.
        ratio: Median over rounds of theirs / ours.
        rounds: Rounds measured.
    """

    ours: float
    theirs: float
    ratio: float
    rounds: int


def interleave(ours: Measure, theirs: Measure, *, rounds: int = 7, warm_up: int = 1) -> Comparison:
    """Measure two things by turns.

    Args:
        ours: One round of ours.
        theirs: One round of theirs.
        rounds: Measured rounds.
        warm_up: Rounds that are thrown away before.

    Returns:
        Medians, and the median of the per-round ratios.
    """
    for _ in range(warm_up):
        ours(), theirs()
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    return Comparison(
        statistics.median(own for own, _ in pairs),
        statistics.median(other for _, other in pairs),
        statistics.median(other / own for own, other in pairs),
        rounds,
    )


def cpu(work: Callable[[], object], *, times: int = 1) -> float:
    """Return the CPU seconds of one call of `work`, averaged over a number of calls in this process."""
    gc.collect()
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times


def calibration() -> float:
    """Return the CPU milliseconds of a fixed loop: how fast this machine is in this minute (median of 9)."""

    def loop() -> int:
        total = 0
        for number in range(200_000):
            total += number & 3
        return total

    return statistics.median(cpu(loop) for _ in range(9)) * 1000
