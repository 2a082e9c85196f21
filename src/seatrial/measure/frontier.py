"""The frontier of candidates on the plane of cost and value: the plain one, the convex one, and how sure a place on it is.

A candidate dominates another when it costs no more, is worth no less, and is better in one of the two; what nobody dominates is the
plain frontier, ties included. The convex frontier is what random routing between candidates reaches. How sure a place is comes from
one set of weights over tasks, Exponential(1) each, shared by all candidates so that the pairing stays: both coordinates, and who
dominates whom, are recomputed in every draw. Assumption: tasks are drawn independently of each other. Where two candidates' values
differ on fewer than ten tasks, half a task at each end of the scale of the difference is weighed in, as for a paired difference, so
that one lucky task is no proof; where they differ on none they are tied.

Source: Kapoor et al. 2024, AI Agents That Matter, arXiv:2407.01502 (the plane and its convex frontier); Rubin 1981 (weights over tasks).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from seatrial.base.errors import UsageError

if TYPE_CHECKING:
    from numpy import ndarray

DRAWS = 10_000
FEWEST_TASKS = 5
"""Below this number of tasks nothing is said of how sure a place is."""
MANY_DIFFER = 10
"""From this number of differing tasks on the tasks speak for themselves."""
_CHUNK = 1_000_000
_TIE = 1e-12


class Point(NamedTuple):
    """One candidate's place."""

    cost: float
    value: float


class Standing(NamedTuple):
    """How sure the places of candidates are, as shares of the draws."""

    on_frontier: tuple[float, ...]
    """For each candidate: how often nobody dominated it."""
    dominates: tuple[tuple[float, ...], ...]
    """Row i, column j: how often candidate i dominated candidate j."""


def dominates(one: Point, other: Point) -> bool:
    """Tell whether a point costs no more than another, is worth no less, and is better in one of the two."""
    return one.cost <= other.cost and one.value >= other.value and one != other


def plain(points: Sequence[Point]) -> tuple[int, ...]:
    """Return the indices of the points that no other dominates; equal points stay together.

    Args:
        points: Cost and value of each candidate.

    Returns:
        Indices, rising.

    Raises:
        UsageError: A cost or a value is not finite.
    """
    _check(points)
    return tuple(index for index, point in enumerate(points) if not any(dominates(other, point) for other in points))


def convex(points: Sequence[Point]) -> tuple[int, ...]:
    """Return the indices of the corners of the upper hull between the cheapest and the best point: what random routing reaches.

    Args:
        points: Cost and value of each candidate.

    Returns:
        Indices, rising; equal points stay together, and a point on the line between two corners is none.

    Raises:
        UsageError: A cost or a value is not finite.
    """
    corners: list[Point] = []
    for point in sorted({points[index] for index in plain(points)}):
        while len(corners) > 1 and not _bends_down(corners[-2], corners[-1], point):
            corners.pop()
        corners.append(point)
    return tuple(index for index, point in enumerate(points) if point in corners)


def standing(costs: Sequence[Sequence[float]], values: Sequence[Sequence[float]], *, seed: int = 0, draws: int = DRAWS) -> Standing | None:
    """Return how sure the places of candidates are.

    Args:
        costs: One row a candidate, one column a task: the mean cost of a trial.
        values: The same shape: the value of the task, a share.
        seed: Seed of the weights (PCG64).
        draws: Number of draws.

    Returns:
        Shares of the draws; `None` for fewer than five tasks, and without a candidate.

    Raises:
        UsageError: The rows do not have the same tasks, or a number is not finite.
    """
    import numpy as np

    table, worth = _matrix(costs), _matrix(values)
    if table.shape != worth.shape:
        raise UsageError(f"expected costs and values of the same candidates and tasks, not {table.shape} and {worth.shape}.")
    count, tasks = table.shape
    if not count or tasks < FEWEST_TASKS:
        return None
    generator = np.random.Generator(np.random.PCG64(seed))
    ends = _ends(worth)
    beaten, free = np.zeros((count, count)), np.zeros(count)
    block = max(1, _CHUNK // (tasks + count * count))
    for start in range(0, draws, block):
        won = _dominations(generator, table, worth, ends, min(block, draws - start))
        beaten += won.sum(axis=0)
        free += (~won.any(axis=1)).sum(axis=0)
    return Standing(tuple((free / draws).tolist()), tuple(tuple(row) for row in (beaten / draws).tolist()))


def _dominations(generator, costs: ndarray, values: ndarray, ends: ndarray, size: int) -> ndarray:  # noqa: ANN001 - numpy's Generator
    """Return draws × candidate × candidate: whether the first dominates the second."""
    weights = generator.standard_exponential((size, costs.shape[1]))
    lean = generator.standard_gamma(0.5, size) - generator.standard_gamma(0.5, size)
    cheaper = _signs(weights @ costs.T, costs) * -1
    better = _signs(weights @ values.T, values, lean[:, None, None] * ends)
    return (cheaper >= 0) & (better >= 0) & (cheaper + better > 0)


def _signs(sums: ndarray, rows: ndarray, more: ndarray | float = 0.0) -> ndarray:
    """Return the signs of all differences between columns of weighted sums; what only rounding tells apart is a tie."""
    import numpy as np

    gaps = sums[:, :, None] - sums[:, None, :] + more
    return np.where(np.abs(gaps) <= _TIE * rows.shape[1] * max(1e-300, float(np.abs(rows).max())), 0, np.sign(gaps))


def _ends(values: ndarray) -> ndarray:
    """Return which pairs of candidates differ on so few tasks that the ends of the scale are weighed in, with opposite signs."""
    import numpy as np

    differing = (values[:, None, :] != values[None, :, :]).sum(axis=2)
    few = (differing > 0) & (differing < MANY_DIFFER)
    return np.triu(few, 1).astype(float) - np.tril(few, -1)


def _bends_down(before: Point, middle: Point, after: Point) -> bool:
    """Tell whether the middle point lies above the line between its neighbours."""
    rise = (middle.value - before.value) * (after.cost - before.cost)
    line = (after.value - before.value) * (middle.cost - before.cost)
    return rise - line > _TIE * max(abs(rise), abs(line))


def _check(points: Sequence[Point]) -> None:
    wrong = [point for point in points if not (isfinite(point.cost) and isfinite(point.value))]
    if wrong:
        raise UsageError(f"a cost and a value must be finite, not {tuple(wrong[0])}; a candidate of unknown cost has no place.")


def _matrix(rows: Sequence[Sequence[float]]) -> ndarray:
    """Return rows as a matrix of finite numbers."""
    import numpy as np

    if len({len(row) for row in rows}) > 1:
        raise UsageError("every candidate needs a number for each task, the same tasks for all.")
    found = np.asarray(rows, dtype=float).reshape(len(rows), len(rows[0]) if rows else 0)
    if not np.isfinite(found).all():
        raise UsageError("every cost and value must be finite; a candidate of unknown cost has no place.")
    return found
