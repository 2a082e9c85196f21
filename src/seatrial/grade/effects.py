"""Effects of calls that an importer took over: where it did not know that a tool writes, what the world declares counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import structs

from seatrial.grade.naming import tool_name
from seatrial.records.contract import Process, ToolSpec
from seatrial.records.trace import Step, ToolCall, Trace


def with_effects(trace: Trace, tools: Mapping[str, ToolSpec], naming: Process) -> Trace:
    """Return a trace in which a call of a tool that is declared to change something is no read.

    Args:
        trace: The trace. One that the harness recorded is returned as it is: it knows its tools.
        tools: Tool name → what is known of it.
        naming: The process that names prefix and aliases of called tools.
    """
    if trace.witnessed:
        return trace
    changing = {name: spec for name, spec in tools.items() if spec.effect != "read"}
    if not changing:
        return trace
    attempts = tuple([structs.replace(attempt, steps=_steps(attempt.steps, changing, naming)) for attempt in trace.attempts])
    return structs.replace(trace, steps=_steps(trace.steps, changing, naming), attempts=attempts)


def _steps(steps: Sequence[Step], changing: Mapping[str, ToolSpec], naming: Process) -> tuple[Step, ...]:
    return tuple([_declared(step, changing, naming) if isinstance(step, ToolCall) and step.effect == "read" else step for step in steps])


def _declared(call: ToolCall, changing: Mapping[str, ToolSpec], naming: Process) -> ToolCall:
    spec = changing.get(tool_name(call.tool, naming.tool_prefix, naming.aliases))
    return call if spec is None else structs.replace(call, effect=spec.effect)
