"""A part of a document: a value that knows where it stands, so that every error names file, line and key."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NoReturn, TypeVar

from msgspec import Raw

from seatrial.base import wording
from seatrial.base.canonical import MAX_DEPTH, canonical
from seatrial.base.errors import SuiteError
from seatrial.base.names import by_nearness, nearest
from seatrial.suite.backtracking import explodes
from seatrial.suite.place import Path, Place

Made = TypeVar("Made")
Default = TypeVar("Default")
Word = TypeVar("Word", bound=str)

MAX_PATTERN = 1000
"""Characters of a regular expression beyond which it is refused."""
_SHOWN = 12
"""How many right names an error lists."""
_WIDE, _NEAREST = 160, 3
"""Characters of a list of right names beyond which only so many of the nearest are listed."""
_SMALLEST, _LARGEST = -(2**63), 2**64 - 1
"""The integers that a stored record can hold."""


class Part:
    """One value of a document with its place.

    Args:
        value: Plain JSON data; data from outside goes through `checked` first.
        place: The place of the document.
        path: Where the value stands in it.
    """

    __slots__ = ("path", "place", "value")

    def __init__(self, value: Any, place: Place, path: Path = ()) -> None:
        # Any: what shape the data have is what the readers of this class find out.
        self.value, self.place, self.path = value, place, path

    def fail(self, message: str, *, close_to: str | None = None, among: Iterable[str] = ()) -> NoReturn:
        """Raise the error of this part.

        Args:
            message: What is wrong and what is expected.
            close_to: A wrong name.
            among: The right names, of which the nearest is offered.

        Raises:
            SuiteError: Always.
        """
        hint = nearest(close_to, among) if close_to is not None else None
        words = ": ".join(filter(None, (self.place.label, self.label, message)))
        raise SuiteError(words, file=self.place.file, line=self.place.line_of(self.path), nearest=hint)

    @property
    def label(self) -> str:
        """The path in words, for example `expect.process.required[0].call`."""
        words = ""
        for step in self.path[self.place.skipped :]:
            words += f"[{step}]" if isinstance(step, int) else f".{step}" if words else step
        return words

    def __getitem__(self, key: str | int) -> Part:
        """Return the part below a key or a list position that is known to be there."""
        return Part(self.value[key], self.place, (*self.path, key))

    def get(self, key: str) -> Part | None:
        """Return the part below a key, or `None` when the key is absent."""
        return self[key] if isinstance(self.value, dict) and key in self.value else None

    def read(self, key: str, reader: Callable[[Part], Made], default: Default) -> Made | Default:
        """Return what a reader makes of the part below a key, or the default when the key is absent."""
        part = self.get(key)
        return default if part is None else reader(part)

    def chosen(self, key: str, options: tuple[Word, ...], what: str, default: Word) -> Word:
        """Return the word below a key, known to be one of a few (see `choice`), or the default when the key is absent."""
        part = self.get(key)
        return default if part is None else part.choice(options, what)

    def mapping(self, keys: Collection[str] | None = None) -> Part:
        """Return this part, known to be a mapping with only these keys (`None`: any)."""
        if not isinstance(self.value, dict):
            self.fail(f"expected a mapping, got {shown(self.value)}")
        for key in self.value if keys is not None else ():
            if key not in keys:
                self[key].fail(f"there is no key {key!r} here; known: {listed(keys or ())}.", close_to=key, among=keys or ())
        return self

    def need(self, keys: Mapping[str, str], what: str) -> None:
        """Refuse a mapping in which a key is missing or empty.

        Args:
            keys: Key → what it means, a sentence.
            what: What the mapping is, with its article.
        """
        for key, meaning in keys.items():
            part = self.get(key)
            if part is None or not str(part.value).strip():
                self.fail(f"{what} needs `{key}`: {meaning[0].lower()}{meaning[1:]}")

    def entries(self) -> Iterator[tuple[str, Part]]:
        """Yield each key of a mapping with the part below it."""
        self.mapping()
        for key in self.value:
            yield key, self[key]

    def items(self) -> Iterator[Part]:
        """Yield the parts of a list."""
        if not isinstance(self.value, list):
            self.fail(f"expected a list, got {shown(self.value)}")
        for position in range(len(self.value)):
            yield self[position]

    def text(self) -> str:
        """Return the value, known to be a text."""
        if not isinstance(self.value, str):
            quote = "; put it in quotes" if isinstance(self.value, int | float) else ""
            self.fail(f"expected a text, got {shown(self.value)}{quote}")
        return self.value

    def texts(self) -> tuple[str, ...]:
        """Return the texts of a list."""
        return tuple(item.text() for item in self.items())

    def one_or_more(self) -> tuple[Part, ...]:
        """Return the parts of a list, or this one part as if it stood in a list."""
        return tuple(self.items()) if isinstance(self.value, list) else (self,)

    def flag(self) -> bool:
        """Return the value, known to be true or false."""
        if not isinstance(self.value, bool):
            self.fail(f"expected true or false, got {shown(self.value)}")
        return self.value

    def integer(self, least: int = 0) -> int:
        """Return the value, known to be a whole number that is not under a least one."""
        if not isinstance(self.value, int) or isinstance(self.value, bool) or self.value < least:
            self.fail(f"expected a whole number of {least} or more, got {shown(self.value)}")
        return self.value

    def number(self) -> float:
        """Return the value, known to be a number."""
        if not isinstance(self.value, int | float) or isinstance(self.value, bool):
            self.fail(f"expected a number, got {shown(self.value)}")
        return self.value

    def day(self) -> str:
        """Return the value, known to be a calendar day, as YYYY-MM-DD."""
        try:
            return date.fromisoformat(self.text()).isoformat()
        except ValueError:
            self.fail(f"{shown(self.value)} is not a date; write YYYY-MM-DD")

    def choice(self, options: Iterable[Word], what: str) -> Word:
        """Return the value, known to be one of a few words.

        Args:
            options: The right words.
            what: What they are, in the singular.
        """
        known = tuple(options)
        word = self.text()
        for option in known:
            if option == word:
                return option
        return self.fail(f"there is no {what} {word!r}; known: {_known(word, known)}.", close_to=word, among=known)

    def pattern(self) -> str:
        """Return the value, known to be a regular expression of bounded length that no text makes run for ever."""
        source = self.text()
        if len(source) > MAX_PATTERN:
            self.fail(f"a regular expression of {len(source)} characters is too long; the limit is {MAX_PATTERN}")
        try:
            re.compile(source)
        except (re.error, RecursionError, OverflowError) as error:
            self.fail(f"{source!r} is not a regular expression: {error}")
        if explodes(source):
            self.fail(f"{shown(source)} repeats what repeats itself, as (a+)+ does, and a text can make it run for ever; write a+")
        return source

    def raw(self) -> Raw:
        """Return the value as canonical JSON."""
        return Raw(canonical(self.value))


def shown(value: object) -> str:
    """Return a short form of a value for a message."""
    text = "null" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _known(word: str, names: Sequence[str]) -> str:
    """Return right names for a message on a wrong one: where they would fill lines, the nearest only."""
    words = listed(names)
    return words if len(words) <= _WIDE else wording.listed(by_nearness(word, names), _NEAREST)


def listed(names: Iterable[str]) -> str:
    """Return the first few of a set of names for a message."""
    return wording.listed(sorted(names), _SHOWN) or "none"


def checked(part: Part) -> Part:
    """Return a part of data from outside as plain JSON data that a record can hold.

    Args:
        part: Any value; tuples become lists.

    Returns:
        The part with its own copy of the data.

    Raises:
        SuiteError: Another type, a key that is not a text, a lone surrogate, a number that is not finite or too large, or
            more than 64 levels.
    """
    return Part(_plain(part), part.place, part.path)


def _plain(part: Part) -> object:
    value = part.value
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _sound_text(part, value)
    if isinstance(value, int | float):
        return _sound_number(part, value)
    if len(part.path) - part.place.skipped > MAX_DEPTH:
        part.fail(f"more than {MAX_DEPTH} levels of nesting")
    if isinstance(value, list | tuple):
        return [_plain(Part(item, part.place, (*part.path, position))) for position, item in enumerate(value)]
    if isinstance(value, dict):
        return {_sound_key(part, key): _plain(Part(item, part.place, (*part.path, key))) for key, item in value.items()}
    return part.fail(f"expected JSON data, got a value of type {type(value).__name__}")


def _sound_key(part: Part, key: object) -> str:
    if not isinstance(key, str):
        part.fail(f"expected a text as key, got {shown(key)}")
    return _sound_text(part, key)


def _sound_text(part: Part, value: str) -> str:
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        part.fail(f"{shown(value)} holds a lone surrogate, which no file can hold; remove it")
    return value


def _sound_number(part: Part, value: float) -> float:
    if isinstance(value, float):
        if not math.isfinite(value):
            part.fail(f"expected a finite number, got {value!r}")
    elif not _SMALLEST <= value <= _LARGEST:
        part.fail("a whole number of more than 64 bits cannot be stored; write it as a text")
    return value
