"""The sign-flip test: if both candidates were alike, each task's difference might as well have had the other sign.

p is the share of all 2^m ways to give the differences their signs whose sum is at least as far out as the one seen. Tasks that do
not differ change no sum and are left out. Up to `EXACT` differing tasks every way is counted (`scipy.stats.permutation_test`); beyond,
10,000 ways are drawn, and (ways as far + 1) / (draws + 1) is a p that is valid whatever the luck of the draw. Assumes only that tasks are
independent and that a difference is symmetric about 0 when nothing changed.

Source: Fisher 1935, The Design of Experiments, section 21; Phipson and Smyth 2010 (the + 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from seatrial.measure.paired_t import finite

if TYPE_CHECKING:
    from numpy import ndarray

EXACT = 13
"""Differing tasks up to which every way is counted."""
DRAWS = 10_000
_TIE = 1e-12
"""Sums closer than this share of the sum of all sizes are equal."""


class SignFlip(NamedTuple):
    """What the sign-flip test says."""

    two_sided: float
    """p that there is a difference."""
    greater: float
    """p that the mean difference lies above 0."""
    less: float
    """p that the mean difference lies below 0."""
    exact: bool
    """Whether every way was counted."""


def sign_flip(differences: Sequence[float] | ndarray, *, seed: int = 0, draws: int = DRAWS) -> SignFlip:
    """Return the sign-flip test of one difference a task.

    Args:
        differences: After minus before of each task.
        seed: Seed of the draws (PCG64); without effect while every way is counted.
        draws: Ways to draw when there are too many to count.

    Returns:
        The p values; all 1 when no task differs.

    Raises:
        UsageError: A difference is not finite.
    """
    import numpy as np

    found = finite(differences)
    moved = found[found != 0]
    if not moved.size:
        return SignFlip(1.0, 1.0, 1.0, exact=True)
    if len(moved) == 1:
        return SignFlip(1.0, *((0.5, 1.0) if moved[0] > 0 else (1.0, 0.5)), exact=True)
    if len(moved) <= EXACT:
        return SignFlip(*(_counted(moved, side) for side in ("two-sided", "greater", "less")), exact=True)
    sums = _drawn(moved, seed=seed, draws=draws)
    seen, tie = float(moved.sum()), _TIE * float(np.abs(moved).sum())
    as_far = (np.abs(sums) >= abs(seen) - tie, sums >= seen - tie, sums <= seen + tie)
    return SignFlip(*((int(ways.sum()) + 1) / (draws + 1) for ways in as_far), exact=False)


def _counted(moved: ndarray, side: str) -> float:
    """Return p from every way to give the signs."""
    import numpy as np
    from scipy.stats import permutation_test

    options = {"permutation_type": "samples", "n_resamples": 1 << EXACT, "vectorized": True}
    found = permutation_test((moved,), lambda values, axis: np.sum(values, axis=axis), alternative=side, **options)
    return float(found.pvalue)


def _drawn(moved: ndarray, *, seed: int, draws: int) -> ndarray:
    """Return sums under random signs, a draw of the number of pluses for each distinct size: the same law at a cost free of m."""
    import numpy as np

    sizes, counts = np.unique(np.abs(moved), return_counts=True)
    generator = np.random.Generator(np.random.PCG64(seed))
    sums = np.zeros(draws)
    for size, count in zip(sizes, counts, strict=True):
        sums += size * (2.0 * generator.binomial(count, 0.5, draws) - count)
    return sums
