"""Telephone numbers by their digits."""

from seatrial.base.normal_forms import phone as normalise

__all__ = ["normalise"]
