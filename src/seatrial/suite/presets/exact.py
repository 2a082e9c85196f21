"""`exact`: these calls in this order and no other; extras: none."""

from __future__ import annotations

from collections.abc import Sequence

from seatrial.suite.presets._expansion import Call, expansion


def expand(groups: Sequence[Sequence[Call]]) -> dict[str, object]:
    """Return the process that the preset stands for: these calls in this order and no other; extras: none."""
    return expansion(groups, extras="none", in_order=True)
