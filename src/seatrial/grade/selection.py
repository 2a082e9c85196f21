"""Which tools, arguments and records a rule means: names and paths as its arguments write them, values in their normal form.

Names of tools may be globs: `change_*`. An argument is written `claim_id` (of every tool), `route.claim_id` (of one tool, or of those that
a glob matches), `add.items[*].id` (a place within it); `*.payment.id` is a place within an argument of every tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from itertools import islice, product
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from seatrial.grade.lazy import lazy
from seatrial.grade.normalisers import Function, resolve
from seatrial.grade.paths import ANY_ELEMENT, Token, parse_path, parsed, values_at
from seatrial.grade.view import CallView
from seatrial.records.contract import ToolSpec

Names = str | tuple[str, ...]
"""The name of a tool, or several."""
Tools = Mapping[str, ToolSpec]
Key = tuple[object, ...]
"""What tells one record from another: hashable, equal for two spellings of one key."""
MAX_NAME = 200
"""Characters of a called name beyond which it fits no name: no tool is called so."""
_MAX_KEYS = 1_000
"""Records that one call may be about; further ones are not looked at."""


def names_in(names: Names | None) -> tuple[str, ...]:
    """Return names as a tuple, whichever way they were written."""
    return () if names is None else (names,) if isinstance(names, str) else names


def is_named(tool: str, names: Names) -> bool:
    """Tell whether a tool is one of those that are named, globs among them."""
    return len(tool) <= MAX_NAME and _fits(tool, names)


@lru_cache(maxsize=4096)
def _fits(tool: str, names: Names) -> bool:
    return tool in (among := names_in(names)) or any("*" in name and fnmatchcase(tool, name) for name in among)


def refuse_empty(name: str, value: object) -> None:
    """Refuse an argument that names nothing; raises `ValueError`."""
    if not value or (isinstance(value, tuple) and not all(value)):
        raise ValueError(f"`{name}` is empty: a rule that nothing can break")


class Selector(NamedTuple):
    """Which argument is meant."""

    tools: str
    """Name of the tool, or a glob; empty: every tool."""
    argument: str
    """Name of the argument."""
    path: tuple[Token, ...]
    """The place within the arguments, the argument's name first."""


@lru_cache(maxsize=1024)
def selector(text: str) -> Selector:
    """Return the argument that a text means.

    Args:
        text: For example `claim_id`, `route.claim_id`, `add.items[*].id` or `*.payment.id`.

    Raises:
        ValueError: It is not written like that.
    """
    first, dot, rest = text.partition(".")
    scoped = bool(dot) and "[" not in first
    path = parse_path(rest if scoped else text)
    if not path or not isinstance(path[0], str) or path[0] == ANY_ELEMENT:
        raise ValueError(f"{text!r} names no argument; write it like claim_id, tool.claim_id or tool.items[*].id")
    return Selector(first if scoped and first != "*" else "", path[0], path)


def tools_in(selectors: Iterable[str]) -> tuple[str, ...]:
    """Return the names of tools that selectors hold."""
    return tuple(found for text in selectors if (found := selector(text).tools))


def arguments_in(selectors: Iterable[str]) -> tuple[tuple[str, str, str], ...]:
    """Return selectors with the tools they mean – empty: every tool – and the names of their arguments."""
    return tuple((text, selector(text).tools, selector(text).argument) for text in selectors)


def values_in(text: str, tool: str, seen: CallView) -> list[object]:
    """Return the values of an argument in a call: members of lists one by one, null left out.

    Args:
        text: Which argument, see `selector`.
        tool: Name of the called tool.
        seen: The call.
    """
    tools, argument, path = selector(text)
    given = seen.arguments
    if not isinstance(given, dict) or argument not in given or (tools and not is_named(tool, tools)):
        return []
    if len(path) == 1 and type(given[argument]) is str:
        return [given[argument]]
    return leaves([given[argument]] if len(path) == 1 else values_at(given, path))


def leaves(values: Iterable[object]) -> list[object]:
    """Return values with lists taken apart and null left out."""
    found: list[object] = []
    pending = list(values)[::-1]
    while pending:
        value = pending.pop()
        if isinstance(value, list):
            pending.extend(reversed(value))
        elif value is not None:
            found.append(value)
    return found


def key_form(value: object) -> object:
    """Return the hashable form by which keys of records compare: that of an identifier, whatever its spelling."""
    return _identifier()(value)


@cache
def _identifier() -> Function:
    return resolve("identifier").form


def argument_form(text: str, value: object, tool: str, seen: CallView, tools: Tools) -> object:
    """Return the form by which a value of an argument compares with the keys of records: its tool's normaliser, then an identifier's.

    Args:
        text: Which argument, see `selector`.
        value: The value.
        tool: Name of the called tool.
        seen: The call.
        tools: What is known of the tools.
    """
    argument, spec = selector(text).argument, tools.get(tool)
    named = spec.normalisers.get(argument) if spec is not None else None
    if named is None or named == "identifier" or not isinstance(value, str | int | float):
        return key_form(value)
    recorded = _recorded(seen).get(argument)
    return key_form(recorded if recorded is not None and not isinstance(recorded, list | dict) else resolve(named).form(value))


