"""Texts that can be sources, and values that are looked for in them: letter by letter, then by their normal forms.

The normal forms of a text (its numbers, days, identifiers, telephone numbers) are made once, when first needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date

import msgspec

from seatrial.base import normal_forms
from seatrial.grade import tokens
from seatrial.grade.equality import canonical_form
from seatrial.grade.lazy import lazy
from seatrial.grade.tokens import caseless
from seatrial.records.trace import ToolCall, UserTurn

_PARTS = re.compile(r"[\s_\-\u2010-\u2015\u2212]+")
_RUNS = re.compile(r"\d+|\D+")
_WORD = re.compile(r"\w+(?:[-_/.]\w+)*")
_PHONE = re.compile(r"(?<!\w)\+?[\d(][\d()\s./\u2010-\u2015-]{4,24}\d(?!\w)")
_TOKEN = re.compile(r"[^\s,;:!?\"'()\[\]{}]+")
_SEPARATORS = dict.fromkeys(map(ord, " \t\n\r\v\f\x1c\x1d\x1e\x1f_-"))
_SIGNS = "-\u2212"
MAX_TOKEN = 200
"""Characters of a token or leaf beyond which a suite's own normaliser is not asked for it."""


class Text:
    """One text that can be a source.

    Args:
        kind: `input`, `user`, `observation`, `document` or `schema`.
        text: As it was seen; JSON for an observation.
        since: Sequence number at which the agent saw it; -1: before the first step.
        context: The conversation that saw it; empty: all.
        step: The user turn or the call that it comes from; `None`: it was there from the start.
        name: What it is, in words, when it comes from no step.
    """

    def __init__(
        self, kind: str, text: str, since: int = -1, context: str = "", step: UserTurn | ToolCall | None = None, *, name: str = ""
    ) -> None:
        self.kind, self.text, self.since, self.context, self.step, self.name = kind, text, since, context, step, name

    @property
    def call(self) -> ToolCall | None:
        """The call that it answers; `None`: it is no observation."""
        return self.step if type(self.step) is ToolCall else None

    @property
    def where(self) -> str:
        """What it is, in words."""
        if self.step is None:
            return self.name
        return f"answer of {self.call.tool}, step {self.call.sequence}" if self.call else f"user turn, step {self.step.sequence}"

    @lazy
    def lower(self) -> str:
        """The text in lower case, for literal search."""
        return self.text.lower()

    @lazy
    def simple(self) -> bool:
        """Whether what people read in it stands in it as it is, but for case and white space: ASCII without escapes."""
        return self.text.isascii() and "\\" not in self.text

    @lazy
    def squeezed(self) -> str:
        """The text in lower case without what may separate the parts of an identifier, if it is simple."""
        return self.lower.translate(_SEPARATORS)

    def may_hold(self, word: str) -> bool:
        """Tell whether it can hold a word, at a glance: no where it is simple and the word's letters stand nowhere in it."""
        return not self.simple or " " in word or word in self.lower

    @lazy
    def plain(self) -> str:
        """The text as people read it: JSON leaves one a line, caseless, white space collapsed."""
        lines = _leaf_lines(self.text) if type(self.step) is ToolCall else (self.text,)
        return "\n".join(caseless(line) for line in lines)

    @lazy
    def numbers(self) -> frozenset[str]:
        """The numbers that stand whole in it, as exact decimal texts."""
        return frozenset(amount.value for line in self.plain.split("\n") for amount in tokens.amounts(line))

    @lazy
    def days(self) -> frozenset[tokens.Day]:
        """The calendar days in it."""
        return frozenset(tokens.days(self.plain))

    def offsets(self, base: date) -> frozenset[int]:
        """Return the offsets in days from a day that its words speak of; they depend on the weekday of that day only."""
        weekday = base.weekday()
        if weekday not in self._offsets:
            self._offsets[weekday] = tokens.offset_days(self.plain, base)
        return self._offsets[weekday]

    @lazy
    def _offsets(self) -> dict[int, frozenset[int]]:
        return {}

    @lazy
    def identifiers(self) -> frozenset[str]:
        """The normal forms of its tokens that hold a digit."""
        return frozenset(_PARTS.sub("", word) for word in _WORD.findall(self.plain) if _has_digit(word))

    @lazy
    def pieces(self) -> frozenset[str]:
        """Its tokens that hold a digit and, of an answer, its whole leaves: what a suite's own normaliser may read."""
        lines = tuple(_leaf_lines(self.text)) if type(self.step) is ToolCall else (self.text,)
        words = (word.rstrip(".") for line in lines for word in _TOKEN.findall(line) if _has_digit(word))
        return frozenset(token for token in (*lines, *words) if 0 < len(token) <= MAX_TOKEN)

    @lazy
    def phones(self) -> frozenset[str]:
        """The normal forms of the telephone numbers in it."""
        return frozenset(form for written in _PHONE.findall(self.plain) if (form := phone(written)))


def _has_digit(word: str) -> bool:
    return not word.isalpha() and any(character.isdigit() for character in word)


def phone(written: str) -> str:
    """Return the normal form of a telephone number, an empty text when it is none."""
    try:
        return normal_forms.phone(written)
    except ValueError:
        return ""


def _leaf_lines(text: str) -> Iterator[str]:
    """Yield the keys and scalars of a JSON text, or the text itself when it is no JSON."""
    try:
        pending: list[object] = [msgspec.json.decode(text.encode())]
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        yield text
        return
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            pending.extend(reversed([part for pair in node.items() for part in pair]))
        elif isinstance(node, list):
            pending.extend(reversed(node))
        elif node is not None and not isinstance(node, bool):
            yield node if isinstance(node, str) else literal_of(node)


