"""The subject: a right way through a task, as it was played, which mutants spoil."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from seatrial.agents import PathStep, reference_path
from seatrial.prove.path import Path, arguments_of, as_played, members
from seatrial.records.contract import Alternative, Process, Required, ToolSpec
from seatrial.records.task import Task
from seatrial.records.trace import Effect, ToolCall, Trace
from seatrial.world.matching import matches


class PlacedCall(NamedTuple):
    """One call of a path and where it stands."""

    label: str
    """Id of the required call that it meets, else its own id or its tool; `#2` for the second of that name."""
    at: int
    """Index of its step in the path."""
    position: int
    """Position within the step's message."""
    step: PathStep
    """The call."""
    effect: Effect
    """What its tool does."""
    required: Required | None
    """The required call that it meets; `None`: none."""
    made: ToolCall | None
    """The call as it was made; `None`: it was not reached."""

    @property
    def arguments(self) -> dict[str, object]:
        """Its arguments."""
        return arguments_of(self.step)

    @property
    def closing(self) -> str:
        """The line of a contract that requires it as it is."""
        return f"required: [{{id: {self.label}, call: {self.step.call}, with: {bytes(self.step.with_).decode()}}}]"

    @property
    def dispensable(self) -> str:
        """Why the contract lets it be missing, in words; empty: it does not."""
        return f"{self.label} is optional" if self.required is not None and self.required.optional else ""


@dataclass(frozen=True)
class Subject:
    """A right way through a task.

    Args:
        task: The task as it was played.
        way: The way to be right.
        path: Its steps, with the arguments that were proposed.
        trace: What came of playing it.
        tools: Name → tool, all of the world's.
        keys: Collection → keys of its records, in the fixture and laid over it.
    """

    task: Task
    way: Alternative
    path: Path
    trace: Trace
    tools: Mapping[str, ToolSpec]
    keys: Mapping[str, tuple[str, ...]]

    @property
    def process(self) -> Process:
        """The way's process; an empty one when it is not judged."""
        return self.way.process or Process()

    @cached_property
    def calls(self) -> tuple[PlacedCall, ...]:
        """Every call of the path in order."""
        made, seen, found = iter(_first_tries(self.trace)), dict[str, int](), list[PlacedCall]()
        for at, step in enumerate(self.path):
            for position, call in enumerate(members(step)):
                required = self.requirement(call)
                label = required.id if required else call.id or call.call
                seen[label] = seen.get(label, 0) + 1
                name = label if seen[label] == 1 else f"{label}#{seen[label]}"
                found.append(PlacedCall(name, at, position, call, self.effect(call.call), required, next(made, None)))
        return tuple(found)

    @property
    def writes(self) -> tuple[PlacedCall, ...]:
        """The calls that change something."""
        return tuple(call for call in self.calls if call.effect != "read")

    @property
    def offered(self) -> tuple[ToolSpec, ...]:
        """The tools that the task permits."""
        return tuple(tool for name, tool in self.tools.items() if self.task.tools is None or name in self.task.tools)

    def effect(self, tool: str) -> Effect:
        """Return what a tool does; `read` for one that is not there."""
        spec = self.tools.get(self.name(tool))
        return spec.effect if spec else "read"

    def name(self, called: str) -> str:
        """Return the name of a tool without prefix and alias."""
        bare = called.removeprefix(self.process.tool_prefix)
        return self.process.aliases.get(bare, bare)

    def requirement(self, call: PathStep) -> Required | None:
        """Return the required call that a call meets, as far as its arguments tell."""
        arguments = arguments_of(call)
        fitting = (each for each in self.process.required if self.name(call.call) in each.call or call.call in each.call)
        return next((each for each in fitting if each.with_ is UNSET or matches(_loose(msgspec.json.decode(each.with_)), arguments)), None)


def subject_of(
    task: Task, way: Alternative, trace: Trace, *, tools: Mapping[str, ToolSpec], keys: Mapping[str, tuple[str, ...]]
) -> Subject:
    """Return the subject that a played reference path makes.

    Args:
        task: The task as it was played.
        way: The way to be right whose path it is.
        trace: What came of playing it.
        tools: Name → tool.
        keys: Collection → keys of its records.
    """
    return Subject(task, way, as_played(reference_path(way), trace), trace, tools, keys)


def _first_tries(trace: Trace) -> Iterator[ToolCall]:
    return (call for call in trace.calls if call.retry_of is None)


def _loose(value: object) -> object:
    """Return expected arguments in which a value from another call may be anything."""
    if isinstance(value, dict):
        return {"$any": True} if "$from" in value else {key: _loose(item) for key, item in value.items()}
    return [_loose(item) for item in value] if isinstance(value, list) else value
