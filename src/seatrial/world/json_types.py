"""Which types an agent's JSON can fill, and which defaults fit them."""

from __future__ import annotations

import msgspec

from seatrial.world.answers import UnfitAnswerError, encoded
from seatrial.world.calls import text_of

_MOST = 1 << 63


def unfit_type(kind: object) -> str:
    """Return why no JSON can fill a type; empty when some can.

    Args:
        kind: A type, as an annotation names it.
    """
    from msgspec import inspect

    try:
        msgspec.json.Decoder(kind)
        found = inspect.type_info(kind)
    except Exception as error:  # noqa: BLE001 - a type of the suite's own may raise anything when it is looked into
        return text_of(error)
    foreign = _foreign(found, set())
    if foreign is None:
        return ""
    hint = "; write `Any` for whatever JSON holds" if foreign is object else ""
    return f"{getattr(foreign, '__name__', foreign)!s} is none of texts, numbers, booleans, lists, objects, dates, enums{hint}"


def unfit_default(kind: object, default: object) -> str:
    """Return why a default is no value of its type; empty when it is one.

    Args:
        kind: The type.
        default: The default.
    """
    try:
        text = encoded(default)
        msgspec.json.decode(text, type=kind)
    except (UnfitAnswerError, msgspec.MsgspecError) as error:
        return str(error)
    return "it holds an integer beyond 64 bits" if _holds_huge(msgspec.json.decode(text)) else ""


def _foreign(found: object, seen: set[int]) -> object | None:
    """Return the first type within a type that JSON lacks; `None`: there is none."""
    from msgspec import inspect

    if isinstance(found, inspect.CustomType):
        return found.cls
    if id(found) in seen:
        return None
    seen.add(id(found))
    inner = found if isinstance(found, tuple) else _parts(found)
    return next((foreign for part in inner if (foreign := _foreign(part, seen)) is not None), None)


def _parts(found: object) -> tuple[object, ...]:
    from msgspec import inspect

    if not isinstance(found, inspect.Type | inspect.Field):
        return ()
    values = (getattr(found, name) for name in found.__struct_fields__ if name != "default")
    return tuple(value for value in values if isinstance(value, inspect.Type | tuple))


def _holds_huge(value: object) -> bool:
    if isinstance(value, int):
        return not -_MOST <= value < _MOST
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(map(_holds_huge, inner))
