"""A comparison as JSON: the record itself."""

from __future__ import annotations

from seatrial.base.canonical import indented
from seatrial.records.comparison import Comparison


def render(comparison: Comparison) -> str:
    """Return a comparison as indented JSON.

    Args:
        comparison: The comparison.

    Returns:
        The text; every number as it was computed, and every task that moved.
    """
    return indented(comparison)
