"""What a world offers to a suite, so that names in tasks can be checked without the world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import msgspec

from seatrial.records.contract import ToolSpec


@dataclass(frozen=True)
class SuiteDefinition:
    """What the world of a suite offers, so that names in tasks can be checked without the world.

    Args:
        tools: Every tool.
        normalisers: Names of the world's own normalisers; the built-in ones are always known.
        invariants: Names of the world's own invariants; the built-in ones are always known.
        probes: Names of the probes.
        collections: Names of the collections of the state; `None`: not known, so any name is accepted.
        hash: Hash of the world's code and schema.
        keys: Collection to the fields of its key; a collection that is absent has a key that is not known.
    """

    tools: tuple[ToolSpec, ...] = ()
    normalisers: frozenset[str] = frozenset()
    invariants: frozenset[str] = frozenset()
    probes: frozenset[str] = frozenset()
    collections: frozenset[str] | None = None
    hash: str = ""
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def tools_by_name(self) -> Mapping[str, ToolSpec]:
        """The tools by name."""
        return {tool.name: tool for tool in self.tools}

    @cached_property
    def arguments(self) -> Mapping[str, frozenset[str] | None]:
        """Tool to the names of its arguments; `None`: its schema does not tell, or admits others."""
        return {tool.name: arguments_of(tool) for tool in self.tools}


def arguments_of(tool: ToolSpec) -> frozenset[str] | None:
    """Return the names of a tool's arguments, or `None` when its schema does not tell or admits others."""
    schema = msgspec.json.decode(tool.parameters)
    if not isinstance(schema, dict) or "properties" not in schema or schema.get("additionalProperties") is True:
        return None
    return frozenset(schema["properties"])
