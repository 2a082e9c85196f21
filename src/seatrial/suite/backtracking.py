"""Regular expressions that take for ever: a group that repeats what repeats itself, as in `(a+)+`.

Such an expression tries every way of cutting a text into pieces, 2^n of them, before it says no; and the texts come from agents.
Python's own parser gives the structure. Overlapping alternatives, `(a|aa)+`, are not found here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Node = tuple[Any, Any]
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT)
_NO_WIDTH = (codes.AT, codes.ASSERT, codes.ASSERT_NOT)
_FEW = 10
"""Repetitions up to which a group is no danger."""


def explodes(source: str) -> bool:
    """Tell whether a regular expression that compiles may need time exponential in the length of a text.

    Args:
        source: The regular expression.
    """
    return any(_may_explode(node) for node in _nodes(parser.parse(source)))


def _may_explode(node: Node) -> bool:
    operation, argument = node
    return operation in _REPEATS and argument[1] > _FEW and _may_be_cut(argument[2])


def _nodes(sequence: Sequence[Node]) -> Iterator[Node]:
    for node in sequence:
        yield node
        for body in _bodies(node):
            yield from _nodes(body)


def _bodies(node: Node) -> tuple[Sequence[Node], ...]:
    operation, argument = node
    if operation is codes.BRANCH:
        return tuple(argument[1])
    if operation is codes.GROUPREF_EXISTS:
        return tuple(body for body in argument[1:] if body is not None)
    if operation in (*_REPEATS, codes.POSSESSIVE_REPEAT, codes.SUBPATTERN):
        return (argument[-1],)
    if operation in (codes.ASSERT, codes.ASSERT_NOT):
        return (argument[1],)
    return (argument,) if operation is codes.ATOMIC_GROUP else ()


def _may_be_cut(sequence: Sequence[Node]) -> bool:
    """Tell whether what a sequence matches may also be matched by it twice over: nothing in it marks where it begins or ends."""
    needed = [node for node in sequence if not _may_be_empty(node)]
    if len(needed) > 1:
        return False
    return any(_repeats(node) for node in needed or sequence)


def _repeats(node: Node) -> bool:
    operation, argument = node
    if operation in _REPEATS and argument[0] != argument[1] and argument[1] > 1:
        return True
    return operation in (*_REPEATS, codes.SUBPATTERN, codes.BRANCH) and any(map(_may_be_cut, _bodies(node)))


def _may_be_empty(node: Node) -> bool:
    operation, argument = node
    if operation in _NO_WIDTH:
        return True
    if operation in (*_REPEATS, codes.POSSESSIVE_REPEAT) and argument[0] == 0:
        return True
    bodies = _bodies(node)
    return bool(bodies) and any(all(map(_may_be_empty, body)) for body in bodies)
