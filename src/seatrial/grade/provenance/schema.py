"""What a tool's specification says of its arguments: which need no source, which values are enumerated, which text is a source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import msgspec

from seatrial.records.contract import ToolSpec

MAX_DEPTH = 64
_TEXT_KEYS = ("description", "title", "const", "default")
_LIST_KEYS = ("enum", "examples")


@dataclass(frozen=True, slots=True)
class ToolArguments:
    """What is known of one tool's arguments.

    Args:
        schema: Its JSON Schema, decoded.
        defaults: Argument → default value.
        free: Arguments that need no source.
        normalisers: Argument → declared normaliser.
        enums: Argument → its enumerated values, for arguments that have some.
        special: Arguments that some values of need no source.
    """

    schema: Mapping[str, object]
    defaults: Mapping[str, object]
    free: frozenset[str]
    normalisers: Mapping[str, str]
    enums: Mapping[str, tuple[object, ...]]
    special: frozenset[str]

    @property
    def names(self) -> frozenset[str] | None:
        """The names of its arguments; `None`: they are not known."""
        properties = self.schema.get("properties")
        return frozenset(properties) if isinstance(properties, dict) else None

    def is_enumerated(self, argument: str, path: Sequence[str | int], value: object) -> bool:
        """Tell whether a value is one of those that the schema enumerates at its place."""
        values = self.enums.get(argument, ()) if not path else tuple(self._enumerated(argument, path))
        return any(type(value) is type(one) and value == one for one in values)

    def _enumerated(self, argument: str, path: Sequence[str | int]) -> Iterator[object]:
        places = list(_properties(self.schema, self.schema, argument))
        for part in path:
            places = [
                deeper
                for place in places
                for deeper in (_items(self.schema, place) if isinstance(part, int) else _properties(self.schema, place, part))
            ]
        for place in places:
            yield from _values(self.schema, place)


def tool_arguments(tool: ToolSpec) -> ToolArguments:
    """Return what a tool's specification says of its arguments."""
    return _arguments(bytes(tool.parameters), bytes(tool.defaults), tool.free, tuple(tool.normalisers.items()))


@lru_cache(maxsize=256)  # Every task of a suite has the same tools.
def _arguments(parameters: bytes, default: bytes, free: tuple[str, ...], normalisers: tuple[tuple[str, str], ...]) -> ToolArguments:
    schema = _object(parameters)
    properties = schema.get("properties")
    names = properties if isinstance(properties, dict) else {}
    enums = {name: tuple(value for place in _properties(schema, schema, name) for value in _values(schema, place)) for name in names}
    listed = {name: values for name, values in enums.items() if values}
    defaults = _object(default)
    special = frozenset((*free, *listed, *defaults))
    return ToolArguments(schema, defaults, frozenset(free), dict(normalisers), listed, special)


UNKNOWN = ToolArguments({}, {}, frozenset(), {}, {}, frozenset())
"""What is known of a tool without a specification."""


def schema_text(tools: Iterable[ToolSpec]) -> str:
    """Return the text of tool specifications that an agent reads: descriptions, enumerated values, defaults, examples."""
    return "\n".join(line for tool in tools for line in (tool.description, *_texts(_object(tool.parameters), 0)) if line)


def _object(raw: msgspec.Raw | bytes) -> dict[str, object]:
    try:
        decoded = msgspec.json.decode(raw)
    except msgspec.DecodeError:
        return {}
    return decoded if isinstance(decoded, dict) else {}


def _texts(node: object, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH:
        return
    if isinstance(node, list):
        for item in node:
            yield from _texts(item, depth + 1)
    if isinstance(node, dict):
        for key, value in node.items():
            if key in _TEXT_KEYS and isinstance(value, str | int | float):
                yield str(value)
            elif key in _LIST_KEYS and isinstance(value, list):
                yield from (str(item) for item in value)
            else:
                yield from _texts(value, depth + 1)


@dataclass(slots=True)
class _Walk:
    """The schemas reached from one place through references and alternatives, each once."""

    root: Mapping[str, object]
    seen: set[int] = field(default_factory=set)

    def all(self, node: object) -> Iterator[Mapping[str, object]]:
        if not isinstance(node, dict) or id(node) in self.seen:
            return
        self.seen.add(id(node))
        yield node
        yield from self.all(_referenced(self.root, node.get("$ref")))
        for key in ("anyOf", "oneOf", "allOf"):
            branches = node.get(key)
            for branch in branches if isinstance(branches, list) else ():
                yield from self.all(branch)


def _referenced(root: Mapping[str, object], reference: object) -> object:
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return None
    node: object = root
    for part in reference[2:].split("/"):
        node = node.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(node, dict) else None
    return node


def _properties(root: Mapping[str, object], node: object, name: str) -> Iterator[object]:
    for place in _Walk(root).all(node):
        properties = place.get("properties")
        if isinstance(properties, dict) and name in properties:
            yield properties[name]
        elif isinstance(place.get("additionalProperties"), dict):
            yield place["additionalProperties"]


def _items(root: Mapping[str, object], node: object) -> Iterator[object]:
    for place in _Walk(root).all(node):
        if isinstance(place.get("items"), dict):
            yield place["items"]


def _values(root: Mapping[str, object], node: object) -> Iterator[object]:
    for place in _Walk(root).all(node):
        listed = place.get("enum")
        yield from listed if isinstance(listed, list) else ()
        if "const" in place:
            yield place["const"]
