"""What a suite stands on: the world's offer (`SuiteDefinition`) and the place of a value in a file (`Place`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import msgspec

from seatrial.records.contract import ToolSpec

Path = tuple[str | int, ...]
"""Keys and list positions from the root of a document down to a value."""


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


@dataclass(frozen=True)
class Place:
    """Where a value stands: a file and a line, with the lines of all that lies below it.

    Args:
        file: The file; `None`: the value came from Python.
        line: The line (from 1); `None`: not known.
        lines: Path of a value from the root of its document to its line; empty: only `line` is known.
        label: What the value belongs to, in words, for example `task 'water-017'`.
        skipped: How many leading elements of a path name only the position in the file and are left out of messages.
    """

    file: str | None = None
    line: int | None = None
    lines: Mapping[Path, int] = field(default_factory=dict, repr=False, compare=False)
    label: str = ""
    skipped: int = 0

    def line_of(self, path: Path) -> int | None:
        """Return the line of a value, or of the nearest value above it whose line is known."""
        for length in range(len(path), -1, -1):
            if (line := self.lines.get(path[:length])) is not None:
                return line
        return self.line

    def at(self, path: Path) -> Place:
        """Return the place of a value below this one."""
        return replace(self, line=self.line_of(path))

    def __str__(self) -> str:
        """Return `file:line`, as far as known."""
        if self.file is None:
            return self.label or "Python"
        return f"{self.file}:{self.line}" if self.line is not None else self.file
