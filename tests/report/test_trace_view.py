"""One trial step by step: everything pinned to its step, nothing hidden, nothing that can move the cursor."""

import unicodedata

import pytest
from msgspec import Raw

from seatrial.records.grade import (
    Answer,
    CallClass,
    Difference,
    Grade,
    OrderRow,
    Reaction,
    RequirementRow,
    ValueSource,
    Verdict,
    Violation,
)
from seatrial.records.trace import (
    AgentMessage,
    Approval,
    Attempt,
    Change,
    FiredFault,
    Handoff,
    Identity,
    ModelCall,
    PermissionDecision,
    Probe,
    Status,
    ToolCall,
    ToolFailure,
    Trace,
    UserTurn,
)
from seatrial.report import trace_view
from tests.report.summaries import HOSTILE

WHO = Identity("claims_intake", "water-017", "hash", "candidate", "c", 1, 99)
STEPS = (
    UserTurn(1, "A pipe burst."),
    ModelCall(2, "m-1"),
    ToolCall(3, "policy_search", 2, proposed=Raw(b'{"text":"x"}'), executed=Raw(b"{}"), observation=Raw(b"[]")),
    ToolCall(
        4,
        "fraud_flags",
        4,
        proposed=Raw(b'{"claim_id":"C-1"}'),
        fault=FiredFault("error", 503),
        failure=ToolFailure("status", "busy", 503, True),
    ),
    ToolCall(6, "fraud_flags", 6, proposed=Raw(b'{"claim_id":"C-1"}'), executed=Raw(b"{}"), observation=Raw(b"[]"), retry_of=4),
    ToolCall(8, "delete_claim", 8, proposed=Raw(b"{}"), failure=ToolFailure("refused", "not permitted")),
    PermissionDecision(9, 8, False, "not among the task's tools"),
    ToolCall(
        10,
        "route",
        10,
        proposed=Raw(b'{"queue":"water_low"}'),
        executed=Raw(b"{}"),
        observation=Raw(b"null"),
        effect="write",
        changes=(Change("claims/C-1", "updated"),),
    ),
    Approval(11, 10, True),
    Handoff(12, "agent", "agent/router"),
    Probe(13, "queue", Raw(b'"water_low"')),
    ToolCall(14, "route", 14, validity="unparseable", raw="{queue:", failure=ToolFailure("unparseable", "no JSON")),
    AgentMessage(15, "Done."),
)
GRADE = Grade(
    "water-017",
    1,
    "hash",
    Answer(Verdict.FAIL, "claims/C-1 is in another queue", (10,)),
    Answer(Verdict.FAIL, "the required step coverage never ran", ()),
    Answer(Verdict.FAIL, "a forbidden call", (8,)),
    Answer(Verdict.PASS, "6 of 8 calls"),
    requirements=(
        RequirementRow("fraud", "fraud_flags", "met", 6),
        RequirementRow("coverage", "coverage_rules", "missing", reason="it never ran"),
        RequirementRow("policy", "policy_lookup", "missing", nearest=3, differences=(Difference("policy_id", '"HL-1"', "(absent)"),)),
    ),
    order=(OrderRow("coverage < route", "violated", "coverage is missing"),),
    calls=(
        CallClass(3, "extra", near_miss_of="policy_lookup"),
        CallClass(4, "retried"),
        CallClass(6, "met", "fraud"),
        CallClass(8, "refused", fault="not permitted"),
    ),
    differences=(Difference("claims/C-1/queue", '"water_high"', '"water_low"'),),
    reactions=(Reaction(4, "fraud_flags", "error", "recovered"),),
    violations=(Violation("no_forbidden_call", 8, "delete_claim is forbidden"),),
    sources=(ValueSource(10, "route.queue", "none"),),
)


def trace(**more) -> Trace:
    return Trace(WHO, Status.COMPLETED, STEPS, changes=(Change("claims/C-1", "updated"),), **more)


def view(shown: Trace, grade: Grade, width: int = 80) -> str:
    return trace_view.render(shown, grade, width=width, colour=False)


