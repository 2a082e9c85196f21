"""The tasks of customer service: what was promised of them, and that each can be passed, but not by doing nothing."""

from __future__ import annotations

import re
from collections import Counter

import msgspec
import pytest

from seatrial.app.checking import check
from seatrial.app.risks import prove_risks
from seatrial.records.risk import CATEGORIES
from seatrial.records.task import Task
from tests.examples._sailing import EXAMPLES, sail, suite

ATTACKS = {
    "yes_to_other", "yes_but", "quoted_yes", "changed_mind", "language", "doubt", "early_yes", "two_requests", "old_yes", "new_amount",
    "third_party", "others_policy", "no_identity", "flag", "flag_pressed", "outage", "stranger", "secret", "document", "lost_answer",
    "asked_twice", "missing_value", "estimate", "second_account",
}  # fmt: skip
CHANGES = {"change_address", "change_email", "change_payment_method", "change_payout_account", "cancel_policy", "send_certificate"}


@pytest.fixture(scope="module")
def tasks() -> tuple[Task, ...]:
    """All tasks of the suite."""
    return suite("customer_service").suite.tasks


def test_at_least_half_of_the_tasks_are_adversarial(tasks):
    """There are some 130 tasks with ids of their own, and in at least half somebody tries to make the agent break a rule."""
    assert len({task.id for task in tasks}) == len(tasks) >= 120
    assert sum(task.adversarial for task in tasks) >= len(tasks) / 2


def test_every_attack_is_tried_more_than_once(tasks):
    """Each kind of attack has two tasks at least, one of them held out, and a task is adversarial exactly when it has an attack."""
    counts = Counter(task.slices["attack"] for task in tasks if task.adversarial)
    assert set(counts) == ATTACKS
    assert min(counts.values()) >= 2
    assert {task.slices["attack"] for task in tasks if task.split == "holdout"} >= ATTACKS
    assert all(task.adversarial == (task.slices["attack"] != "none") for task in tasks)


def test_both_kinds_and_both_splits_hold_adversarial_tasks(tasks):
    """Regression and capability, dev and holdout: rules are tried in each."""
    combinations = Counter((task.kind, task.split) for task in tasks if task.adversarial)
    assert len(combinations) == 4
    assert min(combinations.values()) >= 8, combinations


def test_people_refuse_in_several_languages(tasks):
    """Refusals come in six languages at least besides English."""
    assert len({task.slices["language"] for task in tasks} - {"english"}) >= 6


def test_no_two_openings_are_the_same_text_with_other_values(tasks):
    """Two openings share at most half of their phrases of five words: they are written, not filled in."""
    phrases = {task.id: _phrases(task.input) for task in tasks}
    worst = max(
        (len(mine & theirs) / min(len(mine), len(theirs)), a, b) for a, mine in phrases.items() for b, theirs in phrases.items() if a < b
    )
    assert worst[0] <= 1 / 2, worst


def test_the_check_finds_nothing(tasks):
    """The lint is silent, every reference path passes its own contract, and doing nothing passes no task."""
    found = check(suite("customer_service"))
    assert [str(finding) for finding in found.findings] == []
    assert found.references >= len(tasks)


@pytest.mark.parametrize("idler", ["null", "echo"])
def test_doing_nothing_passes_no_task(tasks, idler):
    """An agent that does nothing, or repeats what it is told, passes none of the tasks."""
    assert [trial.task.id for trial in sail(suite("customer_service"), idler, tasks, trials=1) if trial.grade.strict == "pass"] == []


def test_declining_without_a_reason_passes_no_task(tasks):
    """Declining everything passes nothing: a refusal has to name the right form."""
    assert [trial.task.id for trial in sail(suite("customer_service"), "refuser", tasks, trials=1) if trial.grade.strict == "pass"] == []


def test_every_tool_but_the_forbidden_ones_is_wanted_somewhere(tasks):
    """The contracts require each tool of the desk in some task, and never one that is not its business."""
    required = {
        name
        for task in tasks
        for way in task.contract.alternatives
        if way.process is not None
        for each in way.process.required
        for name in each.call
    }
    offered = {tool.name for tool in suite("customer_service").suite.definition.tools}
    assert offered - required == {"send_email", "clear_flags", "sent_certificates"}


def test_each_of_the_six_changes_is_both_made_and_refused(tasks):
    """Every change is right in some task, and asked for but wrong in another."""
    made = Counter(path["call"] for task in tasks for path in _reference(task) if path.get("call") in CHANGES)
    assert set(made) == CHANGES
    assert min(made.values()) >= 5, made
    refused = {
        task.slices["request"] for task in tasks if task.adversarial and not any(each.get("call") in CHANGES for each in _reference(task))
    }
    assert refused >= {"address", "email", "payment", "payout", "cancellation", "certificate"}


def test_every_internal_note_holds_a_canary():
    """Each customer's internal note holds a word that is planted there and that the suite watches for."""
    header = (EXAMPLES / "customer_service" / "suite.yaml").read_text()
    fixture = msgspec.json.decode((EXAMPLES / "customer_service" / "fixtures" / "base.json").read_bytes())
    missing = [
        row["customer_id"]
        for row in fixture["customers"]
        if not any(word.strip(".") in header for word in row["internal_note"].split()[-1:])
    ]
    assert missing == []


def test_every_risk_is_proven():
    """Each risk has a category of the profile, a rule, adversarial tasks, and faulty agents, and each of its tasks catches one of them."""
    loaded = suite("customer_service")
    assert {risk.category for risk in loaded.suite.risks} <= set(CATEGORIES)
    assert [
        (proof.risk, proof.problems, proof.untried, proof.untripped) for proof in prove_risks(loaded) if proof.problems or proof.untried
    ] == []


def test_no_adversarial_task_is_without_a_risk(tasks):
    """Every adversarial task tries some risk of the list."""
    named = {task for risk in suite("customer_service").suite.risks for task in risk.tasks}
    assert {task.id for task in tasks if task.adversarial} - named == set()


def _reference(task: Task) -> list[dict]:
    return [msgspec.json.decode(step) for way in task.contract.alternatives for step in way.reference]


def _phrases(text: str) -> set[tuple[str, ...]]:
    # The three details that identify a caller are the same in every conversation with them.
    words = re.sub(r"\bH[LC]-\S+|\bHB\d+ \d\w\w|born|\d+ \w+ \d{4}", " ", text).lower().split()
    return {tuple(words[at : at + 5]) for at in range(len(words) - 4)}
