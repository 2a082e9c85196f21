"""`superset`: at least these calls in any order; extras: any, writes too."""

from __future__ import annotations

from collections.abc import Sequence

from seatrial.suite.presets._expansion import Call, expansion


def expand(groups: Sequence[Sequence[Call]]) -> dict[str, object]:
    """Return the process that the preset stands for: at least these calls in any order; extras: any, writes too."""
    return expansion(groups, extras="any", in_order=False)