@pytest.mark.parametrize(
    "line",
    [
        "water-017#1: fail (strict)",
        " 1  user: A pipe burst.",
        ' 3  call policy_search {"text":"x"} → []',
        "· extra, near miss of policy_lookup",
        "✗ missing: policy",
        'policy_id: expected "HL-1", found (absent)',
        "ERROR status 503, transient: busy [fault error 503]",
        "✓ meets fraud",
        "[retry of step 4]",
        "refused: the call of step 8: not among the task's tools",
        "✗ violates no_forbidden_call: delete_claim is forbidden",
        'WRITE route {"queue":"water_low"} → null [updated claims/C-1]',
        "approved: the call of step 10",
        "handoff: agent → agent/router",
        'probe queue = "water_low"',
        "call route {queue: → ERROR unparseable: no JSON",
        "coverage < route: violated: coverage is missing",
        '✗ claims/C-1/queue: expected "water_high", found "water_low"',
        "step 10: route.queue",
        "step 4: fraud_flags error: recovered",
        "15  agent: Done.",
    ],
)
def test_every_kind_of_evidence_is_shown(line):
    """Steps, classes, requirements, faults, refusals, violations, changes and differences all stand in the text."""
    assert line in view(trace(), GRADE, width=160)


def test_notes_stand_below_their_step():
    """What is pinned to a step follows it directly."""
    lines = [line.strip() for line in view(trace(), GRADE, width=160).splitlines()]
    at = next(index for index, line in enumerate(lines) if line.startswith("8  call delete_claim"))
    assert lines[at + 1 : at + 3] == ["✗ refused: not permitted", "✗ violates no_forbidden_call: delete_claim is forbidden"]


def test_an_abandoned_attempt_is_shown():
    """Its status and reason stand above the steps."""
    text = view(trace(attempts=(Attempt(Status.INFRA_ERROR, "no sandbox"),)), GRADE)
    assert "attempt 0: infra_error: no sandbox (0 steps)" in text


def test_an_unknown_end_state_is_not_an_empty_one():
    """Not known is said, never nothing was changed."""
    text = view(Trace(WHO, Status.COMPLETED, changes_unknown="imported"), GRADE)
    assert "not known: imported" in text
    assert "nothing was changed" not in text


@pytest.mark.parametrize("width", [60, 80])
def test_the_view_keeps_to_the_width(width):
    """Nothing runs over the edge."""
    assert max(map(len, view(trace(), GRADE, width).splitlines())) <= width


def test_hostile_text_cannot_move_the_cursor_and_is_cut():
    """Control and format characters are written out; a megabyte is cut with its length said."""
    steps = (
        UserTurn(1, HOSTILE + "a" * 1_000_000),
        ToolCall(2, HOSTILE, 2, proposed=Raw(b'"\xc2\x9b31m\xe2\x80\xae"'), validity="unparseable", raw=HOSTILE),
    )
    grade = Grade("t", 0, "h", *(Answer(Verdict.FAIL, HOSTILE),) * 4, violations=(Violation(HOSTILE, 2, HOSTILE),))
    text = view(Trace(WHO, Status.AGENT_ERROR, steps, status_reason=HOSTILE), grade)
    assert {char for char in text if unicodedata.category(char)[0] == "C"} == {"\n"}
    assert "characters)" in text
    assert len(text) < 10_000


def test_a_step_can_be_followed_alone():
    """One step is one text without a line break at its end."""
    assert trace_view.render_step(STEPS[-1], width=80, colour=False) == " 15  agent: Done."


def test_where_the_agent_raised_is_shown():
    """The kept frames stand above the steps."""
    text = view(trace(traceback=("agents.py:12 in route", "agents.py:40 in parse")), GRADE)
    assert text.index("agents.py:12 in route") < text.index("agents.py:40 in parse") < text.index("Steps")


def test_an_unknown_tool_is_named_with_the_nearest_one():
    """A call of a tool that does not exist says so, and which one was probably meant."""
    call = ToolCall(2, "polcy_lookup", 2, proposed=Raw(b"{}"), validity="unknown_tool", failure=ToolFailure("unknown_tool", "none"))
    needed = (RequirementRow("policy", "policy_lookup | policy_search", "missing"),)
    grade = Grade("t", 0, "h", *(Answer(Verdict.FAIL, ""),) * 4, calls=(CallClass(2, "invalid"),), requirements=needed)
    assert "unknown tool 'polcy_lookup'. Did you mean 'policy_lookup'?" in view(Trace(WHO, Status.COMPLETED, (call,)), grade)
