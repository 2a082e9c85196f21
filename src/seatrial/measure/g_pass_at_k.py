"""G-Pass@k: the chance that at least a share of k fresh trials of a task pass; at share 1 it is pass^k, near 0 it is pass@k.

Formula: sum over j >= ceil(share * k) of C(c, j) C(n - c, k - j) / C(n, k), the tail of a hypergeometric law; unbiased when the n
trials are exchangeable and their number did not depend on what was seen. Source: Liu et al. 2024, arXiv:2412.13147 (G-Pass@k).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil, comb

from seatrial.base.errors import UsageError
from seatrial.measure import _reliability
from seatrial.measure.task_count import Statistic, TaskCount, check_draws
from seatrial.records.estimate import Estimate

_ROUNDING = 1e-9
"""Room for a share such as 0.1 whose product with k is a whole number but for the last bit."""


def g_pass_at_k(passed: int, trials: int, k: int, *, share: float) -> float | None:
    """Return the unbiased chance that at least a share of k fresh trials of one task pass.

    Args:
        passed: Trials that passed, 0 to `trials`.
        trials: Trials whose success is known.
        k: Fresh trials, 1 or more.
        share: Share of the k trials that must pass, above 0 and up to 1; the number is rounded up.

    Returns:
        A share; `None` when trials < k.

    Raises:
        UsageError: The counts contradict each other, k < 1, or the share is not above 0 and up to 1.
    """
    check_draws(passed, trials, k)
    least = passes_needed(k, share)
    if trials < k:
        return None
    ways = sum(comb(passed, j) * comb(trials - passed, k - j) for j in range(least, k + 1))
    return ways / comb(trials, k)


def passes_needed(k: int, share: float) -> int:
    """Return how many of k trials a share asks for, rounded up.

    Args:
        k: Trials, 1 or more.
        share: Above 0 and up to 1.

    Returns:
        1 to k.

    Raises:
        UsageError: The share is not above 0 and up to 1.
    """
    if not 0 < share <= 1:
        raise UsageError(f"the share of trials that must pass lies above 0 and up to 1, not {share!r}; at least one pass is pass@k.")
    return max(1, ceil(share * k - _ROUNDING))


def of_rate(rate: float, k: int, *, share: float) -> float:
    """Return the true value of a task whose pass rate is known: the tail of a binomial law."""
    return sum(comb(k, j) * rate**j * (1 - rate) ** (k - j) for j in range(passes_needed(k, share), k + 1))


def statistic(share: float) -> Statistic:
    """Return G-Pass@k at one share as a statistic of a task, so that it has the intervals and the bounds of pass^k."""
    return Statistic(f"g-pass({share:g})@", partial(g_pass_at_k, share=share), partial(of_rate, share=share))


def estimate(tasks: Sequence[TaskCount], k: int, *, share: float, seed: int = 0) -> Estimate:
    """Return G-Pass@k of a suite with its interval over tasks, and its bounds when trials are unknown.

    Args:
        tasks: Counts of each task.
        k: Fresh trials, 1 or more.
        share: Share of the k trials that must pass, above 0 and up to 1.
        seed: Seed of the interval's draws.

    Returns:
        The estimate, a share; its `value` is `None` when a task has fewer than k scored trials.

    Raises:
        UsageError: The share is not above 0 and up to 1, or k < 1.
    """
    return _reliability.estimates(tasks, statistic(share), (k,), seed=seed)[0]
