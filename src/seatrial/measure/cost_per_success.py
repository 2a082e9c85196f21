"""Cost per success: what one passed trial costs when the failed ones are paid for too.

The ratio of the mean cost of a trial to the pass rate, both as means over tasks; its interval reweighs the tasks (Exponential(1), the
same weights above and below the line). Assumption: tasks are drawn independently of each other.

Source: Kapoor et al. 2024, arXiv:2407.01502; Rubin 1981 (weights over tasks). A failed trial's cost counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from seatrial.base.errors import UsageError
from seatrial.measure.cost import FEWEST_TASKS, MOST
from seatrial.records.estimate import Estimate

DRAWS = 10_000
_CHUNK = 1_000_000


def estimate(
    costs: Sequence[float], shares: Sequence[float], *, unit: str = "usd", trials: int = 0, confidence: float = 0.95, seed: int = 0
) -> Estimate:
    """Return the cost per success.

    Args:
        costs: Mean cost of a trial of each task, in `unit`, 0 or more.
        shares: Pass rate of each task, in the same order.
        unit: `usd`, `calls`, `tokens`, `seconds`.
        trials: Trials that this rests on.
        confidence: Share, 0 to 1.
        seed: Seed of the weights (PCG64).

    Returns:
        The estimate; `value` is `None` without a task and without a success: nothing was bought, at any price.

    Raises:
        UsageError: The lists differ in length, a cost is negative, not finite or beyond reason, or a share is none.
    """
    if len(costs) != len(shares):
        raise UsageError(f"expected one cost and one pass rate a task, not {len(costs)} and {len(shares)}.")
    if wrong := [cost for cost in costs if not 0 <= cost <= MOST] + [share for share in shares if not 0 <= share <= 1]:
        raise UsageError(f"a cost is 0 to {MOST:g} and a pass rate 0 to 1, not {wrong[0]!r}.")
    name, passed = f"{unit} per success", fsum(shares)
    if not passed:
        return Estimate(name=name, value=None, tasks=len(costs), trials=trials, unit=unit, note="no success" if costs else "no task")
    enough = len(costs) >= FEWEST_TASKS
    lower, upper = _interval(costs, shares, confidence, seed) if enough else (None, None)
    return Estimate(
        name=name,
        value=fsum(costs) / passed,
        lower=lower,
        upper=upper,
        confidence=confidence,
        method="weights over tasks" if enough else "",
        tasks=len(costs),
        trials=trials,
        unit=unit,
        note="" if enough else f"no interval: {len(costs)} tasks, {FEWEST_TASKS} are needed",
    )


def _interval(costs: Sequence[float], shares: Sequence[float], confidence: float, seed: int) -> tuple[float, float]:
    """Return the quantiles of the reweighed ratio, in blocks so that memory stays flat."""
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(seed))
    both = np.asarray([costs, shares], dtype=float).T
    block = max(1, _CHUNK // len(costs))
    parts = [generator.standard_exponential((min(block, DRAWS - start), len(costs))) @ both for start in range(0, DRAWS, block)]
    sums = np.concatenate(parts)
    tail = (1 - confidence) / 2
    lower, upper = np.quantile(sums[:, 0] / sums[:, 1], (tail, 1 - tail))
    return float(lower), float(upper)
