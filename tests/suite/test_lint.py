"""Lint: what a suite that loads still does not test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec import Raw

from seatrial.records.contract import ToolSpec
from seatrial.records.trace import Change
from seatrial.suite import SuiteDefinition, lint, load_suite
from tests.suite.samples import DEFINITION, SUITE, TASK, changed, folder_of, load

WHOLE = SUITE + "defaults: {because: four times a shift}\n"
SECOND = TASK.replace("water-017", "water-018").replace("3 May", "5 May")
GOOD = TASK.replace("kind: regression", "kind: regression\nadversarial: true") + "---\n" + SECOND.replace("split: dev", "split: holdout")


def rules(folder: Path, **more: object) -> set[str]:
    """Names of the rules that find something."""
    return {finding.rule for finding in lint(load(folder), **more)}


def test_a_good_suite_has_no_finding(tmp_path: Path) -> None:
    """A suite with faults, an adversarial task, a holdout, regression tasks and enough trials has no finding."""
    assert lint(load(folder_of(tmp_path, GOOD, suite=WHOLE))) == ()


def test_what_the_whole_suite_lacks_is_found(tmp_path: Path) -> None:
    """One trial, no fault, no adversarial task, no holdout, no regression task, k without a reason: each is found."""
    plain = "id: a\ninput: x\nstakes: write\nexpect: {process: {required: [{call: route}]}}\n"
    found = rules(folder_of(tmp_path, plain, suite=SUITE + "defaults: {trials: 1}\n"))
    assert found == {"no_fault", "no_adversarial", "no_holdout", "no_regression", "one_trial", "k_above_trials", "k_without_reason"}


@pytest.mark.parametrize(
    ("text", "rule", "level", "message"),
    [
        ("id: a\ninput: x\nexpect: {outcome: {changes: {}}}\n", "outcome_only", "warning", "only the outcome is judged"),
        (changed("extras: reads", "extras: any"), "extras_any", "warning", "allows writes too"),
        (changed("stakes: write", "stakes: routine"), "stakes_too_low", "warning", "requires route, which writes"),
        (changed("{$one_of: [water_high]}", "water_hihg"), "impossible_argument", "error", "did you mean 'water_high'"),
        (changed("expect:", "expect:\n  ends: escalation"), "ends_out_of_reach", "error", "no permitted tool hands a case to a person"),
        (changed("expect:", "expect:\n  ends: refusal"), "ends_out_of_reach", "error", "and requires route"),
        (changed("rate: 0.02", "rate: 0.3"), "fault_outlasts_retries", "warning", "in 2.7% of trials"),
        (changed("rate: 0.02", "first: 3"), "fault_outlasts_retries", "error", "no agent can pass"),
        (changed("rate: 0.02", "nth: [2, 3, 4]"), "fault_outlasts_retries", "error", "no agent can pass"),
        (changed("status: 503, rate: 0.02", "status: 404, nth: [1]"), "fault_outlasts_retries", "error", "no agent can pass"),
        (changed("rate: 0.02", "rate: 1"), "fault_outlasts_retries", "error", "no agent can pass"),
    ],
)
def test_a_weak_task_is_found_at_its_line(text: str, rule: str, level: str, message: str, tmp_path: Path) -> None:
    """Each weakness of a task is found, with its level, file, line, and a way out."""
    found = [finding for finding in lint(load(folder_of(tmp_path, "# first line\n" + text))) if finding.rule == rule]
    assert [(each.level, each.line, each.file) for each in found] == [(level, 2, str(tmp_path / "tasks" / "a.yaml"))]
    assert message in found[0].message
    assert found[0].fix


@pytest.mark.parametrize(
    "text",
    [
        changed("rate: 0.02", "first: 2"),
        changed("rate: 0.02", "nth: [1, 3, 5]"),
        changed("kind: error, status: 503, rate: 0.02", "kind: latency, rate: 1"),
        TASK.replace("rate: 0.02", "first: 3").replace("faults:", "  when_fault: {outcome: {changes: {}}}\nfaults:"),
        TASK.replace("rate: 0.02", "first: 3").replace("expect:", "expect:\n  ends: fails_closed"),
    ],
)
def test_faults_that_retries_outlast_or_that_are_expected_are_fine(text: str, tmp_path: Path) -> None:
    """A fault within the retries, one that harms no call, or one with a branch of its own is no finding."""
    assert "fault_outlasts_retries" not in rules(folder_of(tmp_path, text))


def test_tasks_that_contradict_one_another_are_found(tmp_path: Path) -> None:
    """Two tasks of one input and state that expect different things are an error."""
    other = changed("water-017", "water-018").replace("queue: water_high,", "queue: water_low,")
    found = [each for each in lint(load(folder_of(tmp_path, TASK + "---\n" + other))) if each.rule == "contradiction"]
    assert [(each.level, each.task) for each in found] == [("error", "water-018")]


def test_a_slice_that_is_nearly_another_is_found(tmp_path: Path) -> None:
    """A slice that one task alone has, and that is nearly a common one, is found."""
    tasks = [TASK.replace("water-017", f"water-{n}") for n in range(3)] + [changed("loss_type: water", "los_type: water")]
    found = [each for each in lint(load(folder_of(tmp_path, "---\n".join(tasks)))) if each.rule == "lonely_slice"]
    assert [each.task for each in found] == ["water-017"]


def test_a_source_in_an_opaque_text_is_found(tmp_path: Path) -> None:
    """`$from` with a path into a tool that answers a text, or into a field that is not there, is found."""
    task = changed("claim_id: C-1, queue", "claim_id: {$from: policy.holder}, queue")
    folder = folder_of(tmp_path, task)
    for returns, rule in (({"type": "string"}, "source_in_text"), ({"type": "object", "properties": {"holdr": {}}}, "source_unknown")):
        first, *others = DEFINITION.tools
        known = ToolSpec(name=first.name, effect="read", parameters=first.parameters, returns=Raw(json.dumps(returns).encode()))
        definition = SuiteDefinition(tools=(known, *others), collections=DEFINITION.collections)
        suite = load_suite(folder, definition=definition)
        assert rule in {finding.rule for finding in lint(suite)}
    assert "source_in_text" not in rules(folder)


def test_what_running_shows_is_found(tmp_path: Path) -> None:
    """Tasks that the null agent passes, and reference writes that `ignore` hides, are found from what was run."""
    folder = folder_of(tmp_path)
    changes = {"water-017": (Change(path="claims/C-1", kind="updated", after=Raw(b'{"queue":"water_high","updated_at":"now"}')),)}
    found = {finding.rule: finding for finding in lint(load(folder), null_passes=["water-017"], reference_changes=changes)}
    assert found["null_agent_passes"].task == "water-017"
    assert "claims/C-1/updated_at" in found["ignored_write"].message
    assert "claims/C-1/queue" not in found["ignored_write"].message


def test_errors_come_first(tmp_path: Path) -> None:
    """Errors stand before warnings."""
    task = changed("rate: 0.02", "rate: 1").replace("extras: reads", "extras: any")
    levels = [finding.level for finding in lint(load(folder_of(tmp_path, task)))]
    assert levels == sorted(levels)
    assert levels[0] == "error"
