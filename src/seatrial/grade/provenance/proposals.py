"""What calls propose, value by value, with all that can be told of a value before any trace is looked at.

Calls repeat over the trials of a task, so what was taken apart is remembered with the task.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from seatrial.grade.naming import tool_name
from seatrial.grade.provenance.schema import UNKNOWN, ToolArguments
from seatrial.grade.tokens import END_BYTES, is_whole_bytes
from seatrial.grade.view import CallView

SMALL = 10
"""Integers below this need no source: they are in every text by accident."""
MAX_REMEMBERED, MAX_TEXT = 1024, 2048
"""How many proposals are remembered, and the bytes of the longest."""
Path = tuple[str | int, ...]


class Proposed(Struct, frozen=True, gc=False):
    """One value of a call: a scalar."""

    argument: str
    """The argument that holds it."""
    path: Path
    """Where it stands below the argument; empty: it is the argument."""
    value: object
    literal: bytes = b""
    """Its letters in lower case, where a text that holds them is enough of a source; empty: it takes a closer look."""
    opened: bool = False
    """Whether it stands in what the user says first."""
    free: str = ""
    """`tool.argument` where that is declared free; empty: it is not, or the value is a part of it."""


class Opening:
    """What the user says first in every trial of a task.

    Args:
        text: The text.
    """

    def __init__(self, text: str) -> None:
        self.said = text.encode("utf-8", "replace")
        self._data = self.said.lower() + b"\n"

    def holds(self, literal: bytes, *, signed: bool) -> bool:
        """Tell whether a value stands in it, letter by letter and whole."""
        return place_of_literal(self._data, literal, 0, len(self._data), signed=signed) >= 0


class Proposals:
    """Takes calls apart, each text of arguments once.

    Args:
        tools: Tool → what is known of its arguments.
        prefix: Prefix that is dropped from the names of called tools.
        aliases: Other name → tool name.
        opening: What the user says first.
    """

    def __init__(self, tools: Mapping[str, ToolArguments], prefix: str, aliases: Mapping[str, str], opening: Opening) -> None:
        self.tools, self.prefix, self.aliases, self.opening = tools, prefix, aliases, opening
        self._known: dict[tuple[str, bytes], tuple[Proposed, ...] | None] = {}

    def rules(self, called: str) -> ToolArguments:
        """Return what is known of the arguments of a tool, by whatever name it was called."""
        return self.tools.get(called) or self.tools.get(tool_name(called, self.prefix, self.aliases), UNKNOWN)

    def of(self, seen: CallView) -> tuple[Proposed, ...] | None:
        """Return the values that a call proposes, in their order; `None`: what it proposes is no object, nor null."""
        text = bytes(seen.call.proposed)
        key = seen.call.tool, text
        found = self._known.get(key, _NEW)
        if found is _NEW:
            found = self._taken_apart(seen)
            if len(text) <= MAX_TEXT:
                if len(self._known) >= MAX_REMEMBERED:
                    self._known.clear()
                self._known[key] = found
        return found

    def _taken_apart(self, seen: CallView) -> tuple[Proposed, ...] | None:
        proposed, called = seen.proposed, seen.call.tool
        if not isinstance(proposed, dict):
            return () if proposed is None else None
        rules, found = self.rules(called), list[Proposed]()
        for argument, value in proposed.items():
            if isinstance(value, dict | list):
                found += [Proposed(argument, path, leaf) for leaf, path in leaves(value)]
            elif argument in rules.free:
                found.append(Proposed(argument, (), value, free=f"{tool_name(called, self.prefix, self.aliases)}.{argument}"))
            else:
                literal = b"" if argument in rules.special else _literal(value)
                opened = bool(literal) and self.opening.holds(literal, signed=type(value) is int)
                found.append(Proposed(argument, (), value, literal, opened))
        return tuple(found)


_NEW: tuple[Proposed, ...] = (Proposed("", (), None),)


def _literal(value: object) -> bytes:
    if type(value) is str:
        return value.strip().encode().lower()
    return b"%d" % value if type(value) is int and value >= SMALL else b""


def place_of_literal(data: bytes, literal: bytes, start: int, end: int, *, signed: bool) -> int:
    """Return where a literal stands whole between two positions of a text in lower case, or -1; it errs towards -1.

    Args:
        data: The text, with something behind `end`.
        literal: What is looked for; not empty.
        start: First position to look at.
        end: Position that the literal must end at or before.
        signed: Whether a minus sign before it makes another value.
    """
    at, length = data.find(literal, start, end), len(literal)
    while at >= 0:
        stop = at + length
        if (at and data[at - 1] in END_BYTES and data[stop] in END_BYTES) or is_whole_bytes(data, at, stop, signed=signed):
            break
        at = data.find(literal, at + 1, end)
    return at


def leaves(node: object, path: Path = ()) -> Iterator[tuple[object, Path]]:
    """Yield the scalars of a JSON value, each with its path, in their order."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from leaves(value, (*path, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from leaves(value, (*path, index))
    else:
        yield node, path
