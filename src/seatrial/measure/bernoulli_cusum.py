"""Bernoulli CUSUM: an alarm for a small drop of the pass rate that lasts.

Formula: S = max(0, S + log-likelihood ratio of the trial), which is log((1 - p1) / (1 - p0)) for a fail and log(p1 / p0) for a pass; alarm
when S reaches the threshold. The mean number of trials to an alarm is that of a Markov chain over cells of S (Brook and Evans).
Assumption: trials are independent, and their mix does not change – standardise by slice first.
Source: Page 1954, Biometrika 41; Reynolds and Stoumbos 1999, Journal of Quality Technology 31; Brook and Evans 1972, Biometrika 59.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log
from typing import TYPE_CHECKING, NamedTuple

from seatrial.base.errors import UsageError

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

STATES = 50_000
"""Cells of the chain: good to about 0.5 %. With 800 cells a mean of 1,860 trials comes out as 1,990."""


class Step(NamedTuple):
    """What one trial adds to the sum."""

    fail: float
    """Above 0."""
    passed: float
    """Below 0."""


def path(outcomes: Sequence[bool], *, expected: float, dropped: float) -> list[float]:
    """Return the sum after each trial.

    Args:
        outcomes: Whether each trial passed, in order.
        expected: The pass rate as it should be.
        dropped: The pass rate to find, below `expected`.

    Returns:
        One value a trial, 0 or more.

    Raises:
        UsageError: Not 0 < dropped < expected < 1.
    """
    step = _step(expected, dropped)
    total, found = 0.0, []
    for outcome in outcomes:
        total = max(0.0, total + (step.passed if outcome else step.fail))
        found.append(total)
    return found


def alarm_at(outcomes: Sequence[bool], *, expected: float, dropped: float, threshold: float) -> int | None:
    """Return the number of trials after which the sum first reached the threshold.

    Args:
        outcomes: Whether each trial passed, in order.
        expected: The pass rate as it should be.
        dropped: The pass rate to find, below `expected`.
        threshold: Above 0.

    Returns:
        Trials, 1 or more; `None`: no alarm so far.

    Raises:
        UsageError: Not 0 < dropped < expected < 1, or a threshold that is not above 0.
    """
    _check_threshold(threshold)
    sums = path(outcomes, expected=expected, dropped=dropped)
    return next((trials for trials, total in enumerate(sums, start=1) if total >= threshold), None)


def run_length(rate: float, *, expected: float, dropped: float, threshold: float, states: int = STATES) -> float:
    """Return the mean number of trials to an alarm when the pass rate is what it is.

    Args:
        rate: The true pass rate, 0 to 1: `expected` gives the trials between false alarms, `dropped` those until a drop is found.
        expected: The pass rate as it should be.
        dropped: The pass rate to find, below `expected`.
        threshold: Above 0.
        states: Cells of the Markov chain; each is treated as its middle.

    Returns:
        Trials; infinite when nothing ever fails.

    Raises:
        UsageError: Not 0 < dropped < expected < 1, a rate that is no share, or a threshold that is not above 0.
    """
    step = _step(expected, dropped)
    _check_threshold(threshold)
    if not 0 <= rate <= 1 or states < 1:
        raise UsageError(f"expected a rate of 0 to 1 and at least one state, not {rate!r} and {states!r}.")
    if rate == 1:
        return inf
    import numpy as np
    from scipy.sparse.linalg import splu

    return float(splu(_chain(rate, step, threshold, states)).solve(np.ones(states))[0])


def _chain(rate: float, step: Step, threshold: float, states: int) -> csc_matrix:
    """Return identity minus the chances of going from cell to cell without an alarm."""
    import numpy as np
    from scipy.sparse import csc_matrix, identity

    width = threshold / states
    cells = np.arange(states)
    middles = (cells + 0.5) * width
    up, down = middles + step.fail, np.maximum(0.0, middles + step.passed)
    stays = up < threshold
    to = np.concatenate([up[stays], down]) // width
    chance = np.concatenate([np.full(stays.sum(), 1 - rate), np.full(states, rate)])
    places = (np.concatenate([cells[stays], cells]), np.minimum(to, states - 1).astype(int))
    return csc_matrix(identity(states) - csc_matrix((chance, places), shape=(states, states)))


def _step(expected: float, dropped: float) -> Step:
    """Return what a trial adds, after checking the rates."""
    if not 0 < dropped < expected < 1:
        raise UsageError(f"expected 0 < dropped < expected < 1, not {dropped!r} and {expected!r}.")
    return Step(log((1 - dropped) / (1 - expected)), log(dropped / expected))


def _check_threshold(threshold: float) -> None:
    """Raise `UsageError` unless a threshold can be reached and is not reached at once."""
    if not 0 < threshold < inf:
        raise UsageError(f"a threshold must be above 0, not {threshold!r}.")
