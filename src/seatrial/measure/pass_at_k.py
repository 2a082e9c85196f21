"""pass@k: the chance that at least one of k fresh trials of a task passes. Not to be confused with pass^k.

Source: Chen et al. 2021, arXiv:2107.03374 – 1 - C(n - c, k) / C(n, k). The usual short cut `n - c < k: 1` is wrong when n < k.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from seatrial.measure import _reliability
from seatrial.measure.task_count import Statistic, TaskCount, check_draws
from seatrial.records.estimate import Estimate


def pass_at_k(passed: int, trials: int, k: int) -> float | None:
    """Return the unbiased chance that at least one of k fresh trials of one task passes.

    Args:
        passed: Trials that passed, 0 to `trials`.
        trials: Trials whose success is known.
        k: Fresh trials, 1 or more.

    Returns:
        1 - C(trials - passed, k) / C(trials, k), a share; `None` when trials < k.

    Raises:
        UsageError: The counts contradict each other, or k < 1.
    """
    check_draws(passed, trials, k)
    if trials < k:
        return None
    whole = comb(trials, k)
    return (whole - comb(trials - passed, k)) / whole


def of_rate(rate: float, k: int) -> float:
    """Return pass@k of a task whose pass rate is known: 1 - (1 - rate)^k."""
    return 1 - (1 - rate) ** k


STATISTIC = Statistic("pass@", pass_at_k, of_rate)


def suite_pass_at_k(tasks: Sequence[TaskCount], k: int) -> float | None:
    """Return the mean of pass@k over tasks, or `None` when `bounds.values` does not know a task's (or there is no task)."""
    return _reliability.mean_value(tasks, STATISTIC, k)


def estimate(tasks: Sequence[TaskCount], k: int, *, seed: int = 0) -> Estimate:
    """Return pass@k of a suite with its interval over tasks, and its bounds when trials are unknown.

    Args:
        tasks: Counts of each task.
        k: Fresh trials, 1 or more.
        seed: Seed of the interval's draws.

    Returns:
        The estimate, a share; its `value` is `None` when `bounds.values` does not know a task's.
    """
    return _reliability.estimates(tasks, STATISTIC, (k,), seed=seed)[0]
