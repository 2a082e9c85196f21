"""What it would take to decide: how many more tasks, or how many trials of the tasks that there are.

Two things must hold before a number is named. The test must find the distance between the estimate and the limit with 80 % power
(`measure.power`: Miller 2024); and the very limits that the rule looks at must decide in four runs out of five: with the mean as far on the
wrong side of the estimate as one run in five is. The second matters where the limits are not those of a t test: tasks that all passed show
no spread, and yet allow much.

More tasks are modelled as more of the same: the sorted values, stretched. More trials are modelled by drawing the values towards their
mean until their variance is what lies between tasks plus what so many trials leave. When even no noise of trials at all would not
decide, no number of trials can. Simulated, what is asked for decides in 70 to 97 % of runs (`tests/gate/test_needs.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum, sqrt
from statistics import NormalDist
from typing import NamedTuple

from seatrial.base.wording import count
from seatrial.measure import power
from seatrial.records.decision import Need

MOST_TASKS = 100_000
MOST_TRIALS = 1_000
_ONE_IN_FIVE = NormalDist().inv_cdf(power.POWER)
"""Standard errors by which one run in five is off to one side."""
_SMALLEST = 1e-6
"""Distances below this are none: no plan can find them."""


class Gap(NamedTuple):
    """The distance between an estimate and what it is held against."""

    values: Sequence[float]
    """One value a task."""
    limit: float
    """What their mean is held against."""
    between: float | None
    """Variance between tasks that no trial takes away; `None`: not known, so that trials cannot be planned."""
    within: float
    """Variance that one trial of each task adds, both candidates together."""
    trials: int
    """Trials of a task now."""
    decided: Callable[[Sequence[float]], bool]
    """Whether the limits decide on these values."""
    ends: tuple[float, float] = (0.0, 1.0)
    """The ends of the scale."""
    where: str = ""
    """Which runs must have them, with a blank before it; empty: the one that is decided on."""

    @property
    def distance(self) -> float:
        """How far the mean lies from the limit."""
        return abs(_mean(self.values) - self.limit)


def need(gap: Gap) -> Need:
    """Return what it would take to decide.

    Args:
        gap: The distance, and what is known of the spread.
    """
    if len(gap.values) < 2:
        return Need("More tasks: one task shows nothing of the spread between tasks")
    if gap.distance < _SMALLEST:
        return Need("The estimate lies at the limit itself: if that is the truth, no number of tasks or trials can decide")
    tasks, trials = _tasks(gap), _trials(gap)
    return Need(_words(gap, tasks, trials), trials=trials, tasks=tasks)


def _tasks(gap: Gap) -> int | None:
    """Return the tasks that decide at the present number of trials; `None`: none within reason do."""
    spread = sqrt(_variance(gap.values))
    least = max(len(gap.values) + 1, power.tasks_for_spread(gap.distance, spread=spread, two_sided=False) if spread else 0)
    if least > MOST_TASKS:
        return None
    return _first(least, MOST_TASKS, lambda tasks: _in_most_runs(gap, _stretched(gap.values, tasks)))


def _trials(gap: Gap) -> int | None:
    """Return the trials of each present task that decide; `None`: no number does, or it cannot be told."""
    if gap.between is None:
        return None
    least = power.trials_needed(
        gap.distance, tasks=len(gap.values), between=gap.between, within_before=0.0, within_after=gap.within, two_sided=False
    )
    if least is None or least > MOST_TRIALS or not _in_most_runs(gap, _drawn_in(gap, gap.between)):
        return None
    least = max(least, gap.trials + 1)
    return _first(least, MOST_TRIALS, lambda trials: _in_most_runs(gap, _drawn_in(gap, (gap.between or 0.0) + gap.within / trials)))


def _in_most_runs(gap: Gap, values: Sequence[float]) -> bool:
    """Tell whether the limits decide even where chance moved the mean towards the limit, as it does in one run of five."""
    shift = _ONE_IN_FIVE * sqrt(_variance(values) / len(values))
    towards = shift if gap.limit > _mean(gap.values) else -shift
    return gap.decided([min(max(value + towards, gap.ends[0]), gap.ends[1]) for value in values])


def _first(least: int, most: int, decides: Callable[[int], bool]) -> int | None:
    """Return the smallest number from which on it is decided, by doubling and halving; `None`: the largest does not do."""
    if decides(least):
        return least
    low, high = least, least
    while not decides(high):
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decides(middle) else (middle, high)
    return high


def _stretched(values: Sequence[float], tasks: int) -> list[float]:
    """Return so many values that are spread like these."""
    ordered = sorted(values)
    return [ordered[int((place + 0.5) * len(ordered) / tasks)] for place in range(tasks)]


def _drawn_in(gap: Gap, variance: float) -> list[float]:
    """Return the values drawn towards their mean until they have a variance; never pushed away from it."""
    now = _variance(gap.values)
    # Not quite to the mean: tasks that differ must still differ, for how many do decides by which limits a difference is judged.
    factor = sqrt(min(1.0, max(variance / now, _SMALLEST))) if now else 1.0
    mean = _mean(gap.values)
    return [mean + factor * (value - mean) for value in gap.values]


def _mean(values: Sequence[float]) -> float:
    """Return the mean of one or more values."""
    return fsum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    """Return the sample variance of two or more values."""
    mean = _mean(values)
    return fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


def _words(gap: Gap, tasks: int | None, trials: int | None) -> str:
    """Return the need in one sentence, without a full stop."""
    more = None if tasks is None else f"about {tasks - len(gap.values):,} more tasks at {count(gap.trials, 'trial')}"
    each = None if trials is None else f"{count(trials, 'trial')} of each of these {count(len(gap.values), 'task')}{gap.where}"
    if more and each:
        return f"To decide with 80 % power run {more}, or {each}"
    if each:
        return f"To decide with 80 % power run {each}"
    if not more:
        return "The estimate lies too near to the limit: no number of tasks or trials within reason can decide"
    return f"To decide with 80 % power run {more}{_why_not_trials(gap)}"


def _why_not_trials(gap: Gap) -> str:
    """Return why trials alone do not decide, in words."""
    if gap.between is None:
        return "; how many trials of these tasks would do cannot be told in advance"
    variance = _variance(gap.values)
    lies = f" ({min(1.0, gap.between / variance):.0%} of the variance lies between tasks)" if variance and gap.between else ""
    return f"; no number of trials of these tasks alone can decide{lies.replace('%', ' %')}"