class Needle:
    """A value that is looked for.

    Args:
        value: A text or a number.
        normaliser: The normaliser declared for its argument; empty: none.
        today: The world's day, for days without a year.
        own: The suite's own normaliser declared for its argument; `None`: none.
    """

    def __init__(
        self, value: object, *, normaliser: str = "", today: date | None = None, own: Callable[[object], object] | None = None
    ) -> None:
        self.value, self.normaliser, self.today, self.own = value, normaliser, today, own
        self.signed = not isinstance(value, str)
        """Whether it is a JSON number, so that a minus sign before it makes another one."""
        self.literal = value.strip().lower() if isinstance(value, str) else literal_of(value)
        """Its text in lower case."""

    @property
    def key(self) -> tuple[str, bool, str]:
        """What decides where it is found."""
        return self.literal, self.signed, self.normaliser

    @lazy
    def number(self) -> str | None:
        """Its exact decimal text; `None`: it is no number."""
        if isinstance(self.value, str):
            return _written_number(self.literal)
        return tokens.number_of(self.value) if isinstance(self.value, int | float) else None

    @lazy
    def day(self) -> date | None:
        """The calendar day that it is; `None`: none."""
        return None if self.signed else tokens.day_of(self.literal)

    @lazy
    def identifier(self) -> str:
        """Its normal form as an identifier; empty: it is none."""
        named = self.normaliser == "identifier" or any(c.isdigit() for c in self.literal)
        return _PARTS.sub("", caseless(self.literal)) if named and not self.signed else ""

    @lazy
    def spaced(self) -> re.Pattern[str] | None:
        """A pattern for the identifier with other separators; `None`: it has none."""
        parts = [part for part in _PARTS.split(caseless(self.literal)) if part]
        if self.normaliser == "identifier":
            # `HL00418C` may stand there as `HL 00418 C`; a value of which nobody says that it is an identifier is not taken apart so far.
            parts = [run for part in parts for run in _RUNS.findall(part)]
        if not self.identifier or len(parts) < 2:
            return None
        return re.compile(r"(?<!\w)" + r"[\s_\-\u2010-\u2015\u2212]*".join(map(re.escape, parts)) + r"(?!\w)")

    def equals(self, other: object) -> bool:
        """Tell whether it is another value, as it stands or by the normaliser of its argument."""
        if type(self.value) is type(other) and self.value == other:
            return True
        form = self.own or normal_forms.BUILT_IN.get(self.normaliser)
        mine = None if form is None else own_form(form, self.value)
        return form is not None and mine is not None and mine == own_form(form, other)

    def literal_at(self, text: str, start: int = 0, stop: int | None = None) -> int:
        """Return where it stands literally and whole in a text in lower case, or -1."""
        at = tokens.find(text, self.literal, start, stop)
        while self.signed and at > 0 and text[at - 1] in _SIGNS:
            at = tokens.find(text, self.literal, at + 1, stop)
        return at

    def normally_in(self, source: Text) -> bool:
        """Tell whether a text holds it in another spelling."""
        return self._spelled_in(source) or (self.own is not None and self._alike_in(source, self.own))

    def _spelled_in(self, source: Text) -> bool:
        if self.number is not None and self.number in source.numbers:
            return True
        if self.signed:
            return self.number is None and self.literal_at(source.plain) >= 0
        word = caseless(self.literal)
        if source.may_hold(word) and tokens.find(source.plain, word) >= 0:
            return True
        if self.day is not None:
            return any(self._is_that_day(day) for day in source.days)
        return self._identified_in(source) or (self.normaliser == "phone" and phone(self.literal) in source.phones)

    def _alike_in(self, source: Text, own: Callable[[object], object]) -> bool:
        wanted = own_form(own, self.value)
        return wanted is not None and any(own_form(own, token) == wanted for token in source.pieces)

    def _identified_in(self, source: Text) -> bool:
        if not self.identifier or (source.simple and self.identifier not in source.squeezed):
            return False
        if self.identifier in source.identifiers:
            return True
        match = self.spaced.search(source.plain) if self.spaced else None
        return match is not None and tokens.is_whole(source.plain, match.start(), match.end())

    def _is_that_day(self, said: tokens.Day) -> bool:
        wanted = self.day
        if wanted is None or not said.is_day(wanted):
            return False
        return said.year is not None or self.today is None or wanted.year in tokens.likely_years(self.today, said.month, said.day)

    def held_by(self, source: Text) -> bool:
        """Tell whether a text holds it, literally or in another spelling."""
        return self.literal_at(source.lower) >= 0 or self.normally_in(source)


def own_form(own: Callable[[object], object], value: object) -> object:
    """Return the hashable normal form of a value; `None`: the normaliser cannot read it."""
    try:
        return canonical_form(own(value))
    except ValueError:
        return None


def literal_of(value: object) -> str:
    """Return how a scalar that is no text is written in JSON."""
    return (tokens.number_of(value) if isinstance(value, int | float) else None) or str(value).lower()


def _written_number(value: str) -> str | None:
    # A leading zero makes an identifier: 00418 is not 418.
    if not value or len(value) > 40 or (value[0] == "0" and value[1:2].isdigit()) or not any(c.isdigit() for c in value):
        return None
    return tokens.number(value)
