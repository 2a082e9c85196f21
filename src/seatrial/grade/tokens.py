"""Values within text: whole tokens, numbers and dates, never substrings.

Matching is on texts in lower case. A token ends where a letter or digit cannot continue it: `327` is not in `$1327`, `10` not in
`100`, `C` not in `HL-00418-C`, but `HL-00418-C` is in `policy HL-00418-C.`
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from seatrial.base import normal_forms

_BINDS = frozenset("-.@\u2010\u2011")
"""Characters that join what stands on their two sides into one token."""
_BINDS_DIGITS = frozenset("/:,+")
"""Characters that join only when a digit touches them."""
_ENDS = frozenset(' \n"()[]{}<>;!?')
"""Characters that end a token whatever stands behind them."""
END_BYTES = frozenset(map(ord, _ENDS))
"""Bytes that end a token whatever stands behind them."""
_ENDINGS = frozenset(bytes([byte]) for byte in END_BYTES)
_JOIN_BYTES = frozenset(map(ord, (_BINDS | _BINDS_DIGITS) & set(map(chr, range(128)))))
"""Bytes that join two tokens, but not a token and a byte that ends one."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|"
    r"aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,?[ -]+(\d{4}))?"
_ISO = re.compile(r"(?<![\w/.-])(\d{4})([-/.])(\d{2})\2(\d{2})(?!\d|[-/.]\d)")
_DAY_FIRST = re.compile(rf"(?<!\w){_DAY}(?: of)?[ -]+{_MONTH}{_YEAR}(?!\w)")
_MONTH_FIRST = re.compile(rf"(?<!\w){_MONTH}[ -]+(?:the )?{_DAY}{_YEAR}(?!\w)")
_NUMERIC = re.compile(r"(?<![\w/.-])(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d|[-/.]\d)")
_CURRENCIES = r"us\$|[$€£¥₹]|usd|eur|gbp|jpy|inr"
_NUMBER = re.compile(
    rf"(?<![^\W_])(?<!\w_)(?<!__)(?<![./,@\\-])(?<!\d:)"
    rf"(?P<sign>[-\u2212](?=[\d$€£¥₹]))?(?P<before>(?:{_CURRENCIES})[ \u00a0]?)?(?P<minus>[-\u2212])?"
    rf"(?P<number>\d(?:[\d,.'\u2019]*\d)?)(?P<after>[ \u00a0]?(?:{_CURRENCIES})(?!\w))?"
)


