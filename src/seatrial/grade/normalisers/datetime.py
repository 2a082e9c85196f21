"""Moments: equal instants are equal across offsets."""

from seatrial.base.normal_forms import datetime as normalise

__all__ = ["normalise"]
