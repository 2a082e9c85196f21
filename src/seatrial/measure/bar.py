"""An absolute bar: whether a number, as far as it is known, reaches it.

Pass when the one-sided lower limit reaches the bar, fail when the one-sided upper limit lies below it, else inconclusive: the data allow
both. A candidate exactly at the bar passes in at most 5 % of runs; the rule `estimate >= bar` would pass it in half of them.

Source: Berger 1982, Technometrics 24 (every bar is tested at 5 %, and all must pass: no correction for their number).
"""

from __future__ import annotations

from seatrial.base.errors import UsageError
from seatrial.records.decision import DecisionValue


def against_bar(lower: float | None, upper: float | None, bar: float) -> DecisionValue:
    """Return what limits say of a bar that the number must reach.

    Args:
        lower: One-sided lower limit; `None`: not known.
        upper: One-sided upper limit; `None`: not known.
        bar: The least value that is good enough.

    Returns:
        `pass`, `fail` or `inconclusive`.

    Raises:
        UsageError: A limit or the bar is nan, or the limits are crossed.
    """
    check_limits(lower, upper, bar)
    if lower is not None and lower >= bar:
        return "pass"
    return "fail" if upper is not None and upper < bar else "inconclusive"


def under_ceiling(lower: float | None, upper: float | None, ceiling: float) -> DecisionValue:
    """Return what limits say of a ceiling that the number must not exceed, such as a cost.

    Args:
        lower: One-sided lower limit; `None`: not known.
        upper: One-sided upper limit; `None`: not known, or not finite.
        ceiling: The largest value that is good enough.

    Returns:
        `pass`, `fail` or `inconclusive`.

    Raises:
        UsageError: A limit or the ceiling is nan, or the limits are crossed.
    """
    check_limits(lower, upper, ceiling)
    if upper is not None and upper <= ceiling:
        return "pass"
    return "fail" if lower is not None and lower > ceiling else "inconclusive"


def check_limits(lower: float | None, upper: float | None, held_against: float) -> None:
    """Raise `UsageError` when limits are nan or crossed, or what they are held against is nan."""
    known = [value for value in (lower, upper, held_against) if value is not None]
    if any(value != value for value in known):  # noqa: PLR0124 - nan is the one number that is not itself
        raise UsageError(f"limits must be numbers, not {lower!r} and {upper!r} against {held_against!r}.")
    if lower is not None and upper is not None and lower > upper:
        raise UsageError(f"a lower limit of {lower!r} lies above the upper limit of {upper!r}.")
