"""Amounts of money in a text, in figures and in words."""

import re

_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_UNITS = {word: number for number, word in enumerate(_SMALL)}
_TENS = {word: 10 * number for number, word in enumerate(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2)}
_NUMBER = rf"(?:(?:{'|'.join(_TENS)})(?:-(?:{'|'.join(_UNITS)}))?|{'|'.join(sorted(_UNITS, key=len, reverse=True))})"
_FIGURES = re.compile(r"£\s?(\d[\d,]*)|(\d[\d,]*) pounds")
_WORDS = re.compile(rf"\b({_NUMBER})( and a half)? thousand(?: ({_NUMBER}) hundred)?\b", re.IGNORECASE)


def all_amounts(text: str, *, in_words: bool) -> list[tuple[int, int]]:
    """Return the amounts in a text, in pounds, with their positions.

    Args:
        text: The text.
        in_words: Whether amounts in words are understood too.
    """
    found = [(match.start(), int((match[1] or match[2]).replace(",", ""))) for match in _FIGURES.finditer(text)]
    if in_words:
        found += [(match.start(), _worded(match)) for match in _WORDS.finditer(text)]
    return sorted(found)


def _worded(match: re.Match[str]) -> int:
    return 1000 * _value(match[1]) + (500 if match[2] else 0) + (100 * _value(match[3]) if match[3] else 0)


def _value(words: str) -> int:
    tens, _, units = words.lower().partition("-")
    return _TENS.get(tens, _UNITS.get(tens, 0)) + _UNITS.get(units, 0)


def spelled_digits(words: str) -> str:
    """Return the digits that are spelled out, for example `double-oh four one eight` gives `00418`."""
    digits = ""
    for word in re.findall(r"[a-z]+", words.lower()):
        digit = "0" if word == "oh" else str(_UNITS[word]) if _UNITS.get(word, 10) < 10 else ""
        digits += digit * 2 if digits.endswith("+") else digit
        digits = digits.replace("+", "") + ("+" if word == "double" else "")
    return digits.replace("+", "")
