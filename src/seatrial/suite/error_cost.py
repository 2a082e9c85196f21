"""`error_cost`: what a wrong case costs in production, as a whole and on some slices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from seatrial.records.manifest import SliceCost
from seatrial.suite.part import Part, shown

KEYS = {
    "usd": "US dollars that one wrong case costs where no slice says otherwise.",
    "slices": "Dearer or cheaper slices: name to value to US dollars; the dearest that fits a task counts.",
}
"""Keys of `error_cost` and what they mean."""


@dataclass(frozen=True)
class ErrorCost:
    """What a wrong case costs.

    Args:
        usd: US dollars where no slice says otherwise; `None`: not given.
        slices: What it costs on some slices.
    """

    usd: float | None = None
    slices: tuple[SliceCost, ...] = ()


def read_error_cost(part: Part, slices: Mapping[str, tuple[str, ...]] | None) -> ErrorCost:
    """Read what a wrong case costs.

    Args:
        part: Its mapping.
        slices: Declared slices, name to values, no values standing for any; `None`: any slice.

    Raises:
        SuiteError: A key or a slice is wrong, an amount is below 0, or nothing is given.
    """
    part.mapping(KEYS)
    if not part.value:
        part.fail("expected `usd`, `slices`, or both")
    return ErrorCost(part.read("usd", _usd, None), part.read("slices", lambda each: tuple(_slices(each, slices)), ()))


def _slices(part: Part, slices: Mapping[str, tuple[str, ...]] | None) -> Iterator[SliceCost]:
    """Yield what a wrong case costs on each slice."""
    for name, values in part.entries():
        if slices is not None:
            Part(name, values.place, values.path).choice(slices, "slice")
        for value, usd in values.entries():
            if slices and slices[name]:
                Part(value, usd.place, usd.path).choice(slices[name], f"value of {name}")
            yield SliceCost(name, value, _usd(usd))


def _usd(part: Part) -> float:
    """Return an amount of US dollars."""
    amount = part.number()
    return amount if amount >= 0 else part.fail(f"expected US dollars of 0 or more, got {shown(amount)}")
