"""Texts as sentences of words: what is hidden, quoted or forwarded is set apart, so that it cannot pass for the user's own yes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

_WORD = re.compile(r"[^\W_]+(?:['\-][^\W_]+)*|[?!\n;:,]|\.(?=\s|$)|[\u2013\u2014]|\.\.+")
_ENDS = frozenset("?!\n;.\u2013\u2014")
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u02bc": "'", "`": "'", "\u2010": "-", "\u2011": "-"})
_QUOTES = {'"': '"', "\u201c": "\u201d", "\u00ab": "\u00bb", "\u201e": "\u201c", "\u300c": "\u300d"}
_QUOTE_MARK = re.compile('["\u201c\u00ab\u201e\u300c]')
_FORWARDED = re.compile(
    r"^[ \t>]*(?:-{2,}[ \t]*(?:original|forwarded)|begin forwarded|forwarded message|on [^\n]{4,120} wrote:|from:[ \t]|subject:[ \t])",
    re.IGNORECASE | re.MULTILINE,
)
_LINE_QUOTE = re.compile(r"^[ \t]*(?:>|\|).*$", re.MULTILINE)


_ENDINGS = ("ations", "ation", "ings", "ing", "ed", "es", "s", "d")
_LONGEST_KNOWN = 24


class Sentence(Struct, frozen=True, gc=False):
    """One sentence of a turn, or what stands between two line ends."""

    words: tuple[str, ...]
    """Its words in lower case; `,` and `:` are words too."""
    asks: bool
    """Whether it ends with a question mark."""


def plain(text: str) -> str:
    """Return a text in lower case, compatibility forms and marks of apostrophes made one, invisible characters dropped."""
    if text.isascii():
        return text.lower()
    shown = "".join([character for character in unicodedata.normalize("NFKC", text) if unicodedata.category(character) != "Cf"])
    return shown.translate(_APOSTROPHES).lower()


def hidden(text: str) -> bool:
    """Tell whether a text holds what a reader cannot judge: invisible characters, or letters of another script than the Latin one."""
    return not text.isascii() and any(map(_odd, text))


def _odd(character: str) -> bool:
    if character < "\u0250" and character != "\u00ad":
        return False
    category = unicodedata.category(character)
    return category in {"Cf", "Co"} or (category[0] == "L" and not unicodedata.name(character, "").startswith("LATIN"))


def sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text, empty ones left out.

    Args:
        text: A text as `plain` gives it.
    """
    return tuple(_sentences(text))


def _sentences(text: str) -> Iterator[Sentence]:
    words: list[str] = []
    for word in _WORD.findall(text):
        if word[0] not in _ENDS:
            words.append(word)
        elif words:
            yield Sentence(tuple(words), asks=word == "?")
            words = []
        elif word == "?":
            yield Sentence((), asks=True)
    if words:
        yield Sentence(tuple(words), asks=False)


def own_words(text: str) -> str:
    """Return what a user's text says itself: forwarded parts, quoted lines and parts within quotation marks are cut out."""
    if (start := _FORWARDED.search(text)) is not None:
        text = text[: start.start()]
    text = _LINE_QUOTE.sub("", text)
    return text if _QUOTE_MARK.search(text) is None else _unquoted(text)


def _unquoted(text: str) -> str:
    kept: list[str] = []
    start = 0
    while (mark := _QUOTE_MARK.search(text, start)) is not None:
        kept.append(text[start : mark.start()])
        stop = text.find(_QUOTES[mark[0]], mark.end())
        if stop < 0:
            return "".join(kept)
        kept.append(" quoted ")
        start = stop + 1
    kept.append(text[start:])
    return "".join(kept)


def stems(word: str) -> tuple[str, ...]:
    """Return a word and what is left of it without a common ending; words of a usual length are remembered."""
    return _known_stems(word) if len(word) <= _LONGEST_KNOWN else tuple(_stems(word))


@lru_cache(maxsize=8192)
def _known_stems(word: str) -> tuple[str, ...]:
    return tuple(_stems(word))


def _stems(word: str) -> Iterator[str]:
    yield word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)]
            yield stem
            yield f"{stem}e"
            if len(stem) > 3 and stem[-1] == stem[-2]:
                yield stem[:-1]
