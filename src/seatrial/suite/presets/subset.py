"""`subset`: no calls but these, each of which may be missing, in any order; extras: none."""

from __future__ import annotations

from collections.abc import Sequence

from seatrial.suite.presets._expansion import Call, expansion


def expand(groups: Sequence[Sequence[Call]]) -> dict[str, object]:
    """Return the process that the preset stands for: no calls but these, each of which may be missing, in any order; extras: none."""
    return expansion(groups, extras="none", in_order=False, optional=True)
