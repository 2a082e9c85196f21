"""Power of a paired comparison: the tasks or trials that a drop needs, and the smallest drop that a comparison can find.

The variance of a task's difference is between + within_before / trials_before + within_after / trials_after: `between` is the
variance of true differences between tasks, which no number of trials makes smaller; `within` is the mean of p (1 - p) of a task's
trials. Miller's formula asks for (z_alpha + z_power)^2 * variance / delta^2 tasks; Student's t in place of the normal adds about two.
Assumes that the truth is as the last pair of runs showed it. For pass^k with k > 1 there is no closed form in the number of trials:
use the observed spread of the tasks' differences (`tasks_for_spread`, `drop_for_spread`).

Source: Miller 2024, arXiv:2411.00640, section 5; Cohen 1988, Statistical Power Analysis, ch. 2 (noncentral t).
"""

from __future__ import annotations

from math import ceil, inf, isfinite, sqrt
from statistics import NormalDist

from seatrial.base.errors import UsageError

ALPHA = 0.05
"""Chance of a false alarm that every plan allows."""
POWER = 0.8
_REFINED = 100_000
"""Beyond so many tasks Student's t is the normal distribution."""
_ROUNDING = 1e-9
_MOST_ERRORS = 1e6
"""A plan of more than a million million tasks is none."""


def tasks_by_formula(delta: float, *, spread: float, power: float = POWER, two_sided: bool = True) -> int:
    """Return the tasks that find a difference by the normal formula alone, as published.

    Args:
        delta: The mean difference to find, above 0, in the unit of `spread`.
        spread: Standard deviation of a task's difference.
        power: Chance to find it, 0 to 1.
        two_sided: Whether the test looks both ways.

    Returns:
        The smallest whole number of tasks, 1 or more.

    Raises:
        UsageError: `delta` is not above 0, or `spread` is negative, or either is not finite.
    """
    _check(delta, spread, power)
    normal = NormalDist()
    reach = normal.inv_cdf(1 - _tail(two_sided=two_sided)) + normal.inv_cdf(power)
    errors = reach * spread / delta
    if errors > _MOST_ERRORS:
        raise UsageError(f"a difference of {delta!r} is too small beside a spread of {spread!r} to be planned for.")
    return max(1, ceil(errors**2 - _ROUNDING))


def tasks_for_spread(delta: float, *, spread: float, power: float = POWER, two_sided: bool = True) -> int:
    """Return the tasks that find a difference with the paired t test, from the observed spread.

    Args:
        delta: The mean difference to find, above 0, in the unit of `spread`.
        spread: Standard deviation of a task's difference at the planned number of trials.
        power: Chance to find it, 0 to 1.
        two_sided: Whether the test looks both ways.

    Returns:
        The smallest number of tasks, 2 or more.

    Raises:
        UsageError: `delta` is not above 0, or `spread` is negative, or either is not finite.
    """
    tasks = max(2, tasks_by_formula(delta, spread=spread, power=power, two_sided=two_sided))
    while drop_for_spread(spread=spread, tasks=tasks, power=power, two_sided=two_sided) > delta * (1 + _ROUNDING):
        tasks += 1
    return tasks


def drop_for_spread(*, spread: float, tasks: int, power: float = POWER, two_sided: bool = True) -> float:
    """Return the smallest drop that the paired t test finds, from the observed spread.

    Args:
        spread: Standard deviation of a task's difference.
        tasks: Paired tasks, 2 or more.
        power: Chance to find it, 0 to 1.
        two_sided: Whether the test looks both ways.

    Returns:
        The drop as a positive number, in the unit of `spread`; it may exceed what the scale allows.

    Raises:
        UsageError: Fewer than two tasks, or a spread that is negative or not finite.
    """
    _check(1.0, spread, power)
    return _reach(tasks, power, two_sided=two_sided) * spread / sqrt(tasks)


def tasks_needed(
    delta: float,
    *,
    between: float,
    within_before: float,
    within_after: float,
    trials_before: int,
    trials_after: int,
    power: float = POWER,
    two_sided: bool = True,
) -> int:
    """Return the tasks that a comparison needs to find a drop of the pass rate.

    Args:
        delta: The drop, a share above 0; for non-inferiority the margin plus the assumed true difference, one-sided.
        between: Variance of true differences between tasks, 0 or more.
        within_before: Mean of p (1 - p) within a task of the baseline.
        within_after: The same of the candidate.
        trials_before: Trials of each task of the baseline, 1 or more.
        trials_after: Trials of each task of the candidate, 1 or more.
        power: Chance to find it, 0 to 1.
        two_sided: Whether the test looks both ways.

    Returns:
        The smallest number of tasks, 2 or more.

    Raises:
        UsageError: `delta` is not above 0, a variance is negative, or there is no trial.
    """
    spread = spread_of(between, (within_before, trials_before), (within_after, trials_after))
    return tasks_for_spread(delta, spread=spread, power=power, two_sided=two_sided)


