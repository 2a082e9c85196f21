"""Names of a table as identifiers: readable where they can be, and never one for two."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from seatrial.base.canonical import content_hash
from seatrial.base.names import is_identifier

_OTHER = re.compile(r"[^A-Za-z0-9._:@+=-]+|\.{2,}")
_HASHED, _WHOLE = 8, 32
"""Digits of a hash that tell names apart, and all that it has."""
_MOST = 60


def identifiers(words: Iterable[str], *, files: bool = False) -> dict[str, str]:
    """Return an identifier for each word.

    Args:
        words: Names from outside.
        files: Whether the identifiers name files, which some systems take for one when only their case differs.

    Returns:
        Word → identifier: the word itself, or the word with `-` in place of whatever an identifier cannot hold; where that is nothing,
        too long, or the same for two words, a hash of the word is added.
    """
    key = str.casefold if files else str
    plain = {word: word if is_identifier(word) else _OTHER.sub("-", word).strip("._:@+=-") for word in dict.fromkeys(words)}
    times = Counter(map(key, plain.values()))
    found = {word: name if times[key(name)] == 1 and is_identifier(name) else _hashed(word, name, _HASHED) for word, name in plain.items()}
    if len(set(map(key, found.values()))) == len(found):
        return found
    # A word may be spelled like another one with its hash; whole hashes of all of them are never alike.
    return {word: _hashed(word, name, _WHOLE) for word, name in plain.items()}


def in_order(labels: Iterable[str]) -> list[str]:
    """Return labels in the order in which people count: `run2` before `run10`."""
    return sorted(
        set(labels), key=lambda label: ([(not part.isdigit(), part.zfill(32)) for part in re.split(r"(\d+)", label) if part], label)
    )


def _hashed(word: str, name: str, digits: int) -> str:
    digest = content_hash(word)[:digits]
    return "-".join(filter(None, (name[:_MOST].rstrip("._:@+=-"), digest)))
