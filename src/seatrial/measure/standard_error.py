"""Standard errors of a suite's mean: of new tasks, and of these very tasks.

New tasks: s / sqrt(m), the spread of the tasks' values, which holds the noise of their trials already. This suite:
sqrt(mean of (v^2 - C(c, 2k) / C(n, 2k)) / m) for pass^k, the noise of trials alone; v^2 estimates E[v^2], and the second term is
unbiased for p^2k. It needs 2k trials a task, and intervals of a normal law on it are poor when few tasks are flaky (80 % where 95 %
is promised, 20 tasks × 8 trials, k = 4): show it as trial noise, decide nothing by it.
Source: Miller 2024, arXiv:2411.00640; NIST AI 800-3, 2026 (generalized and benchmark accuracy).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt

from seatrial.measure.pass_k import pass_k
from seatrial.measure.task_count import TaskCount


def of_new_tasks(values: Sequence[float]) -> float | None:
    """Return the standard error of the mean when the tasks are a sample.

    Args:
        values: One value a task.

    Returns:
        In the values' unit; `None` below two tasks: one task shows no spread, which is not a spread of 0.
    """
    if len(values) < 2:
        return None
    mean = fsum(values) / len(values)
    return sqrt(fsum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))


def of_this_suite(tasks: Sequence[TaskCount], k: int) -> float | None:
    """Return the standard error of pass^k on these very tasks: what fresh trials of them would move.

    Args:
        tasks: Counts of each task.
        k: Fresh trials, 1 or more.

    Returns:
        A share; `None` when a task has fewer than 2k scored trials (or there is no task): it cannot be estimated.

    Raises:
        UsageError: k < 1, or counts that contradict each other.
    """
    parts = []
    for task in tasks:
        value, square = pass_k(task.passed, task.scored, k), pass_k(task.passed, task.scored, 2 * k)
        if value is None or square is None:
            return None
        parts.append(value * value - square)
    return sqrt(max(0.0, fsum(parts)) / len(parts) / len(parts)) if parts else None
