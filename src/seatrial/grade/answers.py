"""What the user was told: expected values as whole tokens of the agent's messages, in any unambiguous spelling.

`327` is not in `$1327` and `10` is not in `100`; `$1,250.00` tells 1250, `3 May 2026` tells 2026-05-03, `HL 00418 C` tells HL-00418-C.
A yes or no, and whether a value was meant or only mentioned, cannot be told from tokens: use a probe or a required call for that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import msgspec
from msgspec import Raw

from seatrial.base import normal_forms
from seatrial.base.canonical import canonical
from seatrial.base.errors import SuiteError
from seatrial.base.names import nearest
from seatrial.grade import tokens
from seatrial.grade.lazy import lazy
from seatrial.grade.tokens import caseless
from seatrial.records.trace import AgentMessage

_PARTS = re.compile(r"[\s_\-\u2010-\u2015]+")
_MATCHERS = ("$one_of", "$regex")


class _Said:
    """What the agent said, in every normal form, each made on first use."""

    def __init__(self, messages: Iterable[str]) -> None:
        self.texts = [caseless(message) for message in messages]

    @lazy
    def amounts(self) -> frozenset[tokens.Amount]:
        return frozenset(amount for text in self.texts for amount in tokens.amounts(text))

    @lazy
    def days(self) -> frozenset[tokens.Day]:
        return frozenset(day for text in self.texts for day in tokens.days(text) if day.certain)


@dataclass(frozen=True)
class ExpectedWords:
    """One value that the user must have been told.

    Args:
        shown: It as JSON text.
        told: Tells whether it was said.
    """

    shown: str
    told: Callable[[_Said], bool]


def compile_answer(raw: Raw) -> tuple[ExpectedWords, ...]:
    """Prepare the values that the user must have been told.

    Args:
        raw: JSON: a value, or a list of values; `{"$one_of": [...]}` and `{"$regex": "..."}` are matchers.

    Raises:
        SuiteError: A value that no text can tell (an object, a boolean, an empty text), or an unknown matcher.
    """
    value = msgspec.json.decode(raw)
    return tuple(_expected(item) for item in (value if isinstance(value, list) else [value]))


def untold(expected: Sequence[ExpectedWords], messages: Iterable[AgentMessage]) -> tuple[ExpectedWords, ...]:
    """Return the expected values that no message which reached the user holds."""
    said = _Said(message.text for message in messages if message.delivered)
    return tuple(words for words in expected if not words.told(said))


def _expected(value: object) -> ExpectedWords:
    return ExpectedWords(canonical(value).decode(), _teller(value))


def _teller(value: object) -> Callable[[_Said], bool]:
    if isinstance(value, dict):
        return _matcher(value)
    if isinstance(value, bool) or value is None or isinstance(value, list):
        raise SuiteError(f"no text tells {value!r}; an answer holds texts, numbers, $one_of or $regex")
    if isinstance(value, int | float):
        return _amount_teller(tokens.number_of(value) or str(value), "")
    return _text_teller(str(value))


def _matcher(value: dict[str, object]) -> Callable[[_Said], bool]:
    (name, operand), *more = value.items() or {"": None}.items()
    if more or name not in _MATCHERS:
        raise SuiteError(f"an answer has no matcher {name!r}; known: {', '.join(_MATCHERS)}", nearest=nearest(name, _MATCHERS))
    if name == "$one_of" and isinstance(operand, list) and operand:
        tellers = [_teller(option) for option in operand]
        return lambda said: any(teller(said) for teller in tellers)
    if name == "$regex" and isinstance(operand, str):
        pattern = _pattern(operand)
        return lambda said: any(pattern.search(text) for text in said.texts)
    raise SuiteError(f"the matcher {name!r} of an answer cannot take {operand!r}")


def _pattern(written: str) -> re.Pattern[str]:
    try:
        return re.compile(written, re.IGNORECASE)
    except re.error as error:
        raise SuiteError(f"{written!r} is no regular expression: {error}") from error


def _text_teller(value: str) -> Callable[[_Said], bool]:
    plain = caseless(value)
    if not plain:
        raise SuiteError("an empty text is told by any answer; name what the user must be told")
    day = tokens.day_of(plain)
    if day is not None:
        return lambda said: any(found.is_day(day) for found in said.days)
    if not (plain[0] == "0" and plain[1:2].isdigit()) and (number := _money(plain)) is not None:
        return _amount_teller(number, normal_forms.currency(plain))
    return _phrase_teller(plain)


def _money(plain: str) -> str | None:
    try:
        return normal_forms.money(plain)
    except ValueError:
        return None


def _amount_teller(number: str, currency: str) -> Callable[[_Said], bool]:
    return lambda said: any(found.value == number and (not currency or found.currency in ("", currency)) for found in said.amounts)


def _phrase_teller(plain: str) -> Callable[[_Said], bool]:
    parts = [re.escape(part) for part in _PARTS.split(plain) if part]
    if not parts:
        raise SuiteError(f"{plain!r} holds no word")
    # Separators within an identifier or a phrase may be written in another way, or left out where a digit touches them.
    pattern = re.compile(_separator(plain).join(parts))

    def told(said: _Said) -> bool:
        return any(tokens.is_whole(text, found.start(), found.end()) for text in said.texts for found in pattern.finditer(text))

    return told


def _separator(plain: str) -> str:
    return r"[\s_\-\u2010-\u2015]*" if any(character.isdigit() for character in plain) else r"[\s_\-\u2010-\u2015]+"
