"""Normal forms: two spellings of one value (an identifier, a date, an amount) have equal normal forms.

Every function takes one scalar and returns a text (`json`: a JSON value), or raises `ValueError` for what it cannot read.
Nothing is guessed: a part that is missing stays missing, and a date that can be read in two ways raises `AmbiguousDate`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, timedelta, timezone
from datetime import date as calendar_date
from datetime import datetime as instant
from decimal import Decimal, InvalidOperation

from msgspec import DecodeError
from msgspec import json as json_text

MAX_TEXT = 1_000_000
"""Characters of a text beyond which it is refused."""
MAX_WRITTEN = 100
"""Characters of a date, an amount or a telephone number beyond which it is refused."""


class AmbiguousDate(ValueError):
    """A date that can be read in two ways: day and month in either order, or a year of two digits."""


def identifier(value: object) -> str:
    """Return an identifier without regard to case, spaces, hyphens and underscores; leading zeros count.

    Args:
        value: A text or an integer.

    Returns:
        `CLM-00123` and `clm 00123` both give `clm00123`; 123 gives `123`.

    Raises:
        ValueError: Another type, or nothing is left.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return _integer_text(value)
    bare = _BETWEEN_PARTS.sub("", _caseless(_text(value, "an identifier", MAX_TEXT)))
    if not bare:
        raise ValueError(f"{value!r} holds no identifier")
    return bare


def text(value: object) -> str:
    """Return a text without regard to case, compatibility forms of characters, and the amount of white space.

    Caseless matching is that of the Unicode Standard, definition D146 (compatibility caseless match).

    Args:
        value: A text.

    Returns:
        The normal form.

    Raises:
        ValueError: Not a text.
    """
    return " ".join(_caseless(_text(value, "a text", MAX_TEXT)).split())


def date(value: object) -> str:
    """Return a calendar date as ISO 8601, `YYYY-MM-DD`.

    Read are ISO dates (also with `/`, `.` or without separators, or with a time of exactly midnight), dates with the month
    in English words in either order, and numeric dates that can be read in one way only.

    Args:
        value: A text.

    Returns:
        The date.

    Raises:
        AmbiguousDate: Day and month could be swapped, or the year has two digits.
        ValueError: Not a date, or not one of the calendar.
    """
    return _calendar(value, _either_order).isoformat()


def date_dmy(value: object) -> str:
    """Return a calendar date as ISO 8601; a numeric date is read as day, month, year. See `date`."""
    return _calendar(value, lambda first, second: (second, first)).isoformat()


def date_mdy(value: object) -> str:
    """Return a calendar date as ISO 8601; a numeric date is read as month, day, year. See `date`."""
    return _calendar(value, lambda first, second: (first, second)).isoformat()


def datetime(value: object) -> str:
    """Return a moment as ISO 8601: in UTC with `Z` when it has an offset, as it stands when it has none.

    So instants are equal across offsets, and a moment without an offset equals only another one without.

    Args:
        value: A text: a date that `date` reads, then a time of day, then perhaps `Z`, `UTC` or an offset.

    Returns:
        `2024-03-05T00:00:00Z`, `2024-03-05T00:00:00`; a fraction of a second is kept without trailing zeros.

    Raises:
        AmbiguousDate: As for `date`.
        ValueError: No date, no time of day, or no such moment.
    """
    parts = _MOMENT.fullmatch(_ascii_digits(_text(value, "a moment")))
    if parts is None:
        raise ValueError(f"{value!r} is not a date with a time of day, for example 2024-03-05T09:30:00Z")
    day = _calendar(parts["date"], _either_order)
    try:
        moment = instant(day.year, day.month, day.day, _hour(parts), int(parts["minute"]), int(parts["second"] or 0), tzinfo=UTC)
        moment -= _offset(parts["offset"] or "Z")
    except OverflowError as error:
        raise ValueError(f"{value!r} lies outside of the calendar") from error
    fraction = (parts["fraction"] or "").rstrip("0")
    return moment.isoformat(timespec="seconds")[:19] + (f".{fraction}" if fraction else "") + ("Z" if parts["offset"] else "")


