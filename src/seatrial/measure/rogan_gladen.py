"""Rogan and Gladen's correction: the pass rate behind a judge whose errors are known from elsewhere.

Formula: (apparent + specificity - 1) / (sensitivity + specificity - 1), its variance by the delta method. Assumption: the judge errs on
these trials as on those that were labelled. Where a random part of these same trials was labelled, `prediction_powered_mean` is narrower
and needs no such assumption. Source: Rogan and Gladen 1978, American Journal of Epidemiology 107.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from seatrial.base.errors import UsageError


class Labelled(NamedTuple):
    """What a judge said of units that people labelled."""

    passed_right: int
    """Units that people passed and the judge passed."""
    passed: int
    """Units that people passed."""
    failed_right: int
    """Units that people failed and the judge failed."""
    failed: int
    """Units that people failed."""


class Corrected(NamedTuple):
    """A pass rate corrected for a judge's errors."""

    apparent: float
    """Share that the judge passed."""
    sensitivity: float
    specificity: float
    value: float | None
    """The corrected share, as the formula gives it: it may lie outside of 0 to 1; `None`: the judge carries no information."""
    error: float | None
    """Standard error by the delta method; `None`: no value."""
    note: str
    """What a reader must know: why there is no value, or that it is not within 0 to 1; empty: nothing."""

    @property
    def clipped(self) -> float | None:
        """The value cut to 0 to 1; `None`: no value."""
        return None if self.value is None else min(1.0, max(0.0, self.value))

    @property
    def variance(self) -> float | None:
        """The error squared; `None`: no value."""
        return None if self.error is None else self.error**2


def rogan_gladen(passed: int, trials: int, labelled: Labelled) -> Corrected:
    """Return the pass rate behind a judge.

    Args:
        passed: Trials that the judge passed.
        trials: Trials that the judge rated, 1 or more.
        labelled: What it said of units with a known answer; at least one of each.

    Returns:
        The corrected rate; without a value when the judge passes as often what people failed as what they passed, or oftener.

    Raises:
        UsageError: Counts contradict each other, or one class has no labelled unit.
    """
    pairs = ((passed, trials), labelled[:2], labelled[2:])
    if any(n < 1 or not 0 <= x <= n for x, n in pairs):
        raise UsageError(f"expected counts within 1 or more units each, not {' and '.join(f'{x} of {n}' for x, n in pairs)}.")
    apparent, sensitivity, specificity = (x / n for x, n in pairs)
    known = labelled.passed_right * labelled.failed + labelled.failed_right * labelled.passed - labelled.passed * labelled.failed
    if known <= 0:
        return Corrected(
            apparent, sensitivity, specificity, None, None, "sensitivity + specificity is not above 1: the judge tells nothing"
        )
    information = known / (labelled.passed * labelled.failed)
    value = (apparent + specificity - 1) / information
    parts = ((1.0, apparent, trials), (value, sensitivity, labelled.passed), (1 - value, specificity, labelled.failed))
    error = sqrt(sum(weight**2 * share * (1 - share) / n for weight, share, n in parts)) / information
    return Corrected(apparent, sensitivity, specificity, value, error, _note(value))


def _note(value: float) -> str:
    """Return what a value outside of 0 to 1 says."""
    if 0 <= value <= 1:
        return ""
    which, what = ("specificity", "passes fewer trials") if value < 0 else ("sensitivity", "passes more trials")
    return f"outside of 0 to 1: the judge {what} than its labelled {which} allows, so that its errors here are others"
