"""Days in a text: written out, in numbers (day first), or in words counted from the day of the notice."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMES = "january|february|march|april|may|june|july|august|september|october|november|december"
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WRITTEN = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_NAMES})(?:,? (\d{{4}}))?", re.IGNORECASE)
_NUMBERS = re.compile(r"\b(\d{2})[/.](\d{2})[/.](\d{4})\b")
_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5}
_WORDS = re.compile(
    r"\b(?P<before_yesterday>the day before yesterday)"
    r"|\b(?P<yesterday>yesterday|last night)"
    r"|\b(?P<today>today|tonight|this (?:morning|afternoon|evening))\b"
    r"|\b(?P<count>two|three|four|five) days ago"
    rf"|\b(?:on|last)\s+(?P<weekday>{'|'.join(_WEEKDAYS)})\b"
    rf"|\b(?P<possessive>{'|'.join(_WEEKDAYS)})['’]s",
    re.IGNORECASE,
)
_SPAN_WORDS = {word: number for number, word in enumerate(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 2)}
_SPAN_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365}
_SPANS = re.compile(rf"\b({'|'.join(_SPAN_WORDS)}|a)\s+(day|week|month|year)s?\b", re.IGNORECASE)


def all_days(text: str, notice_day: date) -> list[tuple[int, date]]:
    """Return the days in a text with their positions, in order."""
    return sorted([*explicit_days(text, notice_day), *_worded_days(text, notice_day)])


def explicit_days(text: str, notice_day: date) -> Iterator[tuple[int, date]]:
    """Yield the days that are written as dates; one without a year is the latest that is not after the notice."""
    for match in _WRITTEN.finditer(text):
        month = _MONTHS.index(match[2][:3].lower()) + 1
        day = _dated(int(match[3]) if match[3] else notice_day.year, month, int(match[1]))
        if day and not match[3] and day > notice_day:
            day = _dated(notice_day.year - 1, month, int(match[1]))
        if day:
            yield match.start(), day
    for pattern, order in ((_NUMBERS, (3, 2, 1)), (_ISO, (1, 2, 3))):
        for match in pattern.finditer(text):
            day = _dated(*(int(match[part]) for part in order))
            if day:
                yield match.start(), day


def longest_span(text: str, until: date) -> int:
    """Return the longest time that a text speaks of, in days: `three months`, `five or six weeks`, `since 20 November 2025`.

    Args:
        text: The text.
        until: The day up to which `since` counts.
    """
    worded = (_SPAN_WORDS.get(match[1].lower(), 1) * _SPAN_UNITS[match[2].lower()] for match in _SPANS.finditer(text))
    since = (
        (until - day).days
        for position, day in explicit_days(text, until)
        if re.search(r"\bsince\s$", text[max(0, position - 6) : position])
    )
    return max((*worded, *since), default=0)


def _worded_days(text: str, notice_day: date) -> Iterator[tuple[int, date]]:
    for match in _WORDS.finditer(text):
        yield match.start(), notice_day - timedelta(days=_days_back(match, notice_day))


def _days_back(match: re.Match[str], notice_day: date) -> int:
    if match["before_yesterday"]:
        return 2
    if match["yesterday"]:
        return 1
    if match["today"]:
        return 0
    if match["count"]:
        return _COUNTS[match["count"].lower()]
    weekday = _WEEKDAYS.index((match["weekday"] or match["possessive"]).lower())
    return (notice_day.weekday() - weekday - 1) % 7 + 1


def _dated(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
