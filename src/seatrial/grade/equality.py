"""Type-aware equality of JSON values: true is not 1, 1 is 1.0, "10" is not 10, the order of keys is free.

Two values are equal when their canonical forms are, and forms are hashable, so that `==` and `dict` do the work in C.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import isnan

from seatrial.base.canonical import MAX_DEPTH


class _Constant:
    """A value that equals only itself."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


_TRUE, _FALSE, _NAN = _Constant("true"), _Constant("false"), _Constant("NaN")
_MULTISET, _OTHER, _UNREADABLE = _Constant("multiset"), _Constant("other"), _Constant("unreadable")
_PLAIN = (str, int, type(None))


def canonical_form(value: object) -> object:
    """Return a hashable form of a JSON value; two values are equal when their forms are.

    Args:
        value: A value as a JSON decoder gives it; nested deeper than 64 levels, it equals nothing but itself.

    Returns:
        Texts, numbers and null stand for themselves; the rest for tuples, frozen sets and constants.
    """
    return value if type(value) in _PLAIN else _form(value, MAX_DEPTH)


def multiset_form(forms: Iterable[object]) -> object:
    """Return the form of a list whose order does not matter, from the forms of its members."""
    return (_MULTISET, frozenset(Counter(forms).items()))


def unreadable_form(value: object) -> object:
    """Return the form of a value that has no normal form: it equals itself, and no value that has one."""
    return (_UNREADABLE, canonical_form(value))


def _form(value: object, depth: int) -> object:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, bool | float):
        return _special(value)
    if depth == 0:
        return _Constant("too deep")
    if isinstance(value, dict):
        return frozenset([(key, _form(part, depth - 1)) for key, part in value.items()])
    if isinstance(value, list | tuple):
        return tuple([_form(part, depth - 1) for part in value])
    return (_OTHER, type(value).__name__, repr(value))


def _special(value: float) -> object:
    if isinstance(value, bool):
        return _TRUE if value else _FALSE
    return _NAN if isnan(value) else value
