"""Amounts of money: `1,250.00`, `$1,250` and 1250 are equal; amounts of two named currencies never are."""

from seatrial.base.normal_forms import currency
from seatrial.base.normal_forms import money as normalise

__all__ = ["compatible", "normalise"]


def compatible(expected: object, actual: object) -> bool:
    """Tell whether two equal amounts may be the same money: not when both name a currency and these differ."""
    left, right = _named(expected), _named(actual)
    return not left or not right or left == right


def _named(value: object) -> str:
    try:
        return currency(value)
    except ValueError:
        return ""
