"""A comparison as JSON: the record itself."""

from __future__ import annotations

import msgspec

from seatrial.records.comparison import Comparison


def render(comparison: Comparison) -> str:
    """Return a comparison as indented JSON.

    Args:
        comparison: The comparison.

    Returns:
        The text; every number as it was computed, and every task that moved.
    """
    return msgspec.json.format(msgspec.json.encode(comparison), indent=2).decode() + "\n"
