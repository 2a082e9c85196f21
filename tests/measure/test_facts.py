"""Facts of a trace: what the statistics read of it."""

from msgspec import Raw

from seatrial.measure.facts import facts_of
from seatrial.records.trace import (
    Attempt,
    FiredFault,
    Identity,
    ModelCall,
    Status,
    ToolCall,
    ToolFailure,
    Trace,
    Usage,
)

WHO = Identity("suite", "t-1", "hash", "baseline", "c", 2, 99)


def test_calls_faults_and_models_are_read_from_the_steps():
    """Each agent call becomes one fact; the user's own calls are not the agent's."""
    steps = (
        ModelCall(1, "m-2"),
        ToolCall(2, "lookup", 1, executed=Raw(b"{}"), fault=FiredFault("error", 503), failure=ToolFailure("status", status=503)),
        ToolCall(3, "lookup", 3, executed=Raw(b"{}"), retry_of=2),
        ToolCall(4, "loookup", 4, validity="unknown_tool", failure=ToolFailure("unknown_tool")),
        ToolCall(5, "lookup", 5, by="user"),
        ModelCall(6, "m-1"),
        ModelCall(7, "m-2"),
    )
    facts = facts_of(Trace(WHO, Status.COMPLETED, steps, usage=Usage(calls=3, usd=0.5, tokens=7, seconds=2.0)))
    assert facts.models == ("m-1", "m-2")
    assert [(c.step, c.tool, c.valid, c.failed, c.fault, c.retry) for c in facts.tool_calls] == [
        (2, "lookup", True, True, "error", False),
        (3, "lookup", True, False, "", True),
        (4, "loookup", False, True, "", False),
    ]
    assert (facts.task, facts.trial, facts.attempts, facts.calls, facts.usd, facts.tokens, facts.seconds) == ("t-1", 2, 1, 3, 0.5, 7, 2.0)


def test_abandoned_attempts_cost_too():
    """Costs are summed over all attempts, and one unknown part makes the sum unknown."""
    first = Attempt(Status.INFRA_ERROR, "no sandbox", usage=Usage(calls=2, usd=None, tokens=5, seconds=1.0))
    facts = facts_of(Trace(WHO, Status.COMPLETED, usage=Usage(calls=3, usd=0.5, tokens=7, seconds=2.0), attempts=(first,)))
    assert (facts.attempts, facts.calls, facts.usd, facts.tokens, facts.seconds) == (2, 5, None, 12, 3.0)


def test_the_time_of_an_imported_trace_is_not_known():
    """Where our clock did not run, no time is not zero seconds."""
    assert facts_of(Trace(WHO, Status.COMPLETED, source="tau_bench")).seconds is None
