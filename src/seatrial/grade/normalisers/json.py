"""JSON texts: the text of a value equals the value itself."""

from seatrial.base.normal_forms import json as normalise

__all__ = ["WHOLE", "normalise"]

WHOLE = True
"""The argument is normalised as a whole, and its parts are then compared as they are."""
