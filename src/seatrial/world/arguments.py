"""Arguments as they arrive: from plain objects or from JSON text, bounded, and never a reason to crash."""

from __future__ import annotations

import json
from collections.abc import Mapping

import msgspec
from msgspec import Raw, Struct

from seatrial.base.canonical import MAX_DEPTH
from seatrial.world.calls import printable
from seatrial.world.declarations import MAX_NAME

MAX_BYTES = 1_000_000
"""Largest arguments of one call, bytes of JSON."""
MAX_RAW = 65_536
"""Longest argument text that a trace keeps, characters."""

_EMPTY = Raw(b"{}")
_SCALARS = frozenset({str, int, float, bool, type(None)})


class Arguments(Struct, frozen=True):
    """Arguments after reading."""

    proposed: Raw
    """The arguments as JSON; a JSON string when they could not be read."""
    problem: str = ""
    """What is wrong with them; empty: they are a JSON object within bounds."""
    parsed: bool = True
    """Whether they are JSON at all."""
    raw: str = ""
    """The text as it was sent, when it was not plain valid JSON; cut at `MAX_RAW`."""


class _Duplicate(ValueError):
    """A JSON object names one key twice."""


def read(arguments: object) -> Arguments:
    """Read the arguments of a proposed call.

    Args:
        arguments: An object, or JSON text. `None`, `""` and `"null"` are `{}`.

    Returns:
        The arguments as JSON, with what is wrong with them.
    """
    if arguments is None:
        return Arguments(_EMPTY)
    return _read_text(arguments) if isinstance(arguments, str) else _read_object(arguments)


def name_of(name: object) -> str:
    """Return the name of a tool as it can be stored, cut at `MAX_NAME` characters."""
    return printable(str(name)[:MAX_NAME])


def _read_text(text: str) -> Arguments:
    if len(text) > MAX_BYTES:
        return _unread(text, f"the arguments are {len(text):,} characters long; at most {MAX_BYTES:,} are read")
    stripped = text.strip()
    if stripped in {"", "null"}:
        return Arguments(_EMPTY)
    try:
        value = json.loads(stripped, object_pairs_hook=_pairs, parse_constant=_no_constant)
    except _Duplicate as error:
        return _unread(text, str(error))
    except (ValueError, RecursionError) as error:
        return _unread(text, f"the arguments are not valid JSON: {error}")
    read_value = _read_object(value)
    return read_value if read_value.parsed else _unread(text, read_value.problem)


def _read_object(value: object) -> Arguments:
    problem = "" if _is_flat(value) else find_problem(value)
    if problem:
        return _unread(_describe(value), problem)
    try:
        encoded = msgspec.json.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        return _unread(_describe(value), f"the arguments cannot be written as JSON: {error}")
    if len(encoded) > MAX_BYTES:
        return _unread(
            encoded[:MAX_RAW].decode("utf-8", "replace"), f"the arguments are {len(encoded):,} bytes of JSON; at most {MAX_BYTES:,}"
        )
    return Arguments(Raw(encoded), "" if isinstance(value, Mapping) else "the arguments must be a JSON object")


def _unread(text: str, problem: str) -> Arguments:
    kept = printable(text[:MAX_RAW])
    return Arguments(Raw(msgspec.json.encode(kept)), printable(problem), parsed=False, raw=kept)


def _is_flat(value: object) -> bool:
    """Tell whether a value is an object of short plain scalars: the common case, which needs no walk."""
    if type(value) is not dict:
        return False
    return all(type(key) is str and type(item) in _SCALARS and type(item) is not float for key, item in value.items())


def find_problem(value: object) -> str:
    """Return why a value is not JSON data within bounds; empty when it is.

    Args:
        value: Any object.

    Returns:
        The problem in words: too deep, not a number, a key that is no text, a type that JSON lacks.
    """
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            return f"the arguments are nested deeper than {MAX_DEPTH}"
        inner: list[object] = []
        for item in level:
            problem = _open(item, inner)
            if problem:
                return problem
        if len(inner) > MAX_BYTES:
            return f"the arguments hold more than {MAX_BYTES:,} values"
        level = inner
    return ""


def _open(item: object, inner: list[object]) -> str:
    if isinstance(item, Mapping):
        for key in item:
            if not isinstance(key, str):
                return f"the key {key!r:.80} is not a text"
        inner.extend(item.values())
    elif isinstance(item, list | tuple):
        inner.extend(item)
    elif isinstance(item, float):
        return "" if item - item == 0.0 else f"{item} is not a JSON number"
    elif not isinstance(item, str | int | None):
        return f"a {type(item).__name__} is not JSON data"
    return ""


def _describe(value: object) -> str:
    try:
        return repr(value)[:MAX_RAW]
    except Exception as error:  # noqa: BLE001 - a foreign __repr__ may raise anything, and the call must still be recorded
        return f"<{type(value).__name__}: {type(error).__name__}>"


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Duplicate(f"the key {twice!r:.80} stands twice in one JSON object")
    return found


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")