def money(value: object) -> str:
    """Return an amount of money as an exact decimal number; the currency is left to `currency`.

    Commas are groups of thousands when three digits follow (`1,250`); a comma with one or two digits after it, or after
    dots, is a decimal comma (`1.250,00`); spaces and apostrophes separate groups. `1.250`, which is either 1.25 or 1250,
    is refused. Parentheses are a minus sign, as in accounts.

    Args:
        value: A number, or a text with perhaps a currency sign or a code of three letters before or after it.

    Returns:
        `1,250.00`, `$1,250`, `USD 1250.00` and 1250 all give `1250`.

    Raises:
        ValueError: Not an amount, not finite, longer than 40 digits, or ambiguous.
    """
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return _decimal_text(Decimal(repr(value)) if isinstance(value, float) else Decimal(value), value)
    negative, number, _ = _amount(value)
    amount = _decimal_text(Decimal(_plain_number(number, value)), value)
    return f"-{amount}" if negative and amount != "0" else amount


def currency(value: object) -> str:
    """Return the code of the currency that an amount names, or an empty text; `$` stands for USD, `¥` for JPY.

    `money` leaves the currency out, so that an amount without one equals the same amount with one. Two amounts that both
    name a currency are the same money only when these are equal too.
    """
    return _amount(value)[2] if isinstance(value, str) else ""


def phone(value: object) -> str:
    """Return a telephone number as its digits, with `+` when the country code is known to be there.

    `00` at the start is `+`; a trunk `(0)` after a country code is dropped; an extension is kept as `;ext=N` (RFC 3966).
    A number without a country code is not completed, so it does not equal the one with it.

    Args:
        value: A text or a non-negative integer.

    Returns:
        For example `+442079460018`.

    Raises:
        ValueError: Letters, or fewer than 3 or more than 15 digits (E.164).
    """
    parts = _PHONE.fullmatch(_ascii_digits(str(value) if type(value) is int else _text(value, "a telephone number")).strip())
    if parts is None:
        raise ValueError(f"{value!r} is not a telephone number")
    international = bool(parts["plus"])
    body = parts["body"].replace("(0)", "") if international else parts["body"]
    digits = re.sub(r"\D", "", body)
    if not 3 <= len(digits) <= 15:
        raise ValueError(f"{value!r} has {len(digits)} digits; a telephone number has 3 to 15")
    return ("+" if international else "") + digits + (f";ext={parts['extension']}" if parts["extension"] else "")


