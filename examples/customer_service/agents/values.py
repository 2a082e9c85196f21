"""Values in what a customer writes: numbers, days, addresses, accounts."""

import re
from dataclasses import dataclass
from datetime import date

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_WRITTEN = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({'|'.join(_MONTHS)}),? (\d{{4}})", re.IGNORECASE)
_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_BIRTH = re.compile(r"(?:born|birth|birthday|d\.?o\.?b\.?)[^0-9]{0,24}$", re.IGNORECASE)
_POLICY = re.compile(r"\bHL-\d{5}-[A-Z]\b")
_CUSTOMER = re.compile(r"\bHC-\d{4}\b")
_POSTCODE = r"HB\d{1,2} \d[A-Z]{2}"
_HOUSE = r"(?:(?:[A-Z][\w'’]+ )+[A-Z]\w+, )?"
_STREET = r"\d+[A-Za-z]? [A-Z][\w'’]+(?: [A-Z][\w'’]+)*(?:, [A-Z][\w'’ ]*\w)?"
_ADDRESS = re.compile(rf"({_HOUSE}{_STREET}), ({_POSTCODE})")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_ACCOUNT = re.compile(r"\bGB\d{2} HARB(?: \d{2,4}){4}\b")
_ENDING = re.compile(r"\bend(?:s|ing)(?: in| with)? (\d{4})\b")


@dataclass(frozen=True)
class Values:
    """What stands in a text.

    Args:
        policies: Policy numbers.
        customers: Customer numbers.
        birth: The day that is called a day of birth, ISO 8601; empty: none.
        days: Other days, ISO 8601.
        address: An address without its postcode; empty: none.
        new_postcode: The postcode behind that address.
        postcode: A postcode that stands alone; empty: none.
        emails: E-mail addresses.
        account: An IBAN; empty: none.
        ending: Last four digits of a card or an account; empty: none.
    """

    policies: tuple[str, ...]
    customers: tuple[str, ...]
    birth: str
    days: tuple[str, ...]
    address: str
    new_postcode: str
    postcode: str
    emails: tuple[str, ...]
    account: str
    ending: str


def values_of(text: str) -> Values:
    """Return the values that stand in a text."""
    days = [(match.start(), day) for match, day in _all_days(text)]
    births = [day for at, day in days if _BIRTH.search(text[:at])]
    address = _ADDRESS.search(text)
    alone = [match[0] for match in re.finditer(_POSTCODE, text) if address is None or not address.start() <= match.start() < address.end()]
    return Values(
        policies=tuple(dict.fromkeys(_POLICY.findall(text))),
        customers=tuple(_CUSTOMER.findall(text)),
        birth=births[0] if births else "",
        days=tuple(day for _, day in days if day not in births[:1]),
        address=address[1] if address else "",
        new_postcode=address[2] if address else "",
        postcode=alone[0] if alone else "",
        emails=tuple(match.rstrip(".") for match in _EMAIL.findall(text)),
        account=_first(_ACCOUNT, text, 0),
        ending=_first(_ENDING, text, 1),
    )


def long_day(day: str) -> str:
    """Return a day as it is told to a customer: 30 June 2026."""
    when = date.fromisoformat(day)
    return f"{when.day} {_MONTHS[when.month - 1].title()} {when.year}"


def _all_days(text):
    found = [(match, match[0]) for match in _ISO.finditer(text)]
    found += [(match, _written_day(match)) for match in _WRITTEN.finditer(text)]
    return sorted(found, key=lambda each: each[0].start())


def _written_day(match):
    return date(int(match[3]), 1 + _MONTHS.index(match[2].lower()), int(match[1])).isoformat()


def _first(pattern, text, group):
    match = pattern.search(text)
    return match[group] if match else ""
