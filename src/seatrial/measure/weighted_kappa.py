"""Weighted kappa: agreement of two raters on ordered classes, where a near miss counts less than a far one.

Formula: 1 - sum of w O / sum of w E, with w = |i - j| (linear) or (i - j)^2 (quadratic), O the counts and E those that both raters' own
margins give by chance. Assumption: classes are in order and equally far apart. Source: Cohen 1968, Psychological Bulletin 70.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from seatrial.base.errors import UsageError

Weights = Literal["linear", "quadratic"]


def weighted_kappa(table: Sequence[Sequence[int]], *, weights: Weights = "quadratic") -> float | None:
    """Return the weighted kappa of a table of counts.

    Args:
        table: One row a class of the first rater, one column a class of the second, in the classes' order; two classes or more.
        weights: How the distance of two classes counts.

    Returns:
        Up to 1; `None` when both always say the same one class.

    Raises:
        UsageError: The table is not square, has a negative count, one class, or no unit.
    """
    classes = range(len(table))
    if len(table) < 2 or any(len(row) != len(table) or min(row) < 0 for row in table):
        raise UsageError(f"expected a square table of counts of 0 or more with at least two classes, not {[list(row) for row in table]}.")
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    units = sum(rows)
    if not units:
        raise UsageError("no unit was rated by both: there is no agreement to measure.")
    power = 1 if weights == "linear" else 2
    seen = units * sum(abs(i - j) ** power * table[i][j] for i in classes for j in classes)
    chance = sum(abs(i - j) ** power * rows[i] * columns[j] for i in classes for j in classes)
    return (chance - seen) / chance if chance else None
