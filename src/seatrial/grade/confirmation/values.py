"""What a call carries: its values one by one, each with the kind that says how it is compared with what was shown."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import date
from functools import lru_cache

from msgspec import Struct

from seatrial.grade.confirmation.lexicon import Words
from seatrial.grade.confirmation.notice import compact, shape
from seatrial.grade.tokens import day_of, number, number_of
from seatrial.grade.view import read_json

_PART = re.compile(r"[^\W_]+")
_MAX_LEAVES = 1_000
"""Values of one call beyond which the rest is not compared, and the call therefore not confirmed."""
_MAX_WORDS = 40
_SHORT = 100
"""Characters of texts that are remembered: they repeat over the trials of a task."""
_FLAGS = frozenset({"yes", "no", "true", "false", "y", "n", "none", ""})


class Leaf(Struct, frozen=True, gc=False):
    """One value of a call."""

    path: tuple[str | int, ...]
    """Where it stands in the arguments."""
    kind: str
    """`code`, `day`, `money`, `words`, or `count`."""
    value: str
    """As written."""
    form: str = ""
    """Code: compact; money: exact decimal text."""
    parts: tuple[str, ...] = ()
    """Its words in lower case."""
    day: date | None = None

    @property
    def key(self) -> str:
        """The innermost name on its path."""
        if self.path and isinstance(last := self.path[-1], str):
            return last
        return next((step for step in reversed(self.path) if isinstance(step, str)), "")

    @property
    def shape(self) -> str:
        """What identifiers of its kind share."""
        return shape(self.value)

    @property
    def group(self) -> tuple[str, ...]:
        """Its path without positions in lists: amounts of one group are added up."""
        return tuple([step for step in self.path if isinstance(step, str)])

    @property
    def title(self) -> str:
        """Its path in words."""
        return ".".join(map(str, self.path))


def leaves(arguments: object, wanted: Collection[str] | None, free: Collection[str], words: Words) -> tuple[Leaf, ...] | None:
    """Return the values of a call that must have been shown.

    Args:
        arguments: The arguments.
        wanted: Names of the arguments whose values count, all kinds of them; `None`: all that are identifiers, days, money or words.
        free: Names of arguments that need not be shown.
        words: The lexicon.

    Returns:
        The values; `None` when there are too many to compare.
    """
    found: list[Leaf] = []
    for path, value in _walk(arguments, ()):
        if wanted is not None and path[0] not in wanted:
            continue
        if any(step in free for step in path) or (wanted is None and any(step in words.free for step in path)):
            continue
        leaf = _leaf(path, value, words)
        if leaf is not None and (leaf.kind != "count" or wanted is not None):
            found.append(leaf)
        if len(found) > _MAX_LEAVES:
            return None
    return tuple(found)


def _walk(value: object, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], object]]:
    pending: list[tuple[tuple[str | int, ...], object]] = [(path, value)]
    while pending:
        path, value = pending.pop()
        if isinstance(value, dict):
            pending.extend(((*path, key), child) for key, child in reversed(value.items()))
        elif isinstance(value, list):
            pending.extend([((*path, index), child) for index, child in enumerate(value)][::-1])
        elif path:
            yield path, value


def _leaf(path: tuple[str | int, ...], value: object, words: Words) -> Leaf | None:
    if isinstance(value, bool) or value is None:
        return None
    key = next((step for step in reversed(path) if isinstance(step, str)), "")
    money = bool(parts := _PART.findall(key.lower().replace("_", " "))) and parts[-1] in words.money
    if isinstance(value, int | float):
        written = number_of(value)
        return None if written is None else Leaf(path, "money" if money else "count", str(value), written)
    if not isinstance(value, str):
        return None
    return (_short_leaf if len(value) <= _SHORT else _text_leaf)(path, value, money=money)


def _text_leaf(path: tuple[str | int, ...], value: str, *, money: bool) -> Leaf | None:
    if money and (written := number(value.strip().lower().lstrip("$\u20ac\u00a3"))) is not None:
        return Leaf(path, "money", value, written)
    day = day_of(value)
    if day is not None:
        return Leaf(path, "day", value, day=day)
    parts = tuple(_PART.findall(value.lower()))
    if not parts or value.lower() in _FLAGS:
        return None
    if any(character.isdigit() for character in value) and " " not in value.strip() and "@" not in value:
        return Leaf(path, "code", value, compact(value), parts)
    if len(compact(value)) >= 8 and sum(character.isdigit() for character in value) >= len(compact(value)) // 2:
        return Leaf(path, "code", value, compact(value), parts)
    return Leaf(path, "words", value, compact(value), parts[: _MAX_WORDS + 1])


_short_leaf = lru_cache(maxsize=4096)(_text_leaf)


@lru_cache(maxsize=512)
def choices_of(schema: bytes) -> Mapping[str, frozenset[str]]:
    """Return the values that a JSON Schema of arguments allows, by the name of the argument; names without a closed list are left out.

    Args:
        schema: JSON Schema of the arguments of a tool.
    """
    found: dict[str, frozenset[str]] = {}
    pending: list[object] = [read_json(schema)]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending.extend(value.values())
            properties = value.get("properties")
            for name, child in properties.items() if isinstance(properties, dict) else ():
                if isinstance(child, dict) and isinstance(child.get("enum"), list):
                    found[name] = frozenset([choice for choice in child["enum"] if isinstance(choice, str)])
        elif isinstance(value, list):
            pending.extend(value)
    return found
