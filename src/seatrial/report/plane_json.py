"""Several candidates on the plane of cost and value, as JSON: the record itself."""

from __future__ import annotations

import msgspec

from seatrial.records.plane import Plane


def render(plane: Plane) -> str:
    """Return candidates on the plane as JSON.

    Args:
        plane: The plane.

    Returns:
        One JSON object, `records.plane.Plane`.
    """
    return msgspec.json.format(msgspec.json.encode(plane), indent=2).decode() + "\n"