def json(value: object) -> object:
    """Return the value that a JSON text stands for; a value that is not a text stands for itself.

    Args:
        value: A JSON text, or a JSON value.

    Returns:
        The value.

    Raises:
        ValueError: A text that is not JSON.
    """
    if not isinstance(value, str):
        return value
    try:
        return json_text.decode(_text(value, "a JSON value", MAX_TEXT))
    except (DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise ValueError(f"{value[:80]!r} is not JSON: {error}") from error


BUILT_IN: dict[str, Callable[[object], object]] = {
    "identifier": identifier,
    "text": text,
    "date": date,
    "date_dmy": date_dmy,
    "date_mdy": date_mdy,
    "datetime": datetime,
    "money": money,
    "phone": phone,
    "json": json,
}
"""Name of a built-in normaliser → its function."""


_BETWEEN_PARTS = re.compile(r"[\s_\-\u2010-\u2015\u2212]+")
_SHORT_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LONG_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTHS = {name: number for names in (_SHORT_MONTHS, _LONG_MONTHS) for number, name in enumerate(names, 1)} | {"sept": 9}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY = r"(?:(?P<weekday>mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|{})\.?,?\s+)?".format("|".join(_DAYS))
_MONTH = r"(?P<month>[a-z]{3,9})\.?"
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>'?[0-9]{2}|[0-9]{4})"
_MIDNIGHT = r"[t ]00:00(?::00(?:\.0+)?)?(?:z|[+-][0-9]{2}:?[0-9]{2})?"
_ISO = re.compile(rf"(?P<year>[0-9]{{4}})(?P<sep>[-/.]?)(?P<month>[0-9]{{2}})(?P=sep)(?P<day>[0-9]{{2}})(?:{_MIDNIGHT})?")
_DAY_FIRST = re.compile(rf"{_WEEKDAY}(?:the\s+)?{_DAY}(?:\s+of)?[\s-]+{_MONTH}(?:,\s*|[\s-]+){_YEAR}")
_MONTH_FIRST = re.compile(rf"{_WEEKDAY}{_MONTH}[\s-]+(?:the\s+)?{_DAY}(?:,\s*|[\s-]+){_YEAR}")
_NUMERIC = re.compile(rf"(?P<first>[0-9]{{1,2}})(?P<sep>[-/.])(?P<second>[0-9]{{1,2}})(?P=sep){_YEAR}")
_MOMENT = re.compile(
    r"\s*(?P<date>.*[0-9])(?:[tT]|,?\s+at\s+|,?\s+)(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]{1,9}))?)?"
    r"\s*(?P<half>[aApP]\.?[mM]\.?)?\s*(?P<offset>[zZ]|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?)?\s*"
)
_SIGNS = {"$": "USD", "us$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}
_CURRENCY = r"us\$|[$€£¥₹]|[a-z]{3}"
_AMOUNT = re.compile(
    rf"(?P<open>\()?\s*(?P<minus>[-+])?\s*(?P<before>{_CURRENCY})?\s*(?P<minus_after>[-+])?\s*"
    rf"(?P<number>[0-9][0-9.,' ]*|\.[0-9]+)\s*(?P<after>{_CURRENCY})?\s*(?P<close>\))?"
)
_NUMBERS = (
    (re.compile(r"[0-9]+"), "", "."),
    (re.compile(r"(?:0|[0-9]{4,})?\.[0-9]+|[0-9]{1,3}\.(?:[0-9]{1,2}|[0-9]{4,})"), "", "."),
    (re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?"), ",", "."),
    (re.compile(r"[1-9][0-9]{0,2}(?:[ '][0-9]{3})+(?:\.[0-9]+)?"), " '", "."),
    (re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3}){2,}|[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]{1,2}"), ".", ","),
    (re.compile(r"[1-9][0-9]{0,2}(?:[ '][0-9]{3})+,[0-9]{1,2}"), " '", ","),
    (re.compile(r"[0-9]+,[0-9]{1,2}"), "", ","),
)
"""Pattern of a number, its group separators, its decimal separator; a number that fits none is refused."""
_PHONE = re.compile(
    r"(?:tel:)?\s*(?P<plus>\+\s*|00(?=[1-9]))?(?P<body>[0-9(][0-9()\s./\u2010-\u2015-]*?)(?:[,;]?\s*(?:ext\.?|x|extension|ext=)\s*(?P<extension>[0-9]{1,8}))?",
    re.IGNORECASE,
)


def _text(value: object, what: str, limit: int = MAX_WRITTEN) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is of type {type(value).__name__}, not the text of {what}")  # noqa: TRY004 - one error for what cannot be read
    if len(value) > limit:
        raise ValueError(f"{len(value)} characters are too many for {what}; the limit is {limit}")
    return value


def _caseless(value: str) -> str:
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFD", value).casefold())
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKD", folded.casefold()))


def _ascii_digits(value: str) -> str:
    return unicodedata.normalize("NFKC", value).replace("\u2212", "-")


def _integer_text(value: int) -> str:
    if abs(value) >= 10**40:
        raise ValueError("an integer of more than 40 digits is no identifier")
    return str(value)


def _either_order(first: int, second: int) -> tuple[int, int]:
    if first <= 12 and second <= 12 and first != second:
        raise AmbiguousDate(
            f"{first}/{second} is day/month or month/day; write the date as YYYY-MM-DD, or declare the normaliser `date_dmy` or `date_mdy`"
        )
    return (second, first) if first > 12 else (first, second)


def _calendar(value: object, order: Callable[[int, int], tuple[int, int]]) -> calendar_date:
    written = " ".join(_ascii_digits(_text(value, "a date")).lower().split())
    if iso := _ISO.fullmatch(written):
        return calendar_date(int(iso["year"]), int(iso["month"]), int(iso["day"]))
    if worded := _DAY_FIRST.fullmatch(written) or _MONTH_FIRST.fullmatch(written):
        return _worded(worded, written)
    if numeric := _NUMERIC.fullmatch(written):
        year = _year(numeric["year"], written)
        month, day = order(int(numeric["first"]), int(numeric["second"]))
        return calendar_date(year, month, day)
    raise ValueError(f"{value!r} is not a date, for example 2024-03-05")


def _worded(parts: re.Match[str], written: str) -> calendar_date:
    month = _MONTHS.get(parts["month"])
    if month is None:
        raise ValueError(f"{parts['month']!r} in {written!r} is not a month")
    day = calendar_date(_year(parts["year"], written), month, int(parts["day"]))
    if parts["weekday"] and not _DAYS[day.weekday()].startswith(parts["weekday"]):
        raise ValueError(f"{written!r} is a {_DAYS[day.weekday()]}")
    return day


def _year(year: str, written: str) -> int:
    if len(year) != 4:
        raise AmbiguousDate(f"{written!r} has a year of two digits; write four")
    return int(year)


def _hour(parts: re.Match[str]) -> int:
    hour, half = int(parts["hour"]), (parts["half"] or "").lower()
    if not half:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError(f"{hour} {half} is no hour")
    return hour % 12 + (12 if half.startswith("p") else 0)


def _offset(written: str) -> timedelta:
    if written.upper() in ("Z", "UTC", "GMT"):
        return timedelta(0)
    hours, minutes = int(written[1:3]), int(written[-2:]) if len(written) > 3 else 0
    delta = timedelta(hours=hours, minutes=minutes)
    timezone(delta)  # refuses an offset of a day or more
    return -delta if written[0] == "-" else delta


def _amount(value: object) -> tuple[bool, str, str]:
    written = _ascii_digits(_text(value, "an amount of money")).replace("\u2019", "'").strip().lower()
    parts = _AMOUNT.fullmatch(written) if len(written) <= MAX_WRITTEN else None
    signs = [sign for sign in ("open", "minus", "minus_after") if parts and parts[sign]]
    named = [parts[side] for side in ("before", "after") if parts[side]] if parts else []
    if parts is None or bool(parts["open"]) != bool(parts["close"]) or len(signs) > 1 or len(named) > 1:
        raise ValueError(f"{value!r} is not an amount of money, for example 1250.00 or $1,250.00")
    code = _SIGNS.get(named[0], named[0].upper()) if named else ""
    return bool(parts["open"]) or "-" in (parts["minus"], parts["minus_after"]), parts["number"].strip(), code


def _plain_number(number: str, value: object) -> str:
    for pattern, groups, point in _NUMBERS:
        if pattern.fullmatch(number):
            return re.sub(f"[{groups}]", "", number).replace(point, ".") if groups else number.replace(point, ".")
    raise ValueError(f"{value!r} can be read as more than one amount, or as none; write it like 1250.00")


def _decimal_text(amount: Decimal, value: object) -> str:
    try:
        if not amount.is_finite() or (amount and abs(amount.adjusted()) > 40):
            raise ValueError(f"{value!r} is not a finite amount of at most 40 digits")
        written = f"{amount:f}"
    except InvalidOperation as error:
        raise ValueError(f"{value!r} is not an amount") from error
    bare = written.rstrip("0").rstrip(".") if "." in written else written
    return "0" if bare in ("-0", "") else bare
