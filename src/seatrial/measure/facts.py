"""The facts of a trace that the statistics need beside its grade."""

from __future__ import annotations

from collections.abc import Iterable

from seatrial.records.graded import CallFact, TrialFacts
from seatrial.records.trace import AGENT, ModelCall, ToolCall, Trace


def facts_of(trace: Trace) -> TrialFacts:
    """Return what the statistics need to know of one trace.

    Args:
        trace: The record of one trial.

    Returns:
        Its facts: costs are summed over all attempts of the harness, tool calls are those of the last.
    """
    usages = (*(attempt.usage for attempt in trace.attempts), trace.usage)
    tokens = _known_sum(usage.tokens for usage in usages)
    return TrialFacts(
        task=trace.identity.task,
        trial=trace.identity.trial,
        status=trace.status,
        attempts=len(usages),
        calls=sum(usage.calls for usage in usages),
        tokens=None if tokens is None else int(tokens),
        usd=_known_sum(usage.usd for usage in usages),
        seconds=sum(usage.seconds for usage in usages) if trace.witnessed else None,
        models=tuple(sorted({step.model for step in trace.steps if type(step) is ModelCall and step.model})),
        tool_calls=tuple(_call_fact(step) for step in trace.steps if type(step) is ToolCall and step.by == AGENT),
    )


def _known_sum(parts: Iterable[float | None]) -> float | None:
    """Return the sum, or `None` when a part is not known."""
    total = 0
    for part in parts:
        if part is None:
            return None
        total += part
    return total


def _call_fact(call: ToolCall) -> CallFact:
    """Return what the tool table needs to know of one call."""
    return CallFact(
        step=call.sequence,
        tool=call.tool,
        valid=call.validity == "valid",
        failed=call.failure is not None,
        fault=call.fault.kind if call.fault else "",
        retry=call.retry_of is not None,
    )