def _recorded(seen: CallView) -> Mapping[str, object]:
    if seen.call.normalised is UNSET:
        return {}
    try:
        return msgspec.json.decode(seen.call.normalised, type=dict[str, object])
    except (msgspec.MsgspecError, RecursionError):
        return {}


class Same(msgspec.Struct, frozen=True, dict=True):
    """What ties two calls to one record: an argument of one to a place in the other, which was a look at it."""

    pairs: tuple[tuple[str, str], ...]
    """Argument of the call that depends, see `selector`; path into the answer that it depends on, or else into that call's arguments."""

    @lazy
    def plain(self) -> tuple[str, str] | None:
        """Names of the argument and of the field in the answer, where one argument of any tool is tied to a field; `None`: it is not so."""
        if len(self.pairs) != 1:
            return None
        (tools, argument, place), path = selector(self.pairs[0][0]), parsed(self.pairs[0][1])
        alone = not tools and len(place) == 1 and len(path) == 1 and isinstance(path[0], str) and path[0] != ANY_ELEMENT
        return (argument, self.pairs[0][1]) if alone else None

    def quick_key(self, tool: str, seen: CallView, tools: Tools) -> object:
        """Return the one key of the record that a dependent call is plainly about; `None`: that takes `keys_of`.

        Args:
            tool: Name of the called tool.
            seen: The call.
            tools: What is known of the tools.
        """
        given, spec = seen.arguments, tools.get(tool)
        if self.plain is None or type(given) is not dict:
            return None
        named = None if spec is None else spec.normalisers.get(self.plain[0])
        value = given.get(self.plain[0])
        return _identifier()(value) if type(value) is str and (named is None or named == "identifier") else None

    def quick_key_behind(self, seen: CallView) -> object:
        """Return the one key of the record that a look was plainly about; `None`: that takes `keys_behind`."""
        shown = seen.observation
        if self.plain is None or type(shown) is not dict:
            return None
        value = shown.get(self.plain[1])
        return _identifier()(value) if type(value) is str else None

    def keys_of(self, tool: str, seen: CallView, tools: Tools) -> list[Key]:
        """Return the records that a dependent call is about; none: it does not say.

        Args:
            tool: Name of the called tool.
            seen: The call.
            tools: What is known of the tools.
        """
        columns = [[argument_form(text, value, tool, seen, tools) for value in values_in(text, tool, seen)] for text, _ in self.pairs]
        return _keys(columns)

    def keys_behind(self, seen: CallView, row: object = None, prefix: tuple[Token, ...] = ()) -> list[Key]:
        """Return the records that a look was about; none: it does not say.

        Args:
            seen: The look.
            row: One member of a list in its answer.
            prefix: Where that list stands in the answer, with its `[*]`.
        """
        return _keys([list(map(key_form, places_in(seen, path, row, prefix))) for _, path in self.pairs])


def _keys(columns: Sequence[Sequence[object]]) -> list[Key]:
    if len(columns) == 1 and len(columns[0]) == 1:
        return [(columns[0][0],)]
    return list(islice(product(*columns), _MAX_KEYS))


def refuse_unreadable(same: Mapping[str, str]) -> None:
    """Refuse a relation between two calls that is not written as one; raises `ValueError`."""
    for argument, path in same.items():
        selector(argument)
        if not parse_path(path):
            raise ValueError(f"`same` ties {argument!r} to nothing; write the path of the same key in the answer")


@lru_cache(maxsize=256)
def same_record(pairs: tuple[tuple[str, str], ...]) -> Same:
    """Return what ties two calls to one record, from pairs of an argument and a path."""
    return Same(pairs)


def places_in(seen: CallView, path: str, row: object = None, prefix: tuple[Token, ...] = ()) -> list[object]:
    """Return the values that a path reaches in an answer, or else in the arguments of the call that was answered.

    Args:
        seen: The call.
        path: The path.
        row: One member of a list in the answer; a path that starts with `prefix` is read in it alone.
        prefix: Where that list stands in the answer, with its `[*]`.
    """
    tokens = parsed(path)
    if prefix and tokens[: len(prefix)] == prefix:
        return leaves(values_at(row, tokens[len(prefix) :]))
    return leaves(values_at(seen.observation, tokens)) or leaves(values_at(seen.arguments, tokens))


def rows_in(seen: CallView, path: str) -> list[tuple[object, list[object], tuple[Token, ...]]]:
    """Return what a path reaches in an answer, member by member of the innermost list.

    Args:
        seen: The call that was answered.
        path: For example `flags[*].status`.

    Returns:
        Each member, the values that the path reaches in it, and the path to the list; a path without `[*]` has one member: the answer.
    """
    tokens = parsed(path)
    last = max((place for place, token in enumerate(tokens, 1) if token == ANY_ELEMENT), default=0)
    prefix, rest = tokens[:last], tokens[last:]
    return [(row, values_at(row, rest), prefix) for row in values_at(seen.observation, prefix)]
