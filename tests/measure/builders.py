"""Small builders of graded trials for the tests of measure, gate and report."""

from __future__ import annotations

from seatrial.records.grade import Answer, CallClass, Grade, Reaction, RequirementRow, Verdict, Violation
from seatrial.records.graded import CallFact, GradedTrial, TrialFacts
from seatrial.records.manifest import Candidate, Manifest, PlannedTask
from seatrial.records.task import Task
from seatrial.records.trace import Status

WORDS = {"p": Verdict.PASS, "f": Verdict.FAIL, "u": Verdict.UNDETERMINED, "n": Verdict.NOT_APPLICABLE, "e": Verdict.ERROR}


def answer(letter: str, question: str) -> Answer:
    """Return an answer by the first letter of its verdict."""
    return Answer(WORDS[letter], f"{question} is {WORDS[letter].value}", (3,))


def graded(
    task: str, trial: int, verdicts: str = "pppp", *, status: Status = Status.COMPLETED, usd: float | None = 0.01, **more
) -> GradedTrial:
    """Return a graded trial; `verdicts` are the first letters for outcome, process, safety, budget."""
    answers = [answer(letter, question) for letter, question in zip(verdicts, ("outcome", "process", "safety", "budget"), strict=True)]
    missing = (RequirementRow("coverage", "coverage_rules", "missing", reason="coverage never ran"),) if verdicts[1] == "f" else ()
    violations = (Violation("no_forbidden_call", 4, "delete_claim was called"),) if verdicts[2] == "f" else ()
    calls = more.get("tool_calls", (call(2, "policy_lookup"), call(4, "route")))
    facts = TrialFacts(task, trial, status, more.get("attempts", 1), len(calls), None, usd, 1.5, more.get("models", ("m-1",)), calls)
    grade = Grade(
        task,
        trial,
        "hash",
        *answers,
        requirements=missing,
        violations=violations,
        calls=more.get("classes", ()),
        reactions=more.get("reactions", ()),
    )
    return GradedTrial(grade, facts)


def call(step: int, tool: str, *, valid: bool = True, failed: bool = False, fault: str = "", retry: bool = False) -> CallFact:
    """Return the facts of one call."""
    return CallFact(step, tool, valid, failed or not valid, fault, retry)


def near_miss(step: int, expected: str) -> CallClass:
    """Return the class of a call that was mistaken for another tool."""
    return CallClass(step, "extra", near_miss_of=expected)


def reaction(step: int, tool: str, what: str) -> Reaction:
    """Return one reaction to a 503."""
    return Reaction(step, tool, "error", what)


def manifest(tasks: dict[str, Task], trials: int = 4, **more) -> Manifest:
    """Return a manifest that plans so many trials of each task."""
    plan = tuple(PlannedTask(task, "hash", trials) for task in tasks)
    return Manifest(
        suite="claims_intake",
        suite_version="1",
        suite_hash="s",
        candidate=Candidate(more.pop("candidate", "baseline"), "1"),
        seed=7,
        plan=plan,
        created_at="2026-11-30T12:00:00Z",
        **more,
    )
