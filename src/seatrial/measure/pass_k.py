"""pass^k: the chance that k fresh trials of a task all pass.

Source: Yao et al. 2024, tau-bench, arXiv:2406.12045 – C(c, k) / C(n, k) is unbiased; (c / n)^k and the power of the mean are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from seatrial.measure import _reliability
from seatrial.measure.task_count import Statistic, TaskCount, check_draws
from seatrial.records.estimate import Estimate


def pass_k(passed: int, trials: int, k: int) -> float | None:
    """Return the unbiased chance that k fresh trials of one task all pass.

    Args:
        passed: Trials that passed, 0 to `trials`.
        trials: Trials whose success is known.
        k: Fresh trials, 1 or more.

    Returns:
        C(passed, k) / C(trials, k), a share; `None` when trials < k: it cannot be estimated, and is neither 0 nor 1.

    Raises:
        UsageError: The counts contradict each other, or k < 1.
    """
    check_draws(passed, trials, k)
    return None if trials < k else comb(passed, k) / comb(trials, k)


def of_rate(rate: float, k: int) -> float:
    """Return pass^k of a task whose pass rate is known: rate^k."""
    return rate**k


STATISTIC = Statistic("pass^", pass_k, of_rate)


def suite_pass_k(tasks: Sequence[TaskCount], k: int) -> float | None:
    """Return the mean of pass^k over tasks, or `None` when `bounds.values` does not know a task's (or there is no task)."""
    return _reliability.mean_value(tasks, STATISTIC, k)


def estimate(tasks: Sequence[TaskCount], k: int, *, seed: int = 0) -> Estimate:
    """Return pass^k of a suite with its interval over tasks, and its bounds when trials are unknown.

    Args:
        tasks: Counts of each task.
        k: Fresh trials, 1 or more.
        seed: Seed of the interval's draws.

    Returns:
        The estimate, a share; its `value` is `None` when `bounds.values` does not know a task's.
    """
    return _reliability.estimates(tasks, STATISTIC, (k,), seed=seed)[0]
