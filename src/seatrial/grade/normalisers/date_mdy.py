"""Calendar dates; a numeric one is read as month, day, year."""

from seatrial.base.normal_forms import date_mdy as normalise

__all__ = ["normalise"]
