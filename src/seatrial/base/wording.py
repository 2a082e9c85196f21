"""Words that must be the same in every message and report: a count with its noun, a few names, a cut line, the nearest right name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from seatrial.base.names import nearest


def count(number: int, noun: str) -> str:
    """Return a number with its noun in the right form: `1 trial`, `1,200 trials`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(names: Sequence[str], most: int) -> str:
    """Return the first names, and how many more there are."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest:,} more" if rest > 0 else "")


def clipped(text: str, length: int) -> str:
    """Return a text on one line, with an ellipsis where it was cut to a number of characters."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1].rstrip()}…"


def did_you_mean(name: str, options: Iterable[str], *, what: str = "") -> str:
    """Return the question that ends an error about a wrong name, with a blank before it; empty when no right name is near.

    Args:
        name: The wrong name.
        options: The right names.
        what: What the names are, to stand before the right one; empty: nothing.
    """
    hint = nearest(name, options)
    return f" Did you mean {what}{' ' if what else ''}{hint!r}?" if hint is not None else ""
