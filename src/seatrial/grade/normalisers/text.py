"""Texts: case, compatibility forms and the amount of white space do not matter."""

from seatrial.base.normal_forms import text as normalise

__all__ = ["normalise"]
