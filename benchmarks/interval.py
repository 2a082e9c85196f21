"""How long the interval of pass^k takes, against `scipy.stats.bootstrap` over the same tasks in the same run."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from benchmarks._interleave import Comparison, cpu, interleave
from benchmarks._line import Line, against, at_most
from seatrial.measure.pass_k import estimate
from seatrial.measure.task_count import TaskCount

TRIALS = 8
K = 4
RESAMPLES = 10_000
SLICES = 5


def lines() -> Iterator[Line]:
    """Measure 150 tasks, 10,000 tasks, and these with five slices; the peer resamples the same values by percentile."""
    for tasks, slices, limit in ((150, 0, 0.1), (10_000, 0, 2.0), (10_000, SLICES, 2.0)):
        parts = _parts(_counts(tasks), slices)
        name = f"10,000-resample interval of pass^{K}, {tasks:,} tasks x {TRIALS} trials" + (
            f", {slices} slices and overall" if slices else ""
        )
        found = _compared(parts)
        yield at_most(name, found.ours, bar=limit, unit="CPU s")
        yield against(f"{name}, against scipy.stats.bootstrap (for information)", found, bar=None, unit="CPU s")


def _compared(parts: Sequence[list[TaskCount]]) -> Comparison:
    peers = [_peer(part) for part in parts]
    return interleave(
        lambda: cpu(lambda: [estimate(part, K, seed=1) for part in parts]), lambda: cpu(lambda: [peer() for peer in peers]), rounds=3
    )


def _parts(counts: list[TaskCount], slices: int) -> list[list[TaskCount]]:
    """Return all tasks, and every n-th of them as a slice."""
    return [counts, *(counts[first::slices] for first in range(slices))]


def _counts(tasks: int) -> list[TaskCount]:
    draw = random.Random(7)
    chances = [draw.betavariate(4, 1) for _ in range(tasks)]
    return [TaskCount(sum(draw.random() < chance for _ in range(TRIALS)), TRIALS, TRIALS) for chance in chances]


def _peer(counts: list[TaskCount]) -> Callable[[], object]:
    import numpy as np
    from scipy.stats import bootstrap

    from seatrial.measure.pass_k import pass_k

    values = np.array([pass_k(count.passed, count.scored, K) for count in counts])
    options = {"method": "percentile", "n_resamples": RESAMPLES, "vectorized": True, "batch": 100}
    return lambda: bootstrap((values,), np.mean, rng=np.random.default_rng(1), **options)
