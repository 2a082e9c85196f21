"""What the decorators of a `world.py` are told, checked where it stands: a wrong word there would only be missed, never met."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeVar

from seatrial.base.names import nearest
from seatrial.world.signature import check_function, wrong

MAX_NAME = 200
"""Longest name of a tool, characters; what an agent calls by a longer one is cut."""
Function = Callable[..., object]
Word = TypeVar("Word", bound=str)


def tool_name(function: Function, name: object) -> str:
    """Return the name that an agent calls a tool by.

    Args:
        function: The tool's function.
        name: The declared name; empty: the function's own.

    Raises:
        SuiteError: It is no text, or holds what no agent could write.
    """
    return _checked_name(function, name or function.__name__, "name=")


def one_of(function: Function, keyword: str, value: object, options: Collection[Word]) -> Word:
    """Return a declared word that is one of a few."""
    for option in options:
        if value == option:
            return option
    near = nearest(value, options) if isinstance(value, str) else None
    raise wrong(function, f"{keyword}={value!r:.80} is none of {', '.join(options)}.", nearest=near)


def flag(function: Function, keyword: str, value: object) -> bool:
    """Return a declared yes or no."""
    if not isinstance(value, bool):
        raise wrong(function, f"{keyword}={value!r:.80}: expected True or False")
    return value


def texts(function: Function, keyword: str, value: object) -> tuple[str, ...]:
    """Return a declared list of names."""
    found = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str | bytes) else None
    if found is None or not all(isinstance(one, str) for one in found):
        raise wrong(function, f"{keyword}={value!r:.80}: expected a list of names, for example {keyword}=['name']")
    return found  # type: ignore[return-value]


def arguments(function: Function, keyword: str, value: object, known: Collection[str]) -> tuple[str, ...]:
    """Return a declared list of names of a tool's arguments."""
    found = texts(function, keyword, value)
    for name in found:
        if name not in known:
            raise wrong(function, f"{keyword} names the argument {name!r}, which it lacks.", nearest=nearest(name, known))
    return found


def normalisers(function: Function, value: object, known: Collection[str]) -> dict[str, str]:
    """Return argument → normaliser; whether there is such a normaliser is known when the whole file is."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value.values()):
        raise wrong(function, f"normalise={value!r:.80}: expected argument and normaliser, for example normalise={{'when': 'date'}}")
    return dict(zip(arguments(function, "normalise", value, known), value.values(), strict=True))


def statuses(function: Function, keyword: str, value: object) -> tuple[int, ...]:
    """Return a declared list of statuses."""
    if not isinstance(value, Iterable) or isinstance(value, str | bytes):
        raise wrong(function, f"{keyword}={value!r:.80}: expected a list of statuses, for example {keyword}=[409]")
    found: list[int] = []
    for one in value:
        if isinstance(one, bool) or not isinstance(one, int) or not 100 <= one <= 599:
            raise wrong(function, f"{keyword} holds {one!r:.80}, which is no status; expected numbers, for example {keyword}=[409]")
        found.append(one)
    return tuple(found)


def plug_in_name(function: Function, decorator: str, name: object) -> str:
    """Return the name of a function that is called with one value, and found by its name.

    Args:
        function: The function.
        decorator: What it is decorated with.
        name: What the decorator was given.

    Raises:
        SuiteError: The name is none, or the function cannot be called so.
    """
    check_function(function, decorator)
    try:
        inspect.signature(function).bind_partial(object())
    except TypeError as error:
        raise wrong(function, f"a function under @{decorator} is called with one value: {error}") from error
    return _checked_name(function, name, f"@{decorator} is given ")


def _checked_name(function: Function, name: object, place: str) -> str:
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME or not name.isprintable() or any(map(str.isspace, name)):
        raise wrong(function, f"{place}{name!r:.80}, which is no name: a text of up to {MAX_NAME} characters without spaces")
    return name
