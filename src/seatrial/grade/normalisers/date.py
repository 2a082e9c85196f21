"""Calendar dates in any spelling that can be read in one way only."""

from seatrial.base.normal_forms import date as normalise

__all__ = ["normalise"]
