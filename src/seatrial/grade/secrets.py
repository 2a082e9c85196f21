"""Texts that must not appear, found also where they are simply disguised.

Disguises are: other case, separators or character forms, the text split over several values, turned round, or written in base64, in
hexadecimal or with percent signs. What is really enciphered is not found.
"""

from __future__ import annotations

import re
import unicodedata
from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from seatrial.grade.lazy import lazy

LEAST = 6
"""Letters and digits that a text must have to be looked for in disguise; a shorter one would be found by chance."""
_FEW = 256
"""Spellings up to which each is looked for by itself; more are looked up by their beginnings, in one pass over the text."""
_KEEP = bytes(range(256)).lower()
_DROP = bytes(byte for byte in range(128) if not chr(byte).isalnum())
_PART = "\0"
"""Stands between texts that are looked at together."""
_DROP_IN_PARTS = _DROP.replace(_PART.encode(), b"")
_SIGNS = bytes.maketrans(b"-_", b"+/")
_KEY = re.compile(r'"[^"]*":')
_ODD_KEY = '",":'
_SPACES = b" \t\r\n\f\v"
_SPACE = _SPACES + b"\\"


def squeezed(text: str) -> str:
    """Return the letters and digits of a text, without regard to case, marks and character forms."""
    if text.isascii():
        return text.encode().translate(_KEEP, _DROP).decode()
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())))


class _Spelling(NamedTuple):
    """One spelling of a secret."""

    text: str
    exact: bool
    """Whether case counts."""


class Secret:
    """A text that must not appear.

    Args:
        text: The text.
        name: What it is called in reasons; the text itself is not repeated there.
    """

    __slots__ = ("name", "spellings", "whole")

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.spellings = _spellings(text)
        self.whole = squeezed(text) if not self.spellings else ""
        """Of a text that is too short to be looked for in disguise, what a whole value must be."""


@lru_cache(maxsize=4096)
def secret(text: str, name: str) -> Secret:
    """Return a text that must not appear; see `Secret`."""
    return Secret(text, name)


def _spellings(text: str) -> tuple[_Spelling, ...]:
    plain = squeezed(text)
    if len(plain) < LEAST:
        return ()
    folded = {plain, plain[::-1], *(written.encode("utf-8", "replace").hex() for written in {text, text.lower(), text.upper()})}
    exact = {one for written in (text, text.strip()) for one in _in_base64(written)}
    return (*(_Spelling(one, exact=False) for one in sorted(folded)), *(_Spelling(one, exact=True) for one in sorted(exact)))


def _in_base64(text: str) -> Iterator[str]:
    """Yield how a text is written in base64 wherever it begins: the characters that depend on what stands beside it are left out."""
    data = text.encode("utf-8", "replace")
    for shift in range(3):
        written = b64encode(b"\0" * shift + data).decode().rstrip("=")
        start, cut = (0, 2, 3)[shift], (0, 1, 1)[(shift + len(data)) % 3]
        found = written[start : len(written) - cut]
        if len(found) >= LEAST:
            yield found


class Disguised:
    """A text in which secrets are looked for, in the forms that a disguise needs; each is made once, when first needed.

    Args:
        values: The values that are looked at, as texts, in their order.
        written: The same as one text, with whatever stands between them.
    """

    def __init__(self, values: Sequence[str], written: str) -> None:
        self.whole = values
        """The values one by one."""
        joined = "".join(values)
        self._texts = (joined, written, unquote(joined), unquote(written)) if "%" in written else (joined, written)
        self._data = _PART.join([text.replace(_PART, "") for text in self._texts]).encode("utf-8", "replace")

    @lazy
    def folded(self) -> str:
        """Letters and digits: of the values one after the other, and of the whole; percent signs resolved."""
        if self._data.isascii():
            return self._data.translate(_KEEP, _DROP_IN_PARTS).decode()
        return _PART.join(map(squeezed, self._texts))

    @lazy
    def exact(self) -> str:
        """The same with their case and signs, for base64."""
        return self._data.translate(_SIGNS, _SPACE).decode()


def _is_plain(written: str) -> bool:
    """Tell whether JSON texts without spaces can be looked through as they are written: no escapes, no key that looks like a value."""
    return not ("\\" in written or "%" in written or _PART in written or _ODD_KEY in written)


class Lookout:
    """The secrets that are known so far; adding one and looking through a text take time that does not grow with their number."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._few: list[tuple[_Spelling, Secret]] = []
        self._whole: dict[str, Secret] = {}
        self._by_start: dict[tuple[str, bool], dict[int, dict[str, Secret]]] = {}

    def __bool__(self) -> bool:
        return bool(self._known)

    def add(self, found: Secret) -> None:
        """From now on a text is looked for, too."""
        texts = [one.text for one in found.spellings] or [found.whole]
        if not texts[0] or texts[0] in self._known:
            return
        self._known.add(texts[0])
        if found.whole:
            self._whole[found.whole] = found
        for spelling in found.spellings:
            self._few.append((spelling, found))
            start = self._by_start.setdefault((spelling.text[:LEAST], spelling.exact), {})
            start.setdefault(len(spelling.text), {})[spelling.text] = found

    def first_in(self, text: Disguised) -> Secret | None:
        """Return a secret that a text holds, `None` when it holds none."""
        if len(self._few) <= _FEW:
            found = self._one_by_one(text)
        else:
            found = self._scanned(text.folded, exact=False) or self._scanned(text.exact, exact=True)
        if found is None and self._whole:
            found = next((self._whole[form] for leaf in text.whole if len(leaf) < 100 and (form := squeezed(leaf)) in self._whole), None)
        return found

    def _one_by_one(self, text: Disguised) -> Secret | None:
        folded, exact = text.folded, text.exact
        for spelling, one in self._few:
            if spelling.text in (exact if spelling.exact else folded):
                return one
        return None

    def nothing_in(self, written: bytes) -> bool:
        """Tell whether plain JSON texts certainly hold no secret: a quick test that errs towards no.

        Args:
            written: JSON texts, one after the other.
        """
        if self._whole or len(self._few) > _FEW or not written.isascii():
            return False
        text = written.translate(None, _SPACES).decode()
        if not _is_plain(text):
            return False
        folded = f"{_KEY.sub('', text)}{_PART}{text}".encode().translate(_KEEP, _DROP_IN_PARTS).decode()
        return not any(map(folded.__contains__, self._squeezed))

    @lazy
    def _squeezed(self) -> tuple[str, ...]:
        """The letters and digits of every spelling: where they are missing, so is the spelling, whether or not case and signs count."""
        return tuple({squeezed(spelling.text) for spelling, _ in self._few})

    def _scanned(self, text: str, *, exact: bool) -> Secret | None:
        for place in range(len(text) - LEAST + 1):
            lengths = self._by_start.get((text[place : place + LEAST], exact))
            if lengths is not None:
                found = next((one for length, known in lengths.items() if (one := known.get(text[place : place + length]))), None)
                if found is not None:
                    return found
        return None