def caseless(text: str) -> str:
    """Return a text without regard to case, compatibility forms and the amount of white space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def find(text: str, token: str, start: int = 0, stop: int | None = None) -> int:
    """Return where a token stands whole in a text.

    Args:
        text: The text, in lower case.
        token: What is looked for, in lower case; may hold spaces.
        start: First position to look at.
        stop: Position that the token must end at or before; `None`: the end.

    Returns:
        The position, or -1.
    """
    end = len(text) if stop is None else stop
    length = len(token)
    at = text.find(token, start, end) if length else -1
    while at >= 0 and not is_whole(text, at, at + length):
        at = text.find(token, at + 1, end)
    return at


def is_whole(text: str, start: int, stop: int) -> bool:
    """Tell whether what stands between two positions is not part of a longer token."""
    if start > 0 and text[start - 1] not in _ENDS and _continues(text[start - 1], text[start - 2 : start - 1], text[start], left=True):
        return False
    return stop >= len(text) or text[stop] in _ENDS or not _continues(text[stop], text[stop + 1 : stop + 2], text[stop - 1])


def is_whole_bytes(data: bytes, start: int, stop: int, *, signed: bool) -> bool:
    """Tell whether what stands between two positions of UTF-8 text is certainly no part of a longer token.

    Args:
        data: The text, in lower case, with something behind `stop`.
        start: Where the token starts.
        stop: Where it ends.
        signed: Whether a minus sign before it makes another token.
    """
    before, after = data[start - 1] if start else 10, data[stop]
    if before in END_BYTES and after in END_BYTES:
        return True
    if signed and before == 45:
        return False
    # A comma or a colon and then a space or a quote is what mostly stands there, in prose as in JSON.
    if (after in END_BYTES or (after in _JOIN_BYTES and data[stop + 1 : stop + 2] in _ENDINGS)) and (
        before in END_BYTES or (before in _JOIN_BYTES and data[max(start - 2, 0) : start - 1] in _ENDINGS)
    ):
        return True
    left = min(start, 2)
    around = data[start - left : stop + 2]
    return around.isascii() and is_whole(around.decode("ascii"), left, left + stop - start)


def _continues(beside: str, beyond: str, edge: str, *, left: bool = False) -> bool:
    """Tell whether the characters next to a token's edge continue the token."""
    if beside == "_" and not (beyond.isalnum() or beyond == "_"):
        return False  # Markdown: _327_
    if beside.isalnum() or beside == "_" or (beside == "\\" and left):
        return edge.isalnum() or edge == "_" or beside == "\\"
    binds = beside in _BINDS
    if not binds and beside not in _BINDS_DIGITS:
        return False
    return (beyond.isalnum() or beyond == "_") and (binds or beyond.isdigit() or (edge.isdigit() and beside == "/"))


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in a text.

    Args:
        value: Exact decimal text, as `normal_forms.money` gives it.
        currency: Code of the currency beside it; empty: none.
    """

    value: str
    currency: str = ""


def amounts(text: str) -> Iterator[Amount]:
    """Yield the numbers that stand whole in a text in lower case; what can be read as two numbers is left out."""
    for match in _NUMBER.finditer(text):
        if _is_whole_number(match, text) and (amount := _amount(match)) is not None:
            yield amount


def amount_spans(text: str) -> Iterator[tuple[int, int, Amount | None]]:
    """Yield where each number stands that is whole in a text in lower case, and the number; `None`: it can be read as two."""
    for match in _NUMBER.finditer(text):
        if _is_whole_number(match, text):
            yield match.start(), match.end(), _amount(match)


def _is_whole_number(match: re.Match[str], text: str) -> bool:
    written, after, stop = match["number"], match["after"], match.end("number")
    return after is not None or stop >= len(text) or not _continues(text[stop], text[stop + 1 : stop + 2], written[-1])


def _amount(match: re.Match[str]) -> Amount | None:
    value = number(match["number"])
    if value is None:
        return None
    negative = bool(match["sign"] or match["minus"]) and value != "0"
    return Amount(f"-{value}" if negative else value, _currency(match["before"] or match["after"]))


def number(written: str) -> str | None:
    """Return the exact decimal text of a number that a text is, `None` when it is none or can be read as two."""
    if written.isdigit() and written.isascii() and len(written) <= 40:
        return written.lstrip("0") or "0"
    try:
        return normal_forms.money(written)
    except ValueError:
        return None


def number_of(value: int | float) -> str | None:
    """Return the exact decimal text of a JSON number, `None` when it is not finite or longer than 40 digits."""
    if type(value) is int and -(10**39) < value < 10**39:
        return str(value)
    try:
        return normal_forms.money(value)
    except ValueError:
        return None


def _currency(written: str | None) -> str:
    if not written:
        return ""
    sign = written.strip(" \u00a0")
    return {"$": "USD", "us$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}.get(sign, sign.upper())


@dataclass(frozen=True, slots=True)
class Day:
    """A calendar day in a text.

    Args:
        month: 1 to 12.
        day: 1 to 31.
        year: `None`: not said.
        certain: Whether it can be read in one way only.
    """

    month: int
    day: int
    year: int | None = None
    certain: bool = True

    def is_day(self, day: date) -> bool:
        """Tell whether it is a calendar day; a year that was not said is no difference."""
        return self.month == day.month and self.day == day.day and self.year in (None, day.year)


def days(text: str) -> Iterator[Day]:
    """Yield the calendar days in a text in lower case; `03/05/2026` gives both readings, neither certain."""
    for _, _, day in day_spans(text):
        yield day


def day_spans(text: str) -> Iterator[tuple[int, int, Day]]:
    """Yield where each calendar day stands in a text in lower case, and the day; see `days`."""
    for match in _ISO.finditer(text):
        year, _, month, day = match.groups()
        yield *match.span(), Day(int(month), int(day), int(year))
    for match in _DAY_FIRST.finditer(text):
        yield *match.span(), _worded(*match.groups())
    for match in _MONTH_FIRST.finditer(text):
        month, day, year = match.groups()
        yield *match.span(), _worded(day, month, year)
    for match in _NUMERIC.finditer(text):
        first, _, second, year = match.groups()
        for reading in _either(int(first), int(second), int(year)):
            yield *match.span(), reading


def _worded(day: str, month: str, year: str | None) -> Day:
    return Day(_MONTHS.index(month[:3]) + 1, int(day), int(year) if year else None)


def _either(first: int, second: int, year: int) -> Iterator[Day]:
    certain = first > 12 or second > 12 or first == second
    if second <= 12:
        yield Day(second, first, year, certain)
    if first <= 12 and first != second:
        yield Day(first, second, year, certain)


_UNITS = {"day": 1, "week": 7, "fortnight": 14}
_COUNTS = {
    word: count
    for count, word in enumerate(
        ("a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen"), 1
    )
} | {"an": 1, "one": 1, "couple of": 2, "a couple of": 2}
_WORDED = "|".join(sorted(_COUNTS, key=len, reverse=True))
_SPAN = re.compile(
    rf"(?<!\w)(?P<in>in |within )?(?P<count>\d{{1,4}}|{_WORDED})[ -](?P<unit>day|week|fortnight)s?"
    r"(?: (?P<way>ago|before|earlier|after|later|from now|hence|back|prior))?(?!\w)"
)
_FIXED = {
    r"day before yesterday": -2,
    r"day after tomorrow": 2,
    r"(?<!before )yesterday|last night|(?:the )?(?:day before|previous day)(?! yesterday)": -1,
    r"(?<!after )tomorrow|(?:the )?(?:day after|next day|following day)(?! tomorrow)": 1,
    r"today|this (?:morning|afternoon|evening)|tonight|now|same day": 0,
    r"last week|a week ago|previous week": -7,
    r"next week|following week": 7,
}
_FIXED_OFFSETS = tuple((re.compile(rf"(?<!\w)(?:{pattern})(?!\w)"), offset) for pattern, offset in _FIXED.items())
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY = re.compile(rf"(?<!\w)(?:{'|'.join(_WEEKDAYS)})(?!\w)")


def offset_days(text: str, base: date) -> frozenset[int]:
    """Return the offsets, in days from a base day, that words of a text in lower case speak of.

    Read are today, yesterday, tomorrow, the day before and after, N days or weeks ago, before, after, later, and weekdays (the
    nearest one before and after the base). A span without a direction speaks of both.

    Args:
        text: The text.
        base: The day that is counted from.
    """
    offsets = {offset for pattern, offset in _FIXED_OFFSETS if pattern.search(text)}
    for span in _SPAN.finditer(text):
        written = span["count"]
        days_away = (int(written) if written.isdigit() else _COUNTS[written]) * _UNITS[span["unit"]]
        ahead = span["in"] or span["way"] in ("after", "later", "from now", "hence")
        behind = span["way"] in ("ago", "before", "earlier", "back", "prior")
        offsets |= {days_away} if ahead and not behind else {-days_away} if behind else {days_away, -days_away}
    for word in _WEEKDAY.findall(text):
        ahead = (_WEEKDAYS.index(word) - base.weekday()) % 7
        offsets |= {ahead, ahead - 7} | ({7} if ahead == 0 else set())
    return frozenset(offsets)


def day_of(value: str) -> date | None:
    """Return the calendar day that a value is (ISO, or another form that can be read in one way); `None`: none, or a moment."""
    if len(value) < 6 or len(value) > 40 or not any(character.isdigit() for character in value):
        return None
    try:
        return date.fromisoformat(normal_forms.date(value))
    except ValueError:
        return None


def likely_years(now: date, month: int, day: int) -> frozenset[int]:
    """Return the years that a day without a year can mean: the current one, that of the last such day, that of the next."""
    this = now.year
    passed = (month, day) <= ((now + timedelta(days=1)).month, (now + timedelta(days=1)).day)
    return frozenset({this, this if passed else this - 1, this + 1 if passed else this})
