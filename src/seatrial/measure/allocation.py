"""Allocation: more tasks, or more trials of each? The number of trials a task at which the money says most.

Formula: trials = sqrt(cost of a task / cost of a trial × within / between), the minimum of (between + within / trials) / tasks at a
given budget of tasks × (cost of a task + trials × cost of a trial). Assumption: costs are linear, and the question is the pass rate;
pass^k needs k trials a task whatever they cost. Source: Cochran 1977, Sampling Techniques, sec. 10.6; Miller 2024, arXiv:2411.00640.
"""

from __future__ import annotations

from math import floor, inf, sqrt
from typing import NamedTuple

from seatrial.base.errors import UsageError


class Allocation(NamedTuple):
    """How to spend a budget."""

    tasks: int
    """Tasks; 0: the budget does not pay for one."""
    trials: int
    """Trials of each task."""
    error: float | None
    """Standard error of the pass rate over new tasks that this gives; `None`: no task."""


def best_trials(*, within: float, between: float, task_cost: float, trial_cost: float) -> float | None:
    """Return the number of trials a task at which a budget buys the smallest standard error.

    Args:
        within: Variance of a trial given its task, see `variance_split`.
        between: Variance between tasks.
        task_cost: What one more task costs without its trials: writing and review; 0 or more, any unit.
        trial_cost: What one trial costs, above 0, same unit.

    Returns:
        A number that need not be whole, at least 1; `None` when tasks do not differ: then only the sum of trials counts.

    Raises:
        UsageError: A negative variance or cost, or a trial that costs nothing.
    """
    _check(within, between, task_cost, trial_cost)
    return max(1.0, sqrt(task_cost / trial_cost * within / between)) if between else None


def allocate(budget: float, *, within: float, between: float, task_cost: float, trial_cost: float, most_trials: int = 64) -> Allocation:
    """Return how many tasks and trials a budget is best spent on, in whole numbers.

    Args:
        budget: In the costs' unit, 0 or more.
        within: Variance of a trial given its task.
        between: Variance between tasks.
        task_cost: What one more task costs without its trials; 0 or more.
        trial_cost: What one trial costs, above 0.
        most_trials: Most trials of a task that are looked at.

    Returns:
        Tasks and trials with the smallest standard error; the fewest trials among equals.

    Raises:
        UsageError: A negative variance, cost or budget, or a trial that costs nothing.
    """
    _check(within, between, task_cost, trial_cost)
    if not 0 <= budget < inf or most_trials < 1:
        raise UsageError(f"a budget must be 0 or more and trials 1 or more, not {budget!r} and {most_trials!r}.")
    best = Allocation(0, 1, None)
    for trials in range(1, most_trials + 1):
        tasks = floor(budget / (task_cost + trials * trial_cost))
        if not tasks:
            break
        error = sqrt((between + within / trials) / tasks)
        if best.error is None or error < best.error:
            best = Allocation(tasks, trials, error)
    return best


def _check(within: float, between: float, task_cost: float, trial_cost: float) -> None:
    """Raise `UsageError` unless variances and costs can be what they are named."""
    for name, value in (("within", within), ("between", between), ("task_cost", task_cost)):
        if not 0 <= value < inf:
            raise UsageError(f"{name} must be 0 or more, not {value!r}.")
    if not 0 < trial_cost < inf:
        raise UsageError(f"trial_cost must be above 0, not {trial_cost!r}.")
