"""How rules name the tasks and trials that they rest on."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Raw, json

from seatrial.base.errors import UsageError
from seatrial.base.wording import listed

NAMED = 5


def named(names: Sequence[str]) -> str:
    """Return some names in words: at most five, then how many more."""
    return listed(names, NAMED)


def no_arguments(rule: str, arguments: Raw) -> None:
    """Raise `UsageError` when a rule that takes no arguments is given some."""
    given = json.decode(arguments)
    if given:
        raise UsageError(f"the gate rule {rule!r} takes no arguments, not {', '.join(map(repr, given))}.")
