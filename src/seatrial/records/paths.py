"""Paths of records: how a change names the record that it is about. Made by worlds, written in contracts, read by graders."""

from __future__ import annotations

import re
from collections.abc import Iterable

OUTBOX = "outbox"
"""Collection that external effects land in."""
_ESCAPES = str.maketrans({"%": "%25", "/": "%2F", ",": "%2C"})
_PATH = re.compile(r"(?P<collection>[^/\s]+)/(?P<key>\+[0-9]*|[^/]+)")


def record_path(collection: str, key: Iterable[object]) -> str:
    """Return the path of a record: `collection/key`.

    Args:
        collection: Name of the table or collection.
        key: Parts of the key.
    """
    return f"{collection}/{record_key(key)}"


def record_key(parts: Iterable[object]) -> str:
    """Return a key as it stands in a path: its parts joined by `,`.

    Args:
        parts: Parts of the key; `/`, `,` and `%` within a part are percent-encoded, so that two keys never share a path.
    """
    return ",".join(_part(part) for part in parts)


def split_path(path: str) -> tuple[str, str] | None:
    """Return the collection and the key of a path, or `None` when it has another form; a key of `+` stands for a created record."""
    found = _PATH.fullmatch(path)
    return (found["collection"], found["key"]) if found else None


def _part(part: object) -> str:
    text = part if isinstance(part, str) else part.hex() if isinstance(part, bytes) else str(part)
    return text.translate(_ESCAPES)
