"""Standardised: two scores on one mix of slices, so that a change of the mix cannot pass for a change of the candidate.

The score of a run is sum of W_s * rate_s with the weights W of the baseline's mix, or of the suite or production traffic, for both
sides. Assumes that slices are disjoint and that a rate of a slice means the same on both sides. Without it a score can rise while every
slice falls (Simpson's paradox), because easy tasks were added.

Source: Simpson 1951, JRSS B 13; Keiding and Clayton 2014, Statistical Science 29 (direct standardisation).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum, isfinite
from typing import NamedTuple

from seatrial.base.errors import UsageError
from seatrial.base.wording import did_you_mean


class Part(NamedTuple):
    """One slice of one side."""

    rate: float
    """Its mean, a share."""
    tasks: int
    """Its tasks, or its cases a day: what it weighs in a pooled score."""


class Standardised(NamedTuple):
    """Two scores, as they are and on one mix."""

    before: float
    """Pooled over the baseline's own mix."""
    after: float
    """Pooled over the candidate's own mix: what the paradox shows."""
    before_on_mix: float
    """The baseline on the fixed mix."""
    after_on_mix: float
    """The candidate on the fixed mix: the one to hold against `before_on_mix`."""
    differences: dict[str, float]
    """After minus before of each slice that both have."""


def standardised(before: Mapping[str, Part], after: Mapping[str, Part], *, weights: Mapping[str, float] | None = None) -> Standardised:
    """Return both scores on one mix of slices.

    Args:
        before: The baseline's slices by name.
        after: The candidate's slices by name.
        weights: What each slice weighs, in any unit; `None`: the baseline's tasks.

    Returns:
        The scores and the difference of each slice.

    Raises:
        UsageError: No weight is above 0, a weight is negative or not finite, or a side lacks a slice that has weight.
    """
    mix = {name: float(part.tasks) for name, part in before.items()} if weights is None else weights
    return Standardised(
        before=_score(before, {name: part.tasks for name, part in before.items()}),
        after=_score(after, {name: part.tasks for name, part in after.items()}),
        before_on_mix=_score(before, mix),
        after_on_mix=_score(after, mix),
        differences={name: after[name].rate - part.rate for name, part in before.items() if name in after},
    )


def _score(side: Mapping[str, Part], weights: Mapping[str, float]) -> float:
    """Return the weighted mean of rates."""
    total = fsum(weights.values())
    if any(not isfinite(weight) or weight < 0 for weight in weights.values()) or not total > 0:
        raise UsageError(f"weights must be finite, 0 or more, and not all 0; got {dict(weights)!r}.")
    for name in (name for name, weight in weights.items() if weight and name not in side):
        raise UsageError(f"no slice {name!r} on one side, so that it has no score on this mix.{did_you_mean(name, side)}")
    return fsum(weight * side[name].rate for name, weight in weights.items() if weight) / total
