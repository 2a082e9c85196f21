"""Calendar dates; a numeric one is read as day, month, year."""

from seatrial.base.normal_forms import date_dmy as normalise

__all__ = ["normalise"]
