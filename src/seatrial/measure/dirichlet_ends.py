"""Dirichlet ends: an interval for the mean over tasks of values on a bounded scale that is honest at 0 % and at 100 %.

Each task gets a weight Gamma(1), and each end of the scale a pseudo-task of weight Gamma(1/2); the statistic is the weighted
mean, the interval its equal-tailed quantiles. Equal values share one draw Gamma(count), which has the same law, so that the
cost does not depend on the number of tasks. Values that lie only on the ends give Beta(c + 1/2, m - c + 1/2) exactly.

Source: Rubin 1981 (Bayesian bootstrap) with a Dirichlet prior of mass one on the ends (Ferguson 1973); on binary values this
is Jeffreys' interval, and its ends are closed as in Brown, Cai and DasGupta 2001.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from seatrial.base.errors import UsageError
from seatrial.measure.task_count import Interval

if TYPE_CHECKING:
    from numpy import ndarray

DRAWS = 10_000
"""Draws of an interval: the Monte Carlo error of an end is about 1 % of the width."""
_CHUNK = 1_000_000
END = 0.5
"""Weight of each end of the scale, in tasks."""


class Moments(NamedTuple):
    """Mean and variance in closed form."""

    mean: float
    variance: float


def moments(values: Sequence[float], counts: Sequence[int] | None = None, *, low: float = 0.0, high: float = 1.0) -> Moments:
    """Return the exact mean and variance of the weighted mean.

    Args:
        values: Distinct values, or the value of each task; each within the scale.
        counts: Tasks that have each value; `None`: one each.
        low: Low end of the scale.
        high: High end of the scale.

    Returns:
        Mean and variance; the interval's law, not the point estimate, which stays the plain mean.
    """
    weights = _checked(values, counts, len(values), (low, high))
    points = [*zip(values, weights, strict=True), (low, END), (high, END)]
    total = sum(weight for _, weight in points)
    mean = sum(value * weight for value, weight in points) / total
    spread = sum(weight * (value - mean) ** 2 for value, weight in points) / total
    return Moments(mean, spread / (total + 1))


def interval(
    values: Sequence[float],
    counts: Sequence[int] | None = None,
    *,
    low: float = 0.0,
    high: float = 1.0,
    confidence: float = 0.95,
    seed: int = 0,
    draws: int = DRAWS,
) -> Interval:
    """Return the equal-tailed interval of the mean of one value a task.

    Args:
        values: Distinct values, or the value of each task; each within the scale.
        counts: Tasks that have each value; `None`: one each.
        low: Low end of the scale.
        high: High end of the scale.
        confidence: Share, 0 to 1.
        seed: Seed of the draws (PCG64).
        draws: Number of draws.

    Returns:
        The interval; never of zero width. Its upper end is `high` when every value is, its lower end `low` when every value is.

    Raises:
        UsageError: No value, a value outside of the scale, or a count below 1.
    """
    return intervals([[value] for value in values], counts, low=low, high=high, confidence=confidence, seed=seed, draws=draws)[0]


def intervals(
    rows: Sequence[Sequence[float]],
    counts: Sequence[int] | None = None,
    *,
    low: float = 0.0,
    high: float = 1.0,
    confidence: float = 0.95,
    seed: int = 0,
    draws: int = DRAWS,
) -> list[Interval]:
    """Return the intervals of several statistics of the same tasks from one set of draws.

    Args:
        rows: One row a distinct task (or a task), one column a statistic; each value within the scale.
        counts: Tasks that each row stands for; `None`: one each.
        low: Low end of the scale.
        high: High end of the scale.
        confidence: Share, 0 to 1.
        seed: Seed of the draws (PCG64).
        draws: Number of draws.

    Returns:
        One interval a column.
    """
    import numpy as np

    weights = _checked([value for row in rows for value in row], counts, len(rows), (low, high))
    matrix = np.asarray(rows, dtype=float)
    tails = ((1 - confidence) / 2, (1 + confidence) / 2)
    drawn = [not np.all((column == low) | (column == high)) for column in matrix.T]
    sample = iter(_sample(matrix[:, drawn], weights, (low, high), seed=seed, draws=draws).T) if any(drawn) else iter(())
    found = []
    for column, is_drawn in zip(matrix.T, drawn, strict=True):
        at_high = float(np.dot(weights, column == high))
        lower, upper = np.quantile(next(sample), tails) if is_drawn else _beta(at_high, sum(weights) - at_high, tails, (low, high))
        found.append(Interval(low if np.all(column == low) else float(lower), high if np.all(column == high) else float(upper)))
    return found


def _beta(at_high: float, at_low: float, tails: tuple[float, float], ends: tuple[float, float]) -> list[float]:
    """Return quantiles of Beta(at_high + 1/2, at_low + 1/2), stretched over the scale."""
    from scipy.special import betaincinv

    low, high = ends
    return [low + (high - low) * float(betaincinv(at_high + END, at_low + END, tail)) for tail in tails]


def _sample(matrix: ndarray, weights: Sequence[int], ends: tuple[float, float], *, seed: int, draws: int) -> ndarray:
    """Return draws of the weighted means, draws × columns, in blocks so that memory stays flat."""
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(seed))
    shape = np.concatenate([np.asarray(weights, dtype=float), [END, END]])
    low, high = (np.full((1, matrix.shape[1]), end) for end in ends)
    table = np.concatenate([matrix, low, high])
    block = max(1, _CHUNK // len(shape))
    parts = []
    for start in range(0, draws, block):
        gamma = generator.standard_gamma(shape, size=(min(block, draws - start), len(shape)))
        parts.append(gamma @ table / gamma.sum(axis=1, keepdims=True))
    return np.concatenate(parts)


def _checked(values: Sequence[float], counts: Sequence[int] | None, rows: int, ends: tuple[float, float]) -> Sequence[int]:
    """Return one count a row after checking values and counts."""
    wrong = [value for value in values if not ends[0] <= value <= ends[1]]
    if wrong:
        raise UsageError(f"every value must lie within {ends[0]:g} to {ends[1]:g}; {wrong[0]!r} does not.")
    found = [1] * rows if counts is None else list(counts)
    if not rows or len(found) != rows or min(found) < 1:
        raise UsageError(f"expected at least one value and one count of 1 or more for each; got {rows} values and counts {found[:5]}.")
    return found
