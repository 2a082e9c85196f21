"""How long the interval of pass^k takes, against `scipy.stats.bootstrap` over the same tasks in the same run."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from benchmarks._interleave import Comparison, cpu, interleave
from benchmarks._line import Line, against, at_most
from seatrial.measure.pass_k import estimate
from seatrial.measure.task_count import TaskCount

TRIALS = 8
K = 4
RESAMPLES = 10_000


def lines() -> Iterator[Line]:
    """Measure 150 tasks and 10,000 tasks of 8 trials; the peer resamples the same values by percentile."""
    for tasks, limit in ((150, 0.1), (10_000, 2.0)):
        counts = _counts(tasks)
        name = f"10,000-resample interval of pass^{K}, {tasks:,} tasks x {TRIALS} trials"
        found = _compared(counts)
        yield at_most(name, found.ours, bar=limit, unit="CPU s")
        yield against(f"{name}, against scipy.stats.bootstrap (for information)", found, bar=None, unit="CPU s")


def _compared(counts: list[TaskCount]) -> Comparison:
    peer = _peer(counts)
    return interleave(lambda: cpu(lambda: estimate(counts, K, seed=1)), lambda: cpu(peer), rounds=3)


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
