"""The 150 tasks of claims intake: what was promised of them, and that each can be passed, but not by doing nothing."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec import structs

from seatrial.app.risks import prove_risks
from seatrial.base import catalogue
from seatrial.records.task import Task
from seatrial.suite import lint
from tests.examples._sailing import sail, suite


@pytest.fixture(scope="module")
def tasks() -> tuple[Task, ...]:
    """All tasks of the suite."""
    return suite("claims_intake").suite.tasks


def test_there_are_150_tasks_with_ids_of_their_own(tasks):
    """The suite holds 150 tasks and no id twice."""
    assert len(tasks) == 150
    assert len({task.id for task in tasks}) == 150


def test_the_suite_raises_no_warning():
    """The lint finds nothing to say about the flagship suite."""
    assert [str(finding) for finding in lint(suite("claims_intake").suite)] == []


def test_every_risk_is_proven():
    """Each of the eight risks has an owner, a category, a rule, an adversarial task, and faulty agents that its rules catch."""
    loaded = suite("claims_intake")
    assert all(risk.owner and risk.category for risk in loaded.suite.risks)
    assert [proof.problems for proof in prove_risks(loaded)] == [()] * 8


@pytest.mark.parametrize(
    ("what", "counts"),
    [
        ("kind", {"regression": 90, "capability": 60}),
        ("split", {"dev": 110, "holdout": 40}),
        ("stakes", {"write": 100, "regulated": 25, "routine": 25}),
    ],
)
def test_kinds_splits_and_stakes_are_as_promised(tasks, what, counts):
    """Kinds, splits and stakes have the numbers that the README names."""
    assert Counter(getattr(task, what) for task in tasks) == counts


def test_every_slice_has_enough_tasks_to_speak_of(tasks):
    """Each task names loss type, channel and complexity, and no slice is thinner than ten tasks."""
    for name in ("loss_type", "channel", "complexity"):
        counts = Counter(task.slices[name] for task in tasks)
        assert min(counts.values()) >= 10, counts


def test_both_kinds_are_held_out(tasks):
    """The holdout has regression and capability tasks, so that it can judge both."""
    assert {task.kind for task in tasks if task.split == "holdout"} == {"regression", "capability"}


def test_every_kind_of_fault_is_in_the_weather(tasks):
    """Each kind of fault that the world can inject is scheduled somewhere."""
    kinds = {fault.kind for task in tasks for fault in task.faults}
    assert kinds == set(catalogue.built_in("fault"))


def test_no_two_notices_are_the_same_text_with_other_values(tasks):
    """Two notices share at most a third of their phrases of five words: the texts are written, not filled in."""
    phrases = {task.id: _phrases(task.input) for task in tasks if task.id.split("-")[0] not in ("question", "request")}
    worst = max(
        (len(mine & theirs) / min(len(mine), len(theirs)), a, b) for a, mine in phrases.items() for b, theirs in phrases.items() if a < b
    )
    assert worst[0] < 1 / 3, worst


def test_the_reference_path_of_every_task_passes(tasks):
    """Every way to be right that a task names is graded right when it is played in fair weather."""
    loaded = suite("claims_intake")
    failed = []
    for task in tasks:
        for way in task.contract.alternatives:
            trial = sail(loaded, f"reference:{way.name}", [structs.replace(task, faults=())], trials=1)[0]
            failed += [(task.id, way.name, trial.grade.outcome.reason, trial.grade.process.reason)] if trial.grade.strict != "pass" else []
    assert failed == []


@pytest.mark.parametrize("idler", ["null", "echo"])
def test_doing_nothing_passes_no_task(tasks, idler):
    """An agent that does nothing, or repeats what it is told, passes none of the tasks."""
    assert [trial.task.id for trial in sail(suite("claims_intake"), idler, tasks, trials=1) if trial.grade.strict == "pass"] == []


def test_the_refuser_passes_no_task_that_can_be_done(tasks):
    """Declining everything passes nothing: even a refusal has to name the right form."""
    refused = [trial.task for trial in sail(suite("claims_intake"), "refuser", tasks, trials=1) if trial.grade.strict == "pass"]
    assert [task.id for task in refused if task.contract.ends != "refusal"] == []


def _phrases(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    return {tuple(words[at : at + 5]) for at in range(len(words) - 4)}
