"""Which calls are identical: one tool, and equal arguments after its normalisers, with defaults filled in on both sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from seatrial.grade.equality import canonical_form
from seatrial.grade.normalisers import Function
from seatrial.grade.process.compiled import own_normalisers
from seatrial.grade.process.tool_plan import ToolPlans
from seatrial.grade.view import CallView
from seatrial.records.contract import Process, ToolSpec

Identity = Callable[[CallView], object]
"""Returns a hashable value, equal for calls that are identical."""


def as_written(seen: CallView) -> object:
    """Return what two calls share when nothing is known of their tool: its name and equal arguments."""
    return seen.call.tool, canonical_form(seen.arguments)


def identity_of(tools: Sequence[ToolSpec], naming: Process, normalisers: Mapping[str, Function]) -> Identity:
    """Return what tells identical calls of a world's tools.

    Args:
        tools: What is known of the tools: their defaults and normalisers.
        naming: The process that names prefix and aliases of called tools.
        normalisers: The suite's own normalisers by name.
    """
    named = Process(aliases=naming.aliases, tool_prefix=naming.tool_prefix)
    plans = ToolPlans(named, {tool.name: tool for tool in tools}, (), own_normalisers(normalisers))

    def identity(seen: CallView) -> object:
        plan = plans.of(seen.call.tool)
        return plan.name, plan.identity(seen.arguments)

    return identity
