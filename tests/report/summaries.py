"""Fixed summaries for the tests of the reports."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import structs

from seatrial.gate import decide
from seatrial.measure.summarise import summarise
from seatrial.records.contract import Budget, Contract
from seatrial.records.summary import RunSummary
from seatrial.records.task import Task
from seatrial.records.trace import Status
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
    return structs.replace(summary, decision=decide(summary))


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


def hostile() -> RunSummary:
    """Return a run whose every text is hostile."""
    task = Task("t-1", kind="regression", slices={HOSTILE: HOSTILE})
    trial = graded("t-1", 0, "pfpp", tool_calls=(call(2, HOSTILE, valid=False),), classes=(near_miss(2, HOSTILE),), models=(HOSTILE, "m"))
    bad = structs.replace(trial.grade, process=structs.replace(trial.grade.process, reason=HOSTILE))
    found = summarise(manifest({"t-1": task}, 2, candidate=HOSTILE), [task], [structs.replace(trial, grade=bad)])
    return decided(structs.replace(found, notes=(HOSTILE,)))
