"""`strict`: these messages of calls in this order and no other call; extras: none."""

from __future__ import annotations

from collections.abc import Sequence

from seatrial.suite.presets._expansion import Call, expansion


def expand(groups: Sequence[Sequence[Call]]) -> dict[str, object]:
    """Return the process that the preset stands for: these messages of calls in this order and no other call; extras: none."""
    return expansion(groups, extras="none", in_order=True)
