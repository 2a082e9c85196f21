"""Krippendorff's alpha: agreement of any number of raters, with ratings missing.

Formula: 1 - D_o / D_e, observed over expected disagreement of pairs of ratings within units, by a distance that fits the level of
measurement. Computed by the library `krippendorff` (extra `statistics`). Source: Krippendorff 2011, Computing Krippendorff's
Alpha-Reliability.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite
from types import ModuleType
from typing import Literal

from seatrial.base.errors import MissingExtra, UsageError
from seatrial.measure.task_count import Interval

Level = Literal["nominal", "ordinal", "interval", "ratio"]
DRAWS = 1_000


def krippendorff_alpha(ratings: Sequence[Sequence[float | None]], *, level: Level) -> float | None:
    """Return alpha.

    Args:
        ratings: One row a rater, one column a unit; `None`: not rated. Classes are numbers; any will do for `nominal`.
        level: What the numbers mean.

    Returns:
        Up to 1; `None` when no unit has two ratings, or all that do have the same one value: nothing could disagree.

    Raises:
        UsageError: Raters have different numbers of units, a rating is not finite, or one is below 0 at level `ratio`.
        MissingExtra: The extra `statistics` is not installed.
    """
    return _alpha(_library(), _paired(ratings, level), level)


def interval(ratings: Sequence[Sequence[float | None]], *, level: Level, confidence: float = 0.95, seed: int = 0) -> Interval | None:
    """Return the percentile interval of alpha over redrawn units.

    Args:
        ratings: As for `krippendorff_alpha`.
        level: What the numbers mean.
        confidence: Share, 0 to 1.
        seed: Seed of the draws (PCG64).

    Returns:
        The interval from the redraws that have an alpha; `None` when alpha is undefined, or when no two raters disagreed: redrawing
        units then shows no spread, which is not a spread of 0.

    Raises:
        UsageError: Raters have different numbers of units, a rating is not finite, or one is below 0 at level `ratio`.
        MissingExtra: The extra `statistics` is not installed.
    """
    import numpy as np

    library, units = _library(), _paired(ratings, level)
    if _alpha(library, units, level) is None or all(len(set(unit)) == 1 for unit in units):
        return None
    generator = np.random.Generator(np.random.PCG64(seed))
    draws = generator.integers(len(units), size=(DRAWS, len(units)))
    found = [_alpha(library, [units[at] for at in draw], level) for draw in draws]
    tails = ((1 - confidence) / 2, (1 + confidence) / 2)
    return Interval(*np.quantile([one for one in found if one is not None], tails).tolist())


def _paired(ratings: Sequence[Sequence[float | None]], level: Level) -> list[list[float]]:
    """Return the ratings of each unit that has two or more."""
    if len({len(rater) for rater in ratings}) > 1:
        raise UsageError(f"every rater needs one rating or None for each unit; got {[len(rater) for rater in ratings]} of them.")
    least = 0.0 if level == "ratio" else -inf
    if wrong := [one for rater in ratings for one in rater if one is not None and not (isfinite(one) and one >= least)]:
        above = " and 0 or more, as ratios are" if level == "ratio" else ""
        raise UsageError(f"a rating must be a finite number{above}, not {wrong[0]!r}; None: not rated.")
    units = ([one for one in unit if one is not None] for unit in zip(*ratings, strict=True))
    return [unit for unit in units if len(unit) > 1]


def _alpha(library: ModuleType, units: Sequence[Sequence[float]], level: Level) -> float | None:
    """Return alpha by the library, from counts of each value in each unit."""
    domain = sorted({one for unit in units for one in unit})
    if len(domain) < 2:
        return None
    counts = [[list(unit).count(value) for value in domain] for unit in units]
    return float(library.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level))


def _library() -> ModuleType:
    """Return the library, or say which extra brings it."""
    try:
        import krippendorff
    except ImportError:
        raise MissingExtra("krippendorff", "statistics") from None
    return krippendorff
