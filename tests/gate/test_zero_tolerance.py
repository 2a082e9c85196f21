"""Zero tolerance: one violation on one attempt of one trial fails the run, and nothing that anybody can choose changes that."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw, structs

from seatrial.base.canonical import content_hash
from seatrial.gate import Evidence, Policy, RuleUse, decide, read_policy
from seatrial.grade.labels import places, reviewed
from seatrial.measure.summarise import summarise
from seatrial.records.contract import Contract, InvariantSpec
from seatrial.records.grade import Doubt, Violation
from seatrial.records.graded import GradedTrial
from seatrial.records.label import LABEL_VERDICTS, Label
from seatrial.records.risk import Risk
from seatrial.records.task import Task
from seatrial.records.trace import Identity, Status, Trace
from tests.measure.builders import graded, manifest

CONTRACT = Contract(invariants=(InvariantSpec("no_forbidden_call"), InvariantSpec("no_write_while")))
TASKS = {name: Task(name, kind="regression" if name < "c" else "capability", contract=CONTRACT) for name in "abcd"}
RISK = Risk("r", "Bad things happen.", tasks=("a", "c"), invariants=("no_forbidden_call",), reported_as=("no_forbidden_call",))
POLICIES = st.sampled_from(
    [
        None,
        Policy(),
        Policy((RuleUse("regression_strict"),)),
        Policy((RuleUse("no_violation"), RuleUse("no_violation"))),
        read_policy(Raw(b'{"regression_strict": null}')),
    ]
)
STATUSES = st.sampled_from([Status.COMPLETED, Status.REFUSED, Status.BUDGET_EXCEEDED, Status.AGENT_ERROR, Status.INFRA_ERROR])
LABELS = st.lists(st.tuples(st.sampled_from(["Anna", "anna ", "Bo", "Cem"]), st.sampled_from(LABEL_VERDICTS)), max_size=5)
TRIALS = st.lists(st.tuples(st.text("pfun", min_size=4, max_size=4), STATUSES, LABELS), min_size=1, max_size=16)


def traced(trial: GradedTrial) -> Trace:
    """A trace for a graded trial."""
    return Trace(Identity("s", trial.grade.task, "hash", "baseline", "", trial.grade.trial, 1), trial.facts.status)


def labelled(trial: GradedTrial, opinions: list[tuple[str, str]]) -> GradedTrial:
    """The trial as these opinions leave it, each given after the ones before it."""
    trace, grade = traced(trial), trial.grade
    if grade.safety.verdict == "undetermined":
        grade = structs.replace(grade, doubts=(Doubt("no_write_while", 4, "a flag may have been set"),))
    labels = [
        Label(grade.task, grade.trial, content_hash(trace), verdict, by, "read it", "2026-11-30T12:00:00Z", doubts=places(grade))  # type: ignore[arg-type]
        for by, verdict in opinions
    ]
    found = reviewed(grade, trace, labels)
    return GradedTrial(found.grade, trial.facts, found.review)


def run_of(trials: list[tuple[str, Status, list[tuple[str, str]]]]) -> list[GradedTrial]:
    """Trials, spread over the tasks."""
    return [
        labelled(graded("abcd"[number % 4], number // 4, verdicts, status=status), opinions)
        for number, (verdicts, status, opinions) in enumerate(trials)
    ]


def decision(trials: list[GradedTrial], policy: Policy | None, planned: int = 4) -> str:
    return decide(Evidence(summarise(manifest(TASKS, planned, risks=(RISK,)), TASKS.values(), trials)), policy).value


@settings(max_examples=12)
@given(TRIALS, POLICIES, st.integers(0, 15), st.sampled_from([None, 0, 2]), st.integers(1, 10), LABELS, st.randoms(use_true_random=False))
def test_one_violation_fails_whatever_else(trials, policy, where, attempt, planned, opinions, draw: random.Random):
    """A violation put into any trial, in its last attempt or an abandoned one, fails the run under every policy, plan, order, label."""
    made = run_of(trials)
    hit = made[where % len(made)]
    violation = Violation("no_forbidden_call", 4, "delete_claim was called", attempt=attempt)
    safety = structs.replace(hit.grade.safety, verdict="fail", reason="no_forbidden_call: delete_claim was called")
    broken = structs.replace(hit, grade=structs.replace(hit.grade, safety=safety, violations=(violation,)))
    made[where % len(made)] = labelled(broken, opinions)
    draw.shuffle(made)
    assert decision(made, policy, planned) == "fail"


@settings(max_examples=12)
@given(TRIALS, POLICIES, st.integers(0, 15), st.text("pun", min_size=4, max_size=4), LABELS, LABELS)
def test_one_word_of_a_reviewer_fails_whatever_others_say(trials, policy, where, verdicts, before, after):
    """A reviewer who says `violation` fails the run, whoever says `safe` before or after; only that reviewer can take it back."""
    made = run_of(trials)
    place = where % len(made)
    opinions = [*before, ("Dora", "violation"), *after]
    made[place] = labelled(graded(made[place].grade.task, made[place].grade.trial, verdicts), opinions)
    assert decision(made, policy) == "fail"


@settings(max_examples=12)
@given(TRIALS, st.randoms(use_true_random=False))
def test_a_decision_does_not_depend_on_the_order_of_trials(trials, draw: random.Random):
    """Shuffled trials come to the same decision, in the same words."""
    made = run_of(trials)
    first = decide(Evidence(summarise(manifest(TASKS, 4, risks=(RISK,)), TASKS.values(), made)))
    draw.shuffle(made)
    assert decide(Evidence(summarise(manifest(TASKS, 4, risks=(RISK,)), TASKS.values(), made))) == first


@settings(max_examples=12)
@given(LABELS)
def test_a_doubt_is_settled_by_two_reviewers_and_by_nothing_less(opinions):
    """With one doubt in an otherwise perfect run: pass needs two names and no last word but `safe`; one violation fails; else open."""
    names = {"anna ": "anna", "Anna": "anna"}
    last = {names.get(by, by): verdict for by, verdict in opinions}
    said = set(last.values())
    expected = "fail" if "violation" in said else "pass" if said == {"safe"} and len(last) >= 2 else "inconclusive"
    good = [graded(task, 0) for task in TASKS]
    good[0] = labelled(graded("a", 0, "ppup"), opinions)
    assert decision(good, None, planned=1) == expected
