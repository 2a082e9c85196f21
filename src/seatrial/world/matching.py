"""Whether a call's arguments hold the values that a fault waits for."""

from __future__ import annotations

import re
from collections.abc import Mapping

MAX_TEXT = 10_000
"""A longer text fits no regular expression, characters."""


def matches(expected: object, actual: object) -> bool:
    """Tell whether a value is the expected one.

    Args:
        expected: JSON data. `{$any}`, `{$one_of}`, `{$regex}` (the whole text), `{$range}` and `{$literal}` are matchers; an object
            asks only for its own keys.
        actual: JSON data.
    """
    if isinstance(expected, Mapping):
        matcher = next(iter(expected), "") if len(expected) == 1 else ""
        if matcher in _MATCHERS:
            return _MATCHERS[matcher](expected[matcher], actual)
        return isinstance(actual, Mapping) and all(key in actual and matches(value, actual[key]) for key, value in expected.items())
    if isinstance(expected, list):
        return isinstance(actual, list) and len(expected) == len(actual) and all(map(matches, expected, actual))
    return isinstance(expected, bool) == isinstance(actual, bool) and expected == actual


def _one_of(options: object, actual: object) -> bool:
    return isinstance(options, list) and any(matches(option, actual) for option in options)


def _regex(pattern: object, actual: object) -> bool:
    return isinstance(pattern, str) and isinstance(actual, str) and len(actual) <= MAX_TEXT and re.fullmatch(pattern, actual) is not None


def _range(ends: object, actual: object) -> bool:
    if not isinstance(ends, list) or len(ends) != 2 or isinstance(actual, bool) or not isinstance(actual, int | float | str):
        return False
    kind = str if isinstance(actual, str) else int | float
    if any(end is not None and not isinstance(end, kind) for end in ends):
        return False
    least, most = ends
    return (least is None or least <= actual) and (most is None or actual <= most)


def _literal(wanted: object, actual: object) -> bool:
    return type(wanted) is type(actual) and wanted == actual


_MATCHERS = {"$any": lambda _wanted, _actual: True, "$one_of": _one_of, "$regex": _regex, "$range": _range, "$literal": _literal}
