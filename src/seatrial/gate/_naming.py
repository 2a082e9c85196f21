"""How rules name the tasks and trials that they rest on."""

from __future__ import annotations

from collections.abc import Sequence

from seatrial.base.wording import listed

NAMED = 5


def named(names: Sequence[str]) -> str:
    """Return some names in words: at most five, then how many more."""
    return listed(names, NAMED)
