"""What a suite's own functions answer, as JSON: equal answers have equal bytes in every process."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from seatrial.world.calls import text_of

_ENCODE = msgspec.json.Encoder().encode
_ENCODE_SORTED = msgspec.json.Encoder(order="deterministic").encode
_SCALARS = frozenset({str, int, float, bool, type(None)})


class UnfitAnswerError(ValueError):
    """A function of a suite answered with something that is no JSON data."""


def encoded(answer: object) -> bytes:
    """Return an answer as JSON.

    Args:
        answer: Plain data, dataclasses, structs, dates: whatever msgspec encodes. Sets are sorted.

    Raises:
        UnfitAnswerError: It is no JSON data.
    """
    try:
        text = _ENCODE(answer)
        if b"[" in text and not _has_order(answer):
            text = _ENCODE_SORTED(answer)
        lost = b"null" in text and _holds_nan(answer)
    except Exception as error:
        raise UnfitAnswerError(f"it is no JSON data: {text_of(error)}") from error
    if lost:
        raise UnfitAnswerError("it holds NaN or an infinity, which JSON lacks")
    return text


def _has_order(value: object) -> bool:
    """Tell whether no part of a value has the order of its hashes; of what is no plain data that is not known."""
    kind = type(value)
    if kind in _SCALARS:
        return True
    inner = _inner(value)
    return inner is not None and all(map(_has_order, inner))


def _holds_nan(value: object) -> bool:
    if isinstance(value, float):
        return value - value != 0.0
    return any(map(_holds_nan, _inner(value) or ()))


def _inner(value: object) -> Collection[object] | None:
    """Return what a plain container holds; `None`: it is none. A dict is read past its own methods, as the encoder reads it."""
    if isinstance(value, dict):
        return dict.values(value)
    return value if isinstance(value, list | tuple) else None
