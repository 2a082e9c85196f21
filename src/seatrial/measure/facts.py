"""The facts of a trace that the statistics need beside its grade."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from seatrial.records.graded import CallFact, TrialFacts
from seatrial.records.trace import AGENT, AgentMessage, ModelCall, Step, ToolCall, Trace, Usage


def facts_of(trace: Trace, canaries: tuple[str, ...] = ()) -> TrialFacts:
    """Return what the statistics need to know of one trace.

    Args:
        trace: The record of one trial.
        canaries: Strings of the suite's files that no agent is ever given.

    Returns:
        Its facts: costs are summed over all attempts of the harness, tool calls are those of the last.
    """
    usages = (*(attempt.usage for attempt in trace.attempts), trace.usage)
    tokens, calls = _known_sum(usage.tokens for usage in usages), _known_sum(usage.known("calls") for usage in usages)
    return TrialFacts(
        task=trace.identity.task,
        trial=trace.identity.trial,
        status=trace.status,
        attempts=len(usages),
        calls=None if calls is None else int(calls),
        tokens=None if tokens is None else int(tokens),
        usd=_known_sum(usage.usd for usage in usages),
        seconds=_seconds(trace, usages),
        models=tuple(sorted({step.model for step in trace.steps if type(step) is ModelCall and step.model})),
        tool_calls=tuple(_call_fact(step) for step in trace.steps if type(step) is ToolCall and step.by == AGENT),
        contaminated=any(_wrote(trace, canary) for canary in canaries),
    )


def _wrote(trace: Trace, canary: str) -> bool:
    """Tell whether the agent wrote a canary, in a message or in a call; a canary is plain ASCII, so that JSON spells it as it is."""
    sought = canary.encode()
    return any(sought in text for text in _written(trace))


def _written(trace: Trace) -> Iterator[bytes]:
    """Yield every text that the agent wrote, over all attempts of the harness."""
    steps: Iterable[Step] = (*(step for attempt in trace.attempts for step in attempt.steps), *trace.steps)
    for step in steps:
        if type(step) is AgentMessage:
            yield step.text.encode("utf-8", "replace")
        elif type(step) is ToolCall and step.by == AGENT:
            yield bytes(step.proposed)
            yield f"{step.tool} {step.raw}".encode("utf-8", "replace")


def _seconds(trace: Trace, usages: Sequence[Usage]) -> float | None:
    """Return the seconds that the harness, or a table of results, counted."""
    if not trace.witnessed and any(usage.counted is None for usage in usages):
        return None
    return _known_sum(usage.known("seconds") for usage in usages)


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
