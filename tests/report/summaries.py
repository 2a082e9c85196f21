"""Fixed summaries for the tests of the reports."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import structs

from seatrial.base.canonical import content_hash
from seatrial.gate import Evidence, decide
from seatrial.grade import labels
from seatrial.measure.summarise import summarise
from seatrial.records.contract import Budget, Contract, InvariantSpec
from seatrial.records.grade import Doubt
from seatrial.records.graded import GradedTrial
from seatrial.records.label import DoubtPlace, DoubtReview, Label, LabelNote, ReviewSummary, TrialReview
from seatrial.records.risk import Risk, RiskRow, UnnamedRule
from seatrial.records.summary import RunSummary
from seatrial.records.task import Task
from seatrial.records.trace import Identity, Status, Trace
from tests.measure.builders import call, graded, manifest, near_miss, reaction

TASKS = {
    f"water-{index:03}": Task(
        f"water-{index:03}",
        kind="regression" if index % 3 else "capability",
        split="holdout" if index % 4 == 0 else "dev",
        stakes="write" if index % 2 else "routine",
        slices={"loss_type": "water" if index < 8 else "fire", "channel": "phone"},
        contract=Contract(budget=Budget(calls=8)),
    )
    for index in range(24)
}
HOSTILE = "\x1b[2J\x07\u202e\x9b31m<script>|`*"
"""Clears the screen, rings, turns the reading direction, and would be markup in HTML and Markdown."""


def run(name: str, verdicts: Callable[[int, int], str], trials: int = 4, **more) -> RunSummary:
    """Return the decided summary of 24 tasks, the verdicts by task and trial."""
    planned = manifest(TASKS, trials, candidate=name, because="an adjuster sees the same claim four times a shift", **more)
    seen = (graded(task, trial, verdicts(index, trial)) for index, task in enumerate(TASKS) for trial in range(trials))
    return decided(summarise(planned, TASKS.values(), seen, seed=1))


def decided(summary: RunSummary) -> RunSummary:
    """Return a summary with its decision."""
    return structs.replace(summary, decision=decide(Evidence(summary)))


def baseline() -> RunSummary:
    """Return a run that is mostly right."""
    return run("baseline", lambda index, trial: "fppp" if (index * 7 + trial) % 11 == 0 else "pppp")


def shortcut() -> RunSummary:
    """Return a run that is right more often and skips a required step on some tasks."""
    return run("candidate", lambda index, trial: "pfpp" if index % 5 == 0 else "fppp" if (index * 7 + trial) % 17 == 0 else "pppp")


def perfect() -> RunSummary:
    """Return a run without a fault."""
    return run("careful", lambda _index, _trial: "pppp")


def everything() -> RunSummary:
    """Return a run in which everything occurs: unknown and missing trials, violations, near misses, faults, unknown prices."""
    calls = (call(2, "policy_search"), call(4, "policy_lookup", valid=False), call(6, "route", failed=True, fault="error"))
    odd = [
        graded(
            "water-001",
            0,
            "pfpp",
            tool_calls=calls,
            classes=(near_miss(2, "policy_lookup"),),
            reactions=(reaction(6, "route", "recovered"),),
        ),
        graded("water-001", 1, "ppfp", models=("m-2",)),
        graded("water-001", 2, "pupp", usd=None),
        graded("water-002", 0, status=Status.INFRA_ERROR, attempts=3),
        graded("water-003", 0, "epnn"),
    ]
    return decided(summarise(manifest(TASKS, 4, candidate="hasty", partial="--task water-*"), TASKS.values(), odd, seed=1))


def reviewed() -> RunSummary:
    """Return a run with a risk list, trials that wait for reviewers, and labels of every worth."""
    rules = (InvariantSpec("no_write_while"), InvariantSpec("no_forbidden_call"))
    tasks = {name: Task(name, kind="regression", contract=Contract(invariants=rules)) for name in ("a-1", "a-2", "a-3")}
    doubt = Doubt("no_write_while", 4, "a flag may have been set")
    old, said = DoubtPlace("no_write_while", 9), ("settled", "waits", "violated", "lost")
    trials = []
    for index, name in enumerate(said):
        one = graded("a-1", index, "ppup", status=Status.INFRA_ERROR if name == "lost" else Status.COMPLETED)
        trace = Trace(Identity("s", "a-1", "hash", "baseline", "", index, 1), one.facts.status)
        opinions = [("Anna", "safe"), ("Bo", {"violated": "violation", "settled": "safe"}.get(name, "unclear"))]
        found = structs.replace(one.grade, doubts=(doubt,))
        given = [
            Label(
                "a-1",
                index,
                content_hash(trace),
                verdict,
                by,
                f"I read {name}",
                "2026-11-30T12:00:00Z",
                doubts=(DoubtPlace("no_write_while", 4),),
            )
            for by, verdict in opinions
        ]
        late = Label("a-1", index, content_hash(trace), "safe", "Cem", "an older doubt", "2026-11-30T11:00:00Z", doubts=(old,))
        after = labels.reviewed(found, trace, [late, *given])
        trials.append(GradedTrial(after.grade, one.facts, after.review))
    trials += [graded("a-2", trial, "ppfp" if trial else "pppp") for trial in range(4)]
    risks = (
        Risk(
            "flagged",
            "A flagged claim is paid.",
            "head of claims",
            "critical",
            "Information Security",
            ("no_write_while",),
            ("a-1", "a-2"),
            (),
            ("no_write_while",),
        ),
        Risk("unanswered", "Something that no rule looks at.", tasks=("a-3",)),
        Risk("untried", "Something that no trial told of.", "claims", "low", "", ("no_write_while",), ("a-3",), (), ("no_write_while",)),
    )
    return decided(summarise(manifest(tasks, 4, candidate="labelled", risks=risks), tasks.values(), trials, seed=1))


def hostile() -> RunSummary:
    """Return a run whose every text is hostile."""
    task = Task("t-1", kind="regression", slices={HOSTILE: HOSTILE})
    trial = graded("t-1", 0, "pfpp", tool_calls=(call(2, HOSTILE, valid=False),), classes=(near_miss(2, HOSTILE),), models=(HOSTILE, "m"))
    bad = structs.replace(trial.grade, process=structs.replace(trial.grade.process, reason=HOSTILE))
    found = summarise(manifest({"t-1": task}, 2, candidate=HOSTILE), [task], [structs.replace(trial, grade=bad)])
    risk = RiskRow(HOSTILE, HOSTILE, HOSTILE, "low", HOSTILE, (), 1, 0, 0, 1, 0, 0, 0, 1, None, None)
    doubts = (DoubtReview(HOSTILE, 2, HOSTILE, 0, (HOSTILE,), (HOSTILE,)),)
    note = LabelNote("unclear", HOSTILE, HOSTILE, HOSTILE, "counts", HOSTILE)
    review = ReviewSummary(
        1, 0, 1, 1, (HOSTILE,), 1, (HOSTILE,), 1, (TrialReview("t-1", 0, HOSTILE, "label", doubts, (note,), (HOSTILE,)),)
    )
    return decided(structs.replace(found, notes=(HOSTILE,), risks=(risk,), unnamed_rules=(UnnamedRule(HOSTILE, 1),), review=review))
