"""How rules name the tasks and trials that they rest on, and how they write numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from seatrial.base.wording import count, listed
from seatrial.measure.task_count import TaskCount

NAMED = 5
HOW_TO_NAME_ONE = "name its run with --baseline, or pin it (`seatrial baseline set`) before the candidate runs"
"""What to do where a rule has no baseline to look at."""
AFTER_A_CHANGE = "where the suite has changed, run the baseline's agent on it as it is now"
"""What to do where candidate and baseline have nothing in common."""


def named(names: Sequence[str]) -> str:
    """Return some names in words: at most five, then how many more."""
    return listed(names, NAMED)


def size(counts: Sequence[TaskCount]) -> str:
    """Return how much evidence there is: `150 tasks × 8 trials`, or a range of trials where tasks differ."""
    trials = [task.planned for task in counts]
    low, high = min(trials, default=0), max(trials, default=0)
    each = count(high, "trial") if low == high else f"{low:,} to {high:,} trials"
    return f"{count(len(counts), 'task')} × {each}"


def share(value: float | None) -> str:
    """Return a share to three digits, so that what lies under a bar is not rounded up to it; `not known` for `None`."""
    return "not known" if value is None else f"{value:.3f}"


def slice_words(chosen: Mapping[str, str]) -> str:
    """Return a choice of slices in words, with a blank before it; empty: all tasks."""
    return f" of {', '.join(f'{name}={value}' for name, value in chosen.items())}" if chosen else ""


def amount(value: float, unit: str) -> str:
    """Return a cost with its unit."""
    return f"${value:,.4g}" if unit == "usd" else f"{value:,.4g} {unit}"
