"""What every group of the golden file needs: one check, how the file writes a number, and what is done with what cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from seatrial.base.errors import SeatrialError

TOLERANCE = 1e-9
DRAWN_TOLERANCE = 0.01
"""Of quantiles that are drawn, not computed."""
UNREADABLE = (SeatrialError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What reading a file that is not of the shape, or whose inputs make no sense, ends in."""


class Check(NamedTuple):
    """One number that has a right value, or (`differs`) a wrong value that ours must not be."""

    case: str
    ours: object
    right: object
    tolerance: float = TOLERANCE
    differs: bool = False


Group = Callable[[object], Iterator[Check]]
Reader = Callable[[str, dict], Iterator[Check]]


class Record(dict):
    """An object of the file that remembers which of its keys were read."""

    def __init__(self, pairs: Iterable[tuple[str, object]]) -> None:
        """Make a record of key and value pairs."""
        super().__init__(pairs)
        self.read: set[str] = set()

    def __getitem__(self, key: str) -> object:
        """Return a value, and remember that it was read."""
        self.read.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: object = None) -> object:
        """Return a value or the default, and remember that it was read."""
        self.read.add(key)
        return super().get(key, default)

    def items(self) -> Iterator[tuple[str, object]]:
        """Return all keys and values: whoever goes through them reads them."""
        self.read.update(self)
        return iter(list(super().items()))

    def values(self) -> Iterator[object]:
        """Return all values: whoever goes through them reads them."""
        return (value for _, value in self.items())


def number(value):
    """Return the number that the file gives: plain, `"3/4"`, as `{"frac": …, "value": …}` with one of the two or both, or a list."""
    if isinstance(value, list):
        return [number(one) for one in value]
    if isinstance(value, str) and "/" in value:
        return float(Fraction(value))
    if not isinstance(value, dict):
        return value
    found = [number(value[key]) for key in ("frac", "value") if value.get(key) is not None]
    if not found:
        raise ValueError(f"{dict(value)!r} gives no number")
    if abs(found[0] - found[-1]) > TOLERANCE * max(1.0, abs(found[0])):
        raise ValueError(f"{value['frac']} is not {value['value']}")
    return found[0]


def answered(function: Callable[[], object]) -> object:
    """Return what a function gives, `undefined` for `None`, or `error` when it refuses."""
    try:
        found = function()
    except SeatrialError:
        return "error"
    return "undefined" if found is None else found


def given(name: str, case: Mapping[str, object], ours: Mapping[str, object], tolerance: float = TOLERANCE) -> Iterator[Check]:
    """Yield one check for each of our values that the case has a right value of, to the case's own tolerance if it has one.

    Args:
        name: Start of each check's name.
        case: The case; keys that we have no value of are left alone.
        ours: Values by the file's keys; a function is asked only when the file gives its key.
        tolerance: Where the case gives none.

    Yields:
        The checks.
    """
    for key, value in ours.items():
        if key in case:
            found = answered(value) if callable(value) else value
            yield Check(f"{name} {key}".lstrip(), found, number(case[key]), case.get("tolerance", tolerance))


def each(cases: object, read: Reader) -> Iterator[Check]:
    """Yield the checks of every case; one that cannot be read, or in which nothing has a right value, is one wrong check.

    Args:
        cases: A list of cases, an object that has them under `cases`, or one case alone.
        read: Gives the checks of one case by its name, which is its number where it has none.

    Yields:
        The checks.
    """
    if isinstance(cases, dict):
        cases = cases.get("cases", [cases])
    if not isinstance(cases, list | tuple):
        raise TypeError(f"expected a list of cases, not a {type(cases).__name__}")
    for index, case in enumerate(cases):
        name = str(case.get("name", f"case {index}")) if isinstance(case, dict) else f"case {index}"
        yield from guarded(name, read(name, case))


def guarded(name: str, found: Iterator[Check]) -> Iterator[Check]:
    """Yield checks, and one wrong check when they cannot be read or there is none."""
    count = 0
    try:
        for count, check in enumerate(found, start=1):  # noqa: B007 - the count is asked for at the end
            yield check
    except UNREADABLE as problem:
        yield Check(f"{name} cannot be read: {type(problem).__name__}: {problem}", None, "readable")
    else:
        if not count:
            yield Check(f"{name} has no right value under a key that is known", None, "a value")


def unlike(case: str, ours: object, wrong, right) -> Iterator[Check]:
    """Yield that ours is not a wrong value, where the file gives one that differs from the right one."""
    if wrong is not None and right is not None and number(wrong) != number(right):
        yield Check(case, ours, number(wrong), differs=True)


def unread(name: str, node: object) -> Iterator[str]:
    """Yield the places below a part of the file that hold a number which no check has read."""
    if isinstance(node, Record):
        for key in node:
            value = dict.__getitem__(node, key)
            if key in node.read:
                yield from unread(f"{name}/{key}", value)
            elif not isinstance(value, str | None):
                yield f"{name}/{key}"
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from unread(f"{name}/{index}", value)
