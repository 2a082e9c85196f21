"""One task alone: what its trials say of it, and nothing of other tasks.

Source: Clopper and Pearson 1934 for the pass rate; pass^k and pass@k are monotone in it, so that their ends are its ends put
through p^k and 1 - (1 - p)^k. The spread between tasks cannot be estimated from one.
"""

from __future__ import annotations

from seatrial.measure import binomial
from seatrial.measure.task_count import Interval, Statistic, TaskCount

METHOD = "Clopper-Pearson of this one task, put through the curve"


def interval(task: TaskCount, statistic: Statistic, k: int, *, confidence: float = 0.95) -> Interval:
    """Return the interval of pass^k or pass@k of one task.

    Args:
        task: Counts of the task.
        statistic: `pass_k.STATISTIC` or `pass_at_k.STATISTIC`.
        k: Fresh trials, 1 or more.
        confidence: Share, 0 to 1.

    Returns:
        The interval, unknown trials failed for its lower end and passed for its upper; 0 to 1 when no trial was planned.
    """
    if not task.planned:
        return Interval(0.0, 1.0)
    lower = binomial.clopper_pearson(task.passed, task.planned, confidence=confidence).lower
    upper = binomial.clopper_pearson(task.passed + task.unknown, task.planned, confidence=confidence).upper
    return Interval(statistic.of_rate(lower, k), statistic.of_rate(upper, k))
