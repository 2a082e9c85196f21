"""The mean difference of two candidates over the tasks that both ran: each task's own difference first, then an interval over tasks.

The interval is Student's t when at least `DIFFERING` tasks differ, and else Dirichlet weights over tasks with half a task at each end
of the scale of differences, which has a width even when no task differs. The p values are of the same kind: the paired t test, or the
sign-flip test; the sign-flip test always stands beside them. In the simulations behind this choice (162 cells) it covered 95.6 % on
average and 92 % at worst. Assumes that tasks are independent; trials need not be.

Source: Miller 2024, arXiv:2411.00640, section 4 (pair by question); Rubin 1981 and Ferguson 1973 for the weights.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import fsum, isfinite, sqrt
from typing import TYPE_CHECKING, NamedTuple

from seatrial.base.errors import UsageError
from seatrial.measure import dirichlet_ends
from seatrial.measure.paired_t import PairedT, finite, paired_t
from seatrial.measure.power import drop_for_spread
from seatrial.measure.sign_flip import sign_flip
from seatrial.measure.task_count import Interval
from seatrial.records.estimate import Difference, Estimate

if TYPE_CHECKING:
    from numpy import ndarray

DIFFERING = 10
"""Differing tasks from which on Student's t is used."""
BY_T = "Student's t over the differences of tasks"
BY_WEIGHTS = "Dirichlet weights over the differences of tasks with half a task at each end"


class Limits(NamedTuple):
    """Interval and one-sided limits of a mean difference."""

    two_sided: Interval
    one_sided: Interval
    """The lower and the upper limit, each alone at the confidence."""
    method: str
    error: float
    """Standard error that they rest on."""


def difference(
    before: Sequence[float],
    after: Sequence[float],
    *,
    name: str,
    seed: int,
    trials: int = 0,
    unit: str = "share",
    reach: float = 1.0,
    confidence: float = 0.95,
) -> Difference:
    """Return the mean of after minus before over tasks, with interval, limits, p values and the smallest drop it would have found.

    Args:
        before: One value a task of the baseline.
        after: One value a task of the candidate, in the same order.
        name: Name of the estimate.
        seed: Seed of all draws.
        trials: Scored trials that it rests on, on both sides.
        unit: Unit of the values.
        reach: The largest difference that the scale allows, in both directions; infinity: the scale has no ends.
        confidence: Share, 0 to 1.

    Returns:
        The difference; everything but the counts is `None` when there is no task.

    Raises:
        UsageError: The sides differ in length, a value is not finite, or a difference exceeds `reach`.
    """
    found = _differences(before, after, reach)
    differing = int((found != 0).sum())
    known = limits(found, reach=reach, confidence=confidence, seed=seed)
    flipped = sign_flip(found, seed=seed) if len(found) else None
    tested = paired_t(found) if known and known.method == BY_T else None
    return Difference(
        estimate=Estimate(
            name=name,
            value=fsum(found) / len(found) if len(found) else None,
            lower=known.two_sided.lower if known else None,
            upper=known.two_sided.upper if known else None,
            confidence=confidence,
            method=known.method if known else "",
            tasks=len(found),
            trials=trials,
            unit=unit,
            note=_note(len(found), known=known is not None),
        ),
        lower=known.one_sided.lower if known else None,
        upper=known.one_sided.upper if known else None,
        p_value=_p(tested, "p_two_sided", flipped.two_sided if flipped else None),
        p_worse=_p(tested, "p_less", flipped.less if flipped else None),
        p_sign_flip=flipped.two_sided if flipped else None,
        tasks=len(found),
        differing=differing,
        detectable=_detectable(known, len(found), reach),
    )


