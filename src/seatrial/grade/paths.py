"""Paths into JSON values, as `{$from: …}` writes them: `customer.id`, `rows[0].id`, `rows[*].id`."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

MAX_VALUES = 10_000
"""How many values a path with `[*]` may reach; further ones are not looked at."""
_TOKEN = re.compile(r"\.?([^.\[\]]+)|\[(\*|\d+)\]")
ANY_ELEMENT = "*"
Token = str | int
"""A key, an index, or `ANY_ELEMENT` for `[*]` (a key `*` cannot be written)."""


def parse_path(text: str) -> tuple[Token, ...]:
    """Return the tokens of a path.

    Args:
        text: For example `rows[*].id`; empty: the value itself.

    Returns:
        Keys as texts, positions as integers, `*` for any element.

    Raises:
        ValueError: The text is no path.
    """
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"{text!r} is no path: expected keys and positions such as rows[0].id or rows[*].id")
        key, place = match.groups()
        tokens.append(key if key is not None else place if place == ANY_ELEMENT else int(place))
        position = match.end()
    return tuple(tokens)


@lru_cache(maxsize=1024)
def parsed(text: str) -> tuple[Token, ...]:
    """Return the tokens of a path that is used again and again; see `parse_path`."""
    return parse_path(text)


def values_at(value: object, tokens: tuple[Token, ...]) -> list[object]:
    """Return the values that a path reaches, at most `MAX_VALUES`; a text on the way is read as JSON if it is JSON."""
    found = [value]
    for token in tokens:
        found = [part for each in found for part in _step(each, token)][:MAX_VALUES]
    return found


def _step(value: object, token: Token) -> list[object]:
    if isinstance(value, str):
        value = _read(value)
    if isinstance(value, dict):
        return list(value.values()) if token == ANY_ELEMENT else [value[token]] if token in value else []
    if not isinstance(value, list):
        return []
    if token == ANY_ELEMENT:
        return value
    return [value[token]] if isinstance(token, int) and token < len(value) else []


def _read(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None
