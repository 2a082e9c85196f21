"""What a cell says: whether a trial passed, a number, or nothing. An unknown cell is `None`, never 0."""

from __future__ import annotations

import re

UNKNOWN = frozenset({"", "-", "?", "na", "n/a", "#n/a", "nan", "null", "none", "unknown"})
"""Words, in small letters, for what is not known."""
_PASSED = frozenset({"true", "t", "yes", "y", "pass", "passed", "success", "solved", "resolved", "correct", "ok"})
_FAILED = frozenset({"false", "f", "no", "n", "fail", "failed", "failure", "unsolved", "unresolved", "incorrect", "wrong"})
_NUMBER = re.compile(r"[+-]?(?:\d{1,32}(?:\.\d{0,64})?|\.\d{1,64})(?:[eE][+-]?\d{1,3})?")
MOST = 1e15
"""Largest number that is read."""


def passed(cell: str, *, pass_from: float | None) -> bool | None:
    """Return whether a trial passed.

    Args:
        cell: The cell.
        pass_from: Score from which a trial passes; `None`: the cell is no score.

    Returns:
        The verdict; `None`: not known.

    Raises:
        ValueError: The cell says neither; the text says what was expected.
    """
    word = cell.strip().lower()
    if word in UNKNOWN:
        return None
    if pass_from is not None:
        score = number(cell, low=-MOST)
        return None if score is None else score >= pass_from
    if word in _PASSED or word in _FAILED:
        return word in _PASSED
    value = float(word) if _NUMBER.fullmatch(word) else None
    if value not in (0.0, 1.0):
        hint = "; where the column holds scores, --pass-from says from which on a trial passes" if value is not None else ""
        raise ValueError(f"expected 1 or 0, true or false, pass or fail, or an empty cell{hint}")
    return value == 1.0


def number(cell: str, *, low: float = 0.0) -> float | None:
    """Return a number.

    Args:
        cell: The cell.
        low: Smallest number that is possible.

    Returns:
        The number; `None`: not known.

    Raises:
        ValueError: The cell holds no number, or one that is impossible; the text says what was expected.
    """
    word = cell.strip()
    if word.lower() in UNKNOWN:
        return None
    if not _NUMBER.fullmatch(word):
        raise ValueError("expected a number with a decimal point and without signs for thousands, or an empty cell")
    value = float(word)
    if not low <= value <= MOST:
        raise ValueError(f"expected a number from {low:g} to {MOST:g}, or an empty cell")
    return value


def whole(cell: str) -> int | None:
    """Return a whole number of 0 or more; `None`: not known; raises `ValueError` as `number` does."""
    value = number(cell)
    if value is not None and value != int(value):
        raise ValueError("expected a whole number, or an empty cell")
    return None if value is None else int(value)
