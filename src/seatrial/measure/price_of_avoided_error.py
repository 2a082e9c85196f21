"""The price of an avoided error: what the dearer candidate costs more, over the errors that it avoids.

The ratio of two mean differences over the same tasks, cost after minus before over errors before minus after; its interval reweighs the
tasks (Exponential(1), the same weights above and below the line). It has a meaning only where errors are avoided for certain and at a
cost. Assumption: tasks are drawn independently of each other.

Source: Rubin 1981, Annals of Statistics 9 (weights over tasks); the incremental cost-effectiveness ratio of Drummond et al. 2015,
Methods for the Economic Evaluation of Health Care Programmes, ch. 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import TYPE_CHECKING

from seatrial.base.errors import UsageError
from seatrial.measure.cost import FEWEST_TASKS
from seatrial.records.estimate import Estimate

if TYPE_CHECKING:
    from numpy import ndarray

DRAWS = 10_000
_CHUNK = 1_000_000
NAME = "price of an avoided error"


def estimate(more_cost: Sequence[float], fewer_errors: Sequence[float], *, confidence: float = 0.95, seed: int = 0) -> Estimate:
    """Return the price of an avoided error.

    Args:
        more_cost: US dollars of a trial after minus before, one value a task.
        fewer_errors: Share of wrong trials before minus after, one value a task in the same order.
        confidence: Share, 0 to 1.
        seed: Seed of the weights (PCG64).

    Returns:
        The estimate in US dollars an error; `value` is `None` where no error is avoided on the average, or nothing more is paid. It has
        no interval where reweighed tasks may leave no error avoided.

    Raises:
        UsageError: The lists differ in length.
    """
    if len(more_cost) != len(fewer_errors):
        raise UsageError(f"expected one cost and one share of errors a task, not {len(more_cost)} and {len(fewer_errors)}.")
    tasks, cost, avoided = len(more_cost), fsum(more_cost), fsum(fewer_errors)
    why = "" if tasks else "no task has a known price and outcome on both sides"
    if tasks and avoided <= 0:
        why = "no error is avoided"
    elif tasks and cost <= 0:
        why = "errors are avoided and nothing more is paid"
    if why:
        return Estimate(name=NAME, value=None, tasks=tasks, unit="usd", note=why)
    ends = _interval(more_cost, fewer_errors, confidence, seed) if tasks >= FEWEST_TASKS else None
    few = f"no interval: {tasks} tasks, {FEWEST_TASKS} are needed" if tasks < FEWEST_TASKS else ""
    return Estimate(
        name=NAME,
        value=cost / avoided,
        lower=ends[0] if ends else None,
        upper=ends[1] if ends else None,
        confidence=confidence,
        method="weights over tasks" if ends else "",
        tasks=tasks,
        unit="usd",
        note=few or ("" if ends else "no interval: it is not certain that errors are avoided"),
    )


def _interval(cost: Sequence[float], avoided: Sequence[float], confidence: float, seed: int) -> tuple[float, float] | None:
    """Return the quantiles of the reweighed ratio; `None` where too many draws avoid no error for both of them to exist."""
    import numpy as np

    values, tail = np.stack([cost, avoided], axis=1), (1 - confidence) / 2
    drawn = _sums(values, seed)
    if float((drawn[:, 1] <= 0).mean()) > 0:
        return None
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1], (tail, 1 - tail))
    return float(low), float(high)


def _sums(values: ndarray, seed: int) -> ndarray:
    """Return weighted sums, draws × columns, in blocks so that memory stays flat."""
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(seed))
    block = max(1, _CHUNK // len(values))
    parts = [generator.standard_exponential((min(block, DRAWS - start), len(values))) @ values for start in range(0, DRAWS, block)]
    return np.concatenate(parts)
