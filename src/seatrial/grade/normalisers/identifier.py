"""Identifiers: case, spaces, hyphens and underscores do not matter, leading zeros do."""

from seatrial.base.normal_forms import identifier as normalise

__all__ = ["normalise"]
