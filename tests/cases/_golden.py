"""What every group of the golden file needs: one check, and how the file writes a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from seatrial.base.errors import SeatrialError

TOLERANCE = 1e-9
DRAWN_TOLERANCE = 0.01
"""Of quantiles that are drawn, not computed."""


class Check(NamedTuple):
    """One number that has a right value, or (`differs`) a wrong value that ours must not be."""

    case: str
    ours: object
    right: object
    tolerance: float = TOLERANCE
    differs: bool = False


Group = Callable[[object], Iterator[Check]]


def number(value):
    """Return the number that the file gives: plain, or as `{"frac": …, "value": …}`."""
    return value["value"] if isinstance(value, dict) and "value" in value else value


def answered(function: Callable[[], object]) -> object:
    """Return what a function gives, `undefined` for `None`, or `error` when it refuses."""
    try:
        found = function()
    except SeatrialError:
        return "error"
    return "undefined" if found is None else found


def unlike(case: str, ours: object, wrong, right) -> Iterator[Check]:
    """Yield that ours is not a wrong value, where the file gives one that differs from the right one."""
    if wrong is not None and number(wrong) != number(right):
        yield Check(case, ours, number(wrong), differs=True)
