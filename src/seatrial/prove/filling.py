"""Calls that nobody asked for, with arguments that their tool takes."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import UNSET, Raw

from seatrial.agents import PathStep, filled_arguments, named_values
from seatrial.prove.path import arguments_of
from seatrial.prove.subject import Subject
from seatrial.prove.values import one_more, other_choice, other_key, schema_of
from seatrial.records.contract import ToolSpec


def filled_call(subject: Subject, tool: ToolSpec, *, elsewhere: bool = False) -> PathStep:
    """Return a call of a tool with values from the path where they are named there.

    Args:
        subject: The way.
        tool: The tool.
        elsewhere: Whether a call that the path makes of this tool is made on another record, so that it is no repeat.
    """
    own = next((call for call in subject.calls if subject.name(call.step.call) == tool.name), None)
    arguments = own.arguments if own is not None else filled_arguments(tool.parameters, dict(_named(subject)))
    if own is not None and elsewhere:
        arguments = _elsewhere(subject, tool, arguments)
    return PathStep(call=subject.process.tool_prefix + tool.name, with_=Raw(msgspec.json.encode(arguments)))


def _elsewhere(subject: Subject, tool: ToolSpec, arguments: dict[str, object]) -> dict[str, object]:
    """Return arguments of which the first that can be is changed."""
    for name, value in arguments.items():
        schema = schema_of(tool, (name,))
        for new in (other_key(value, subject.keys), one_more(value), other_choice(value, schema)):
            if new is not None:
                return {**arguments, name: new}
    return arguments


def _named(subject: Subject) -> Iterator[tuple[str, object]]:
    """Yield the name and the value of what the path knows, the last one counts."""
    for call in subject.calls:
        if call.made is not None and call.made.observation is not UNSET:
            yield from named_values(msgspec.json.decode(call.made.observation))
    for call in subject.calls:
        yield from arguments_of(call.step).items()