def counted(before: Sequence[float], after: Sequence[float], *, name: str, unit: str = "share", reach: float = 1.0) -> Difference:
    """Return the mean of after minus before as a plain count, without interval, tests and power, for tasks too few to carry them.

    Args:
        before: One value a task of the baseline.
        after: One value a task of the candidate, in the same order.
        name: Name of the estimate.
        unit: Unit of the values.
        reach: The largest difference that the scale allows, in both directions; infinity: the scale has no ends.

    Raises:
        UsageError: As for `difference`.
    """
    found = _differences(before, after, reach)
    tasks = len(found)
    mean = fsum(found) / tasks if tasks else None
    estimate = Estimate(name=name, value=mean, tasks=tasks, unit=unit, estimand="count", note=_note(tasks, known=tasks > 0))
    return Difference(estimate, None, None, None, None, None, tasks, int((found != 0).sum()), None)


def limits(
    differences: Sequence[float] | ndarray,
    *,
    reach: float = 1.0,
    confidence: float = 0.95,
    seed: int = 0,
    draws: int = dirichlet_ends.DRAWS,
) -> Limits | None:
    """Return the interval and the one-sided limits of a mean difference.

    Args:
        differences: After minus before of each task.
        reach: The largest difference that the scale allows, in both directions; infinity: the scale has no ends.
        confidence: Share, 0 to 1.
        seed: Seed of the draws.
        draws: Number of draws, where weights are drawn.

    Returns:
        The limits, within the scale; `None` when there is no task, or when the scale has no ends and the tasks show no spread.

    Raises:
        UsageError: A difference is not finite, or exceeds `reach`.
    """
    found = finite(differences)
    if not len(found):
        return None
    few = int((found != 0).sum()) < DIFFERING
    tested = None if few and isfinite(reach) else paired_t(found, confidence=confidence)
    if tested is not None:
        return Limits(_within(tested.two_sided, reach), _within(tested.one_sided, reach), BY_T, tested.error)
    return _weighted(found, reach, confidence, {"seed": seed, "draws": draws}) if isfinite(reach) else None


def _weighted(found: ndarray, reach: float, confidence: float, drawing: dict[str, int]) -> Limits:
    """Return the limits from weights over tasks; equal differences share a weight."""
    values, counts = zip(*sorted(Counter(found.tolist()).items()), strict=True)
    two, one = (
        dirichlet_ends.interval(values, counts, low=-reach, high=reach, confidence=share, **drawing)
        for share in (confidence, 2 * confidence - 1)
    )
    variance = dirichlet_ends.moments(values, counts, low=-reach, high=reach).variance
    return Limits(two, one, BY_WEIGHTS, sqrt(variance))


def _differences(before: Sequence[float], after: Sequence[float], reach: float) -> ndarray:
    """Return after minus before of each task, after checking both."""
    if len(before) != len(after):
        raise UsageError(f"pairs need one value a task on both sides, not {len(before)} and {len(after)}.")
    found = finite(after) - finite(before)
    wrong = found[abs(found) > reach]
    if wrong.size:
        raise UsageError(f"a difference must lie within -{reach:g} to {reach:g}; {float(wrong[0])!r} does not.")
    return found


def _within(ends: Interval, reach: float) -> Interval:
    """Return an interval cut at the ends of the scale."""
    return Interval(max(ends.lower, -reach), min(ends.upper, reach))


def _p(tested: PairedT | None, name: str, flipped: float | None) -> float | None:
    """Return the p value of the t test where it was used, else that of the sign-flip test."""
    return flipped if tested is None else getattr(tested, name)


def _detectable(known: Limits | None, tasks: int, reach: float) -> float | None:
    """Return the smallest drop that would have been found with 80 % power, or `None` where no drop of the scale would."""
    if known is None or tasks < 2:
        return None
    found = drop_for_spread(spread=known.error * sqrt(tasks), tasks=tasks)
    return found if found <= reach else None


def _note(tasks: int, *, known: bool) -> str:
    """Return what a reader must know of a difference."""
    if not tasks:
        return "no task is shared"
    if not known:
        return "no interval: the tasks show no spread"
    return "one task: the spread between tasks cannot be seen from it" if tasks == 1 else ""
