"""Arguments of built-in rules as a suite writes them: what is wrong with one is told at its own line, with the nearest right name.

A rule says what its arguments name: `named_tools`, and, where it names such, `named_arguments` (each as it is written, the tools it is
of – a glob, or empty: every tool – and its name) and `named_collections`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any, NoReturn

import msgspec
from msgspec import inspect, structs

from seatrial.base import catalogue
from seatrial.base.canonical import canonical
from seatrial.base.names import slip_of
from seatrial.suite.part import Part, listed, shown
from seatrial.suite.scope import Scope

_PLACE = re.compile(r" - at `\$(.*)`$", re.DOTALL)
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_WRONG_NAME = re.compile(r"(?:unknown field `|Invalid enum value ')([^`']*)")


def check_arguments(part: Part, rule: str, scope: Scope) -> None:
    """Refuse arguments that a built-in rule cannot take, and names in them that the world lacks.

    Args:
        part: The arguments.
        rule: Name of the rule.
        scope: The names that may be used.

    Raises:
        SuiteError: An argument, a value or a name in them is wrong.
    """
    arguments = catalogue.load("invariant", rule).Arguments
    known = [field.encode_name for field in structs.fields(arguments)]
    for name, given in part.mapping().entries():
        if name not in known:
            given.fail(f"the invariant {rule!r} has no argument {name!r}; known: {listed(known)}.", close_to=name, among=known)
    try:
        read = msgspec.json.decode(canonical(part.value), type=arguments)
    except msgspec.MsgspecError as error:
        _refuse(part, rule, str(error), arguments)
    _check_names(part, rule, read, scope)


def _refuse(part: Part, rule: str, message: str, arguments: type) -> NoReturn:
    """Raise the error of a value that does not fit, at the value."""
    found = _PLACE.search(message)
    steps = [key or place for key, place in _STEP.findall(found[1])] if found else []
    known = sorted(_known([inspect.type_info(arguments)], steps))
    wrong, place = _WRONG_NAME.search(message), part
    for step in steps:
        place = _below(place, step)
    options = f"; known: {listed(known)}." if wrong and known else ""
    given = f" ({shown(place.value)})" if ", got `" in message and place is not part else ""
    told = f"the arguments of the invariant {rule!r} are wrong: {_PLACE.sub('', message)}{given}{options}"
    place.fail(told, close_to=wrong[1] if wrong else None, among=known)


def _below(part: Part, step: str) -> Part:
    """Return the part that a step of a message means; where the message does not say which, the part itself."""
    if isinstance(part.value, dict) and step in part.value:
        return part[step]
    return part[int(step)] if isinstance(part.value, list) and step.isdigit() and int(step) < len(part.value) else part


def _known(infos: Iterable[Any], steps: Sequence[str]) -> Iterator[str]:
    """Yield the keys or the words that may stand at a place."""
    for info in infos:
        if isinstance(info, inspect.UnionType):
            yield from _known(info.types, steps)
        elif not steps:
            yield from _words(info)
        elif isinstance(info, inspect.StructType):
            yield from _known([field.type for field in info.fields if field.encode_name == steps[0]], steps[1:])
        elif isinstance(info, inspect.DictType):
            yield from _known([info.value_type], steps[1:])
        elif isinstance(info, inspect.VarTupleType | inspect.ListType):
            yield from _known([info.item_type], steps[1:])


def _words(info: inspect.Type) -> Iterator[str]:
    if isinstance(info, inspect.StructType):
        yield from (field.encode_name for field in info.fields)
    elif isinstance(info, inspect.LiteralType):
        yield from map(str, info.values)


def _check_names(part: Part, rule: str, read: object, scope: Scope) -> None:
    tools, collections = tuple(scope.tools), scope.definition.collections
    # A rule without `named_tools` may name a tool that is not there, for agents invent tools; a slip of the pen may not.
    strict = hasattr(read, "named_tools")
    for name in getattr(read, "named_tools" if strict else "tools", ()) if tools else ():
        if not _matching(name, tools) and (strict or slip_of(name, tools) is not None):
            message = f"the invariant {rule!r} names the tool {name!r}, which this world lacks."
            _holding(part, name).fail(message, close_to=name, among=tools)
    for text, of, name in getattr(read, "named_arguments", ()) if tools else ():
        known = scope.arguments(_matching(of, tools) if of else tools)
        if known is not None and name not in known:
            owner = f"the tool {of}" if of else "every tool"
            message = f"the invariant {rule!r} names the argument {name!r}, which {owner} lacks; known: {listed(known)}."
            _holding(part, text).fail(message, close_to=name, among=known)
    for name in getattr(read, "named_collections", ()):
        if collections is not None and name not in collections:
            message = f"the invariant {rule!r} names the collection {name!r}, which this world lacks; known: {listed(collections)}."
            _holding(part, name).fail(message, close_to=name, among=collections)


def _matching(name: str, tools: Iterable[str]) -> tuple[str, ...]:
    return tuple(tool for tool in tools if tool == name or ("*" in name and fnmatchcase(tool, name)))


def _holding(part: Part, text: str) -> Part:
    """Return the part where a text stands, as a key or as a value; where it is but a part of one, the whole."""
    pending = [part]
    while pending:
        each = pending.pop()
        if each.value == text or (each is not part and each.path[-1] == text):
            return each
        if isinstance(each.value, dict | list):
            pending += [each[key] for key in (each.value if isinstance(each.value, dict) else range(len(each.value)))]
    return part