def smallest_drop(
    *,
    tasks: int,
    between: float,
    within_before: float,
    within_after: float,
    trials_before: int,
    trials_after: int,
    power: float = POWER,
    two_sided: bool = True,
) -> float:
    """Return the smallest drop of the pass rate that a comparison finds.

    Args:
        tasks: Paired tasks, 2 or more.
        between: Variance of true differences between tasks, 0 or more.
        within_before: Mean of p (1 - p) within a task of the baseline.
        within_after: The same of the candidate.
        trials_before: Trials of each task of the baseline, 1 or more.
        trials_after: Trials of each task of the candidate, 1 or more.
        power: Chance to find it, 0 to 1.
        two_sided: Whether the test looks both ways.

    Returns:
        The drop as a positive share; above 1: nothing can be found.

    Raises:
        UsageError: Fewer than two tasks, a variance is negative, or there is no trial.
    """
    spread = spread_of(between, (within_before, trials_before), (within_after, trials_after))
    return drop_for_spread(spread=spread, tasks=tasks, power=power, two_sided=two_sided)


def trials_needed(
    delta: float,
    *,
    tasks: int,
    between: float,
    within_before: float,
    within_after: float,
    trials_before: int | None = None,
    power: float = POWER,
    two_sided: bool = True,
) -> int | None:
    """Return the trials of each of the present tasks that find a drop of the pass rate.

    Args:
        delta: The drop, a share above 0; for non-inferiority the margin plus the assumed true difference, one-sided.
        tasks: Paired tasks, 2 or more.
        between: Variance of true differences between tasks, 0 or more.
        within_before: Mean of p (1 - p) within a task of the baseline; 0 when the candidate is held against a fixed bar.
        within_after: The same of the candidate.
        trials_before: Trials that the baseline keeps; `None`: it gets as many as the candidate.
        power: Chance to find it, 0 to 1.
        two_sided: Whether the test looks both ways.

    Returns:
        Trials of each task; `None` when no number of trials decides, because the tasks differ too much between themselves.

    Raises:
        UsageError: `delta` is not above 0, fewer than two tasks, a variance is negative, or there is no trial.
    """
    spread = spread_of(between, (within_before, trials_before or 1), (within_after, 1))
    _check(delta, spread, power)
    allowed = tasks * (delta / _reach(tasks, power, two_sided=two_sided)) ** 2
    kept = between if trials_before is None else between + within_before / trials_before
    moving = within_before + within_after if trials_before is None else within_after
    if moving == 0:
        return 1 if kept <= allowed else None
    wanted = moving / (allowed - kept) if allowed > kept else inf
    return max(1, ceil(wanted * (1 - _ROUNDING))) if isfinite(wanted) else None


def spread_of(between: float, *sides: tuple[float, int]) -> float:
    """Return the standard deviation of a task's difference.

    Args:
        between: Variance of true differences between tasks, 0 or more.
        sides: Of each side its mean p (1 - p) within a task and its trials; one side alone when it is held against a fixed bar.

    Returns:
        The square root of between plus the sum of within / trials.

    Raises:
        UsageError: A variance is negative or not finite, or there is no trial.
    """
    if not all(isfinite(part) and part >= 0 for part in (between, *(within for within, _ in sides))):
        raise UsageError(f"a variance must be finite and 0 or more, not {between!r} between tasks and {sides!r} within them.")
    if any(trials < 1 for _, trials in sides):
        raise UsageError(f"every side needs at least one trial a task, not {[trials for _, trials in sides]}.")
    return sqrt(between + sum(within / trials for within, trials in sides))


def _reach(tasks: int, power: float, *, two_sided: bool) -> float:
    """Return how many standard errors away a difference must lie to be found: the noncentrality of Student's t."""
    from scipy.special import nctdtrinc, stdtrit

    if tasks < 2:
        raise UsageError(f"a comparison needs at least two tasks, not {tasks}: the spread between tasks cannot be seen from one.")
    tail = _tail(two_sided=two_sided)
    if tasks > _REFINED:
        return NormalDist().inv_cdf(1 - tail) + NormalDist().inv_cdf(power)
    return float(nctdtrinc(tasks - 1, 1 - power, stdtrit(tasks - 1, 1 - tail)))


def _tail(*, two_sided: bool) -> float:
    """Return the chance of a false alarm on one side."""
    return ALPHA / 2 if two_sided else ALPHA


def _check(delta: float, spread: float, power: float) -> None:
    """Raise `UsageError` unless the plan makes sense."""
    if not (isfinite(delta) and delta > 0):
        raise UsageError(f"a difference to find must be finite and above 0, not {delta!r}.")
    if not (isfinite(spread) and spread >= 0):
        raise UsageError(f"a spread must be finite and 0 or more, not {spread!r}.")
    if not ALPHA < power < 1:
        raise UsageError(f"a power must lie between {ALPHA:g} and 1, not {power!r}.")
