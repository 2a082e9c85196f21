"""Whether a call's arguments hold the values that a fault waits for."""

from __future__ import annotations

import re
from collections.abc import Mapping

MAX_TEXT = 10_000
"""Longest text that a regular expression is tried on, characters."""


def matches(expected: object, actual: object) -> bool:
    """Tell whether a value is the expected one.

    Args:
        expected: JSON data; `{$any}`, `{$one_of}`, `{$regex}` and `{$range}` are matchers; an object asks only for its own keys.
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
    return isinstance(pattern, str) and isinstance(actual, str) and re.search(pattern, actual[:MAX_TEXT]) is not None


def _range(ends: object, actual: object) -> bool:
    if not isinstance(ends, list) or len(ends) != 2 or isinstance(actual, bool) or not isinstance(actual, int | float):
        return False
    return (ends[0] is None or actual >= ends[0]) and (ends[1] is None or actual <= ends[1])


_MATCHERS = {"$any": lambda _wanted, _actual: True, "$one_of": _one_of, "$regex": _regex, "$range": _range}
