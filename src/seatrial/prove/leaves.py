"""JSON values by their leaves: the scalars in them, and where each stands."""

from __future__ import annotations

from collections.abc import Iterator

Place = tuple[str | int, ...]
"""The keys and positions that lead to a value."""


def leaves(value: object, place: Place = ()) -> Iterator[tuple[Place, object]]:
    """Yield every scalar of a JSON value with its place."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*place, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*place, index))
    else:
        yield place, value


def with_leaf(value: object, place: Place, new: object) -> object:
    """Return a JSON value with one scalar replaced."""
    if not place:
        return new
    if isinstance(value, dict):
        return {key: with_leaf(item, place[1:], new) if key == place[0] else item for key, item in value.items()}
    if isinstance(value, list):
        return [with_leaf(item, place[1:], new) if index == place[0] else item for index, item in enumerate(value)]
    return value


def in_words(place: Place) -> str:
    """Return a place in words: `filter.ids[1]`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).lstrip(".")
