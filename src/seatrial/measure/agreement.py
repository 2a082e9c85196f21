"""Agreement of two raters, a judge and a person: what they share, and what chance alone would share.

Formula, with p_o the share of units on which both agree and p_e what chance gives: (p_o - p_e) / (1 - p_e). Cohen's kappa: p_e from both
raters' own margins; Scott's pi: from their mean margins; Gwet's AC1: sum of m (1 - m) / (q - 1) over q classes with mean margin m;
Bennett's S: 1 / q. Kappa falls and AC1 rises when nearly all units are of one class: read p_o, sensitivity and specificity first, and
neither alone. Source: Cohen 1960; Scott 1955; Gwet 2008, Br. J. Math. Stat. Psychol. 61; Bennett, Alpert and Goldstein 1954.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from seatrial.base.errors import UsageError
from seatrial.measure import binomial
from seatrial.measure.task_count import Interval
from seatrial.records.estimate import Estimate

DRAWS = 10_000


class Agreement(NamedTuple):
    """Agreement of two raters on the same units."""

    observed: float
    """Share of units on which both agree, p_o."""
    kappa: float | None
    """Cohen's kappa; `None`: both always say the same one thing, which shows nothing of agreement beyond chance."""
    scott_pi: float | None
    """Scott's pi; `None`: as for kappa."""
    ac1: float
    """Gwet's AC1; 1 when both always say the same."""
    bennett_s: float
    """Bennett's S."""
    units: int
    """Units that both rated."""


class AgreementIntervals(NamedTuple):
    """The interval of each number of `Agreement`."""

    observed: Interval
    kappa: Interval
    scott_pi: Interval
    ac1: Interval
    bennett_s: Interval


def agreement(table: Sequence[Sequence[int]]) -> Agreement:
    """Return the agreement that a table of counts shows.

    Args:
        table: One row a class of the judge, one column a class of the person, in the same order; two classes or more.

    Returns:
        The numbers; for pass and fail see also `sensitivity` and `specificity`.

    Raises:
        UsageError: The table is not square, has a negative count, one class, or no unit.
    """
    rows, columns, units = _margins(table)
    classes, same = len(rows), sum(table[at][at] for at in range(len(rows)))
    own = sum(row * column for row, column in zip(rows, columns, strict=True))
    both = [row + column for row, column in zip(rows, columns, strict=True)]
    mean = sum(total**2 for total in both)
    spread = sum(total * (2 * units - total) for total in both) / (classes - 1)
    return Agreement(
        observed=same / units,
        kappa=_beyond(same * units, own, units**2),
        scott_pi=_beyond(4 * same * units, mean, 4 * units**2),
        ac1=(4 * units * same - spread) / (4 * units**2 - spread),
        bennett_s=(classes * same - units) / (classes * units - units),
        units=units,
    )


def intervals(table: Sequence[Sequence[int]], *, confidence: float = 0.95, seed: int = 0) -> AgreementIntervals:
    """Return the interval of each number of `agreement`: units are weighted anew, never labels.

    Weights of the table's cells are Dirichlet, with one unit of prior spread evenly over them, so that full agreement keeps room below 1.
    In simulations (50 and 200 units, five tables) it covered 92–97 % where 95 % is promised.

    Args:
        table: As for `agreement`.
        confidence: Share, 0 to 1.
        seed: Seed of the draws (PCG64).

    Returns:
        One interval a number, never of zero width; its upper end is 1 when all units agree.

    Raises:
        UsageError: As for `agreement`.
    """
    import numpy as np

    _margins(table)
    classes = len(table)
    counts = np.asarray(table, dtype=float).ravel() + 1 / classes**2
    weights = np.random.Generator(np.random.PCG64(seed)).dirichlet(counts, DRAWS).reshape(DRAWS, classes, classes)
    rows, columns = weights.sum(axis=2), weights.sum(axis=1)
    same = np.trace(weights, axis1=1, axis2=2)
    mean = (rows + columns) / 2
    chances = (
        np.zeros(DRAWS),
        (rows * columns).sum(axis=1),
        (mean**2).sum(axis=1),
        (mean * (1 - mean)).sum(axis=1) / (classes - 1),
        np.full(DRAWS, 1 / classes),
    )
    tails = ((1 - confidence) / 2, (1 + confidence) / 2)
    ends = [np.quantile((same - chance) / (1 - chance), tails).tolist() for chance in chances]
    agreed = all(table[i][j] == 0 for i in range(classes) for j in range(classes) if i != j)
    return AgreementIntervals(*(Interval(lower, 1.0 if agreed else upper) for lower, upper in ends))


def sensitivity(table: Sequence[Sequence[int]], *, confidence: float = 0.95) -> Estimate:
    """Return the share of units that the person passed which the judge passed too.

    Args:
        table: Counts, rows and columns pass, fail.
        confidence: Of Wilson's interval.

    Returns:
        The estimate; its `value` is `None` when the person passed no unit.

    Raises:
        UsageError: The table is not two by two, has a negative count, or no unit.
    """
    return _agreed(table, 0, "sensitivity", confidence, "the person passed no unit")


def specificity(table: Sequence[Sequence[int]], *, confidence: float = 0.95) -> Estimate:
    """Return the share of units that the person failed which the judge failed too.

    Args:
        table: Counts, rows and columns pass, fail.
        confidence: Of Wilson's interval.

    Returns:
        The estimate; its `value` is `None` when the person failed no unit.

    Raises:
        UsageError: The table is not two by two, has a negative count, or no unit.
    """
    return _agreed(table, 1, "specificity", confidence, "the person failed no unit")


def _margins(table: Sequence[Sequence[int]]) -> tuple[list[int], list[int], int]:
    """Return row sums, column sums and units after checking the table."""
    classes = len(table)
    if classes < 2 or any(len(row) != classes or min(row) < 0 for row in table):
        raise UsageError(f"expected a square table of counts of 0 or more with at least two classes, not {[list(row) for row in table]}.")
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    if not sum(rows):
        raise UsageError("no unit was rated by both: there is no agreement to measure.")
    return rows, columns, sum(rows)


def _beyond(same: int, chance: int, whole: int) -> float | None:
    """Return agreement beyond chance in whole numbers; `None` when chance explains all."""
    return (same - chance) / (whole - chance) if chance < whole else None


def _agreed(table: Sequence[Sequence[int]], said: int, name: str, confidence: float, none: str) -> Estimate:
    """Return the share of what the person said, 0 for pass and 1 for fail, that the judge said too, with Wilson's interval."""
    if len(_margins(table)[0]) != 2:
        raise UsageError(f"sensitivity and specificity are of two classes, pass and fail, not of {len(table)}.")
    right, units = table[said][said], table[0][said] + table[1][said]
    if not units:
        return Estimate(name=name, value=None, unit="share", note=none)
    lower, upper = binomial.wilson(right, units, confidence=confidence)
    return Estimate(
        name=name,
        value=right / units,
        lower=lower,
        upper=upper,
        confidence=confidence,
        method=f"Wilson over {units} units",
        trials=units,
        unit="share",
    )
