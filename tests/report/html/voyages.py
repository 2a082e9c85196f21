"""Made-up trials for the tests of the HTML report, and the report of them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Raw

from seatrial.measure.facts import facts_of
from seatrial.measure.summarise import summarise
from seatrial.records.grade import CallClass, Difference, Grade, OrderRow, Reaction, RequirementRow, ValueSource, Violation
from seatrial.records.graded import GradedTrial
from seatrial.records.task import Task
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
    Reported,
    Status,
    Step,
    TokenUsage,
    ToolCall,
    ToolFailure,
    Trace,
    Usage,
    UserTurn,
)
from seatrial.report import html
from tests.measure.builders import answer, manifest
from tests.report.summaries import decided

Trial = tuple[Trace, Grade]

EVERY_STEP: tuple[Step, ...] = (
    UserTurn(1, "A pipe burst.\nWater everywhere."),
    ModelCall(2, "m-1", usage=TokenUsage(input=1200), usd=0.25),
    ToolCall(
        3,
        "policy_search",
        2,
        proposed=Raw(b'{"text":"x"}'),
        executed=Raw(b"{}"),
        observation=Raw(b"[1,[],{}]"),
        message=2,
        actor="agent/clerk",
    ),
    ToolCall(
        4,
        "fraud_flags",
        2,
        proposed=Raw(b'{"claim_id":"C-1"}'),
        fault=FiredFault("error", 503),
        failure=ToolFailure("status", "busy", 503, True),
        message=2,
    ),
    ToolCall(6, "fraud_flags", 6, proposed=Raw(b'{"claim_id":"C-1"}'), executed=Raw(b"{}"), observation=Raw(b"[]"), retry_of=4),
    ToolCall(8, "delete_claim", 8, failure=ToolFailure("refused", "not permitted"), by="user"),
    PermissionDecision(9, 8, False, "not among the task's tools"),
    Approval(10, 8, True),
    ToolCall(
        12,
        "route",
        12,
        proposed=Raw(b'{"queue":"water_low"}'),
        executed=Raw(b'{"queue":"water_low"}'),
        observation=Raw(b'"ok"'),
        effect="write",
        changes=(Change("claims/C-1", "updated", Raw(b'{"queue":""}'), Raw(b'{"queue":"water_low"}')),),
    ),
    ToolCall(14, "note", 14, proposed=Raw(b'"{oops"'), raw="{oops", validity="unparseable", failure=ToolFailure("unparseable")),
    Handoff(16, "agent", "agent/writer"),
    Probe(17, "open_claims", Raw(b"2")),
    Probe(18, "broken", error="no such table"),
    AgentMessage(19, "One moment.", delivered=False),
    AgentMessage(20, "Routed to water_low."),
)
"""Every kind of step, and every badge that a call can carry."""


def trace(task: str = "t-1", trial: int = 0, steps: Sequence[Step] = EVERY_STEP, **more) -> Trace:
    """Return a trace of a task's trial."""
    who = Identity("claims_intake", task, "hash", "candidate", "c", trial, 99)
    return Trace(who, more.pop("status", Status.COMPLETED), tuple(steps), **more)


def grade(task: str = "t-1", trial: int = 0, verdicts: str = "pppp", **more) -> Grade:
    """Return a grade; `verdicts` are the first letters for outcome, process, safety, budget."""
    questions = ("outcome", "process", "safety", "budget")
    answers = [answer(letter, question) for letter, question in zip(verdicts, questions, strict=True)]
    return Grade(task, trial, "hash", *answers, **more)


def trials(*verdicts: str, task: str = "t-1", **more) -> list[Trial]:
    """Return trials of a task, one for each group of verdicts."""
    return [(trace(task, index, **more), grade(task, index, letters)) for index, letters in enumerate(verdicts)]


def everything(task: str = "t-1", trial: int = 0) -> Trial:
    """Return a trial in which everything occurs that a grade can pin to a step or say of a trial."""
    done = trace(
        task,
        trial,
        changes=(Change("claims/C-1", "created", after=Raw(b'{"queue":"water_low"}')), Change("claims/C-2", "deleted", Raw(b"{}"))),
        status_reason="the agent answered",
        usage=Usage(calls=6, model_calls=1, tokens=1200, usd=0.25, seconds=2.5),
        attempts=(Attempt(Status.INFRA_ERROR, "the disk was full", EVERY_STEP[:3]),),
        reported=(Reported("reward", Raw(b"0.5"), "somebody"),),
    )
    judged = grade(
        task,
        trial,
        "ffff",
        alternative="by_phone",
        requirements=(
            RequirementRow("flags", "fraud_flags", "met", 6),
            RequirementRow("route", "route", "missing", None, 12, (Difference("queue", '"water_high"', '"water_low"'),), "another queue"),
            RequirementRow("coverage", "coverage_rules", "missing", reason="coverage_rules was never called"),
            RequirementRow("lookup", "policy_lookup | policy_search", "out_of_order", 3, reason="ran too late"),
            RequirementRow("note", "note", "optional_unmet"),
        ),
        order=(OrderRow("coverage < route", "violated", "coverage never ran"), OrderRow("flags < route", "kept")),
        calls=(
            CallClass(3, "extra", near_miss_of="policy_lookup"),
            CallClass(6, "met", "flags"),
            CallClass(8, "refused", fault="not permitted"),
        ),
        differences=(Difference("claims/C-1/queue", '"water_high"', '"water_low"'),),
        reactions=(Reaction(4, "fraud_flags", "error", "recovered"),),
        violations=(Violation("no_forbidden_call", 8, "delete_claim is forbidden"), Violation("no_forbidden_call", 3, "then", (), 0)),
        sources=(ValueSource(12, "route.queue", "none", "said by nobody"), ValueSource(3, "policy_search.text", "free")),
        credit=0.5,
    )
    return done, judged


def page(voyage: Sequence[Trial], *, planned: int = 0, run: str = "run.seatrial", limits: html.Limits | None = None) -> str:
    """Return the report of some trials; at least so many are planned for each task."""
    tasks = {one.identity.task: Task(one.identity.task, kind="regression") for one, _ in voyage}
    most = max(planned, *(one.identity.trial + 1 for one, _ in voyage))
    seen = [GradedTrial(judged, facts_of(one)) for one, judged in voyage]
    return html.render(decided(summarise(manifest(tasks, most), tasks.values(), seen, seed=1)), run=run, trials=iter(voyage), limits=limits)
