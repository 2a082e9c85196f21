"""Canonical JSON and content hashes: equal data has equal bytes, whatever the order of its keys."""

from __future__ import annotations

import hashlib

import msgspec

_ENCODER = msgspec.json.Encoder(order="sorted")
MAX_DEPTH = 64


def canonical(value: object) -> bytes:
    """Return the canonical JSON of a value: sorted keys, no white space, UTF-8.

    Args:
        value: Anything msgspec can encode.

    Returns:
        The bytes; equal for equal data.
    """
    return _ENCODER.encode(value)


def indented(value: object) -> str:
    """Return a value as JSON for people to read: set in by two, its keys in their own order, with a line break at its end."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


def content_hash(value: object) -> str:
    """Return the first 32 hexadecimal digits of the SHA-256 of the canonical JSON of a value."""
    return hashlib.sha256(canonical(value)).hexdigest()[:32]


def bytes_hash(data: bytes) -> str:
    """Return the first 32 hexadecimal digits of the SHA-256 of raw bytes."""
    return hashlib.sha256(data).hexdigest()[:32]
