"""Hypothesis strategies for traces: every kind of step, every optional field present and absent."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec import UNSET, Raw

from seatrial.base.canonical import canonical
from seatrial.records import trace as t
from tests.store.builders import CANDIDATE, TASKS

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
number = st.integers(0, 2**63 - 1)
seconds = st.floats(0, 1e9)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)
raw = values.map(lambda value: Raw(canonical(value)))
raw_object = st.dictionaries(text, values, max_size=3).map(lambda value: Raw(canonical(value)))
maybe_raw = st.just(UNSET) | raw
effect = st.sampled_from(["read", "write", "external"])

changes = st.lists(st.builds(t.Change, text, st.sampled_from(["created", "updated", "deleted"]), maybe_raw, maybe_raw), max_size=2).map(
    tuple
)
call = st.builds(
    t.ToolCall, number, text, number, raw_object, maybe_raw, maybe_raw, st.none() | number,
    message=st.none() | number, position=st.integers(0, 9), inferred=st.booleans(), effect=effect,
    failure=st.none() | st.builds(t.ToolFailure, text, text, st.none() | st.integers(100, 599), st.none() | st.booleans()),
    fault=st.none() | st.builds(t.FiredFault, text, st.none() | st.integers(100, 599), seconds),
    changes=changes, validity=st.sampled_from(["valid", "invalid", "unparseable", "unknown_tool"]),
    retry_of=st.none() | number, normalised=st.just(UNSET) | raw_object, raw=text, foreign_id=text, seconds=seconds,
)  # fmt: skip
tokens = st.none() | number
usage = st.builds(t.TokenUsage, tokens, tokens, tokens, tokens, st.booleans())
steps = st.lists(
    st.one_of(
        st.builds(t.UserTurn, number, text),
        st.builds(t.AgentMessage, number, text, parent=st.none() | number),
        st.builds(t.ModelCall, number, text, usage=usage, usd=st.none() | seconds),
        call,
        st.builds(t.PermissionDecision, number, number, st.booleans(), text),
        st.builds(t.Approval, number, number, st.booleans(), text),
        st.builds(t.Handoff, number, text, text),
        st.builds(t.Probe, number, text, raw, text),
    ),
    max_size=5,
).map(tuple)
trial_usage = st.builds(t.Usage, number, number, tokens, st.none() | seconds, seconds)
status = st.sampled_from(t.Status)
attempts = st.lists(st.builds(t.Attempt, status, text, steps, changes, trial_usage), max_size=2).map(tuple)


@st.composite
def traces(draw: st.DrawFn, *, task: int | None = None, trial: int | None = None) -> t.Trace:
    """A trace of one of the sample tasks."""
    chosen = TASKS[draw(st.integers(0, len(TASKS) - 1)) if task is None else task]
    index = draw(st.integers(0, 3)) if trial is None else trial
    identity = t.Identity("claims", chosen.id, chosen.contract_hash, CANDIDATE.name, CANDIDATE.hash, index, draw(st.integers(0, 2**64 - 1)))
    reported = st.lists(st.builds(t.Reported, text, raw, text), max_size=2).map(tuple)
    return draw(
        st.builds(
            t.Trace, st.just(identity), status, steps, changes, text, text, trial_usage, st.builds(t.Versions, text, text, text, text),
            attempts, reported, text,
        )
    )  # fmt: skip
