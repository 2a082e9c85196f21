"""`check`: the suite is loaded and linted, its reference paths are played, and each kind of finding shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.app.checking import Checked, check
from seatrial.app.loading import load
from seatrial.base.errors import SuiteError
from tests._suites import desk
from tests._suites.sailing import grades, sail
from tests.cli.program import seatrial

TASK = desk.task("a-1")
WRITES_WRONG = TASK.replace("ticket_id: T-1}}\n    order", "ticket_id: T-7}}\n    order")
NEVER_MEANT = TASK.replace("tickets/T-1: {status: closed}", "tickets/T-1: {status: open_again}")
READS_NOTHING = TASK.replace("{id: look, call: look, with: {ticket_id: T-1}}", "{id: look, call: look, with: {ticket_id: T-9}}")
ANYTHING = """
id: a-1
kind: capability
input: "Say nothing."
expect:
  outcome: {changes: {}}
  process: {required: [], extras: any}
"""


UNASKED = desk.SUITE + "  provenance: 'off'\n"
DOWN = """
id: a-1
kind: regression
stakes: write
input: "Please close ticket T-1 of Ann Example."
expect:
  ends: fails_closed
  outcome: {changes: {}}
  process:
    required: [{id: down, call: look, with: {ticket_id: T-1}, status: 503}]
faults: [{tool: look, kind: error, status: 503, first: 9}]
"""
RECOVERS = TASK.replace("required:", "required:\n      - {id: failed, call: look, with: {ticket_id: T-1}, status: 503}").replace(
    "faults: []", "faults: [{tool: look, kind: error, status: 503, nth: [1]}]"
)
OTHERWISE = TASK.replace(
    "  budget:",
    """  when_fault:
    outcome: {changes: {tickets/T-2: {status: closed}}}
    process:
      required: [{call: close, with: {ticket_id: T-2}}]
      extras: reads
    reference:
      - {call: look, with: {ticket_id: T-1}}
      - {call: close, with: {ticket_id: T-2}}
  budget:""",
).replace("of Ann Example", "of Ann Example, or T-2")
FAULTY = OTHERWISE.replace("faults: []", "faults: [{tool: look, kind: error, status: 503, first: 9}]")
BY_CHANCE = "faults: [{tool: look, kind: error, status: 503, rate: 0.5}]"


def checked(folder: Path, text: str, suite: str = desk.SUITE) -> Checked:
    """Check a suite of one task."""
    return check(load(desk.write(folder / "suite", tasks={"a-1": text}, suite=suite)))


@pytest.mark.parametrize(
    ("rule", "level", "text", "suite"),
    [
        ("reference_fails", "error", WRITES_WRONG, desk.SUITE),
        ("reference_not_strict", "error", NEVER_MEANT, desk.SUITE),
        ("reference_read_errors", "warning", READS_NOTHING, desk.SUITE),
        ("null_agent_passes", "warning", ANYTHING, desk.SUITE),
        ("one_trial", "warning", TASK, desk.SUITE.replace("trials: 2", "trials: 1")),
        ("outcome_only", "warning", TASK[: TASK.index("  process:")] + "  budget: {calls: 4}\n", desk.SUITE),
        ("no_fault", "warning", TASK, desk.SUITE),
        ("no_adversarial", "warning", TASK, desk.SUITE),
        ("no_holdout", "warning", TASK, desk.SUITE),
        ("safety_not_asked", "warning", TASK, UNASKED),
        ("reference_not_strict", "error", DOWN.replace("status: 503}]\nfaults", "status: 500}]\nfaults"), desk.SUITE),
        ("reference_not_strict", "error", FAULTY.replace("tickets/T-2: {status", "tickets/T-1: {status"), desk.SUITE),
        ("reference_meets_no_fault", "warning", FAULTY.replace("first: 9", "first: 1"), desk.SUITE),
        ("reference_not_played", "warning", OTHERWISE.replace("faults: []", BY_CHANCE), desk.SUITE),
        (
            "reference_not_played",
            "error",
            OTHERWISE.replace("faults: []", BY_CHANCE).replace("outcome: {changes: {tickets/T-2: {status: closed}}}", "outcome: {}"),
            desk.SUITE,
        ),
        ("fault_outlasts_retries", "error", desk.task("a-1", faults="[{tool: look, kind: error, nth: [1, 2, 3, 4, 5]}]"), desk.SUITE),
        (
            "ignored_write",
            "warning",
            TASK.replace("  process:", '    ignore: ["*/status"]\n  process:').replace("tickets/T-1: {status: closed}", ""),
            desk.SUITE,
        ),
    ],
)
def test_each_kind_of_finding_shows(tmp_path: Path, rule: str, level: str, text: str, suite: str) -> None:
    """A suite that is broken or weak in one way has the finding for it, with the task's file, and a way out."""
    found = {finding.rule: finding for finding in checked(tmp_path, text, suite).findings}
    assert rule in found, sorted(found)
    assert found[rule].level == level
    assert found[rule].fix


def test_errors_stand_before_warnings(tmp_path: Path) -> None:
    """What must be mended is read first."""
    levels = [finding.level for finding in checked(tmp_path, WRITES_WRONG).findings]
    assert levels == sorted(levels)
    assert levels[0] == "error"


def test_an_open_outcome_is_what_the_reference_does(tmp_path: Path) -> None:
    """A contract without `changes` is right when the reference path's end state is reached, and a reference that fails is an error."""
    text = TASK.replace("  outcome:\n    changes: {tickets/T-1: {status: closed}}\n", "  outcome: {}\n")
    assert checked(tmp_path, text).errors == 0
    broken = checked(tmp_path / "broken", text.replace("call: close, with: {ticket_id: T-1}", "call: close, with: {ticket_id: T-7}"))
    assert broken.errors


@pytest.mark.parametrize("text", [DOWN, RECOVERS, FAULTY, FAULTY.replace("{changes: {tickets/T-2: {status: closed}}}", "{}")])
def test_what_is_right_only_under_faults_is_played_under_them(tmp_path: Path, text: str) -> None:
    """A task that fails closed, a required failure and `when_fault` meet the task's faults, and are sound when their paths pass."""
    found = checked(tmp_path, text)
    assert [finding for finding in found.findings if finding.rule.startswith("reference")] == []
    assert found.errors == 0
    assert found.references == 1 + ("when_fault" in text)


def test_an_open_outcome_after_a_fault_is_what_its_path_does(tmp_path: Path) -> None:
    """A run stores what the path of `when_fault` changes under the faults, so that it can be judged."""
    text = FAULTY.replace("{changes: {tickets/T-2: {status: closed}}}", "{}")
    agents = """
    def careful(task, tools, user):
        if not any(tools.call("look", {"ticket_id": "T-1"}).ok for _ in range(3)):
            tools.close(ticket_id="T-2")
    """
    sail(desk.write(tmp_path / "suite", agents, tasks={"a-1": text}), "agents:careful", output=tmp_path / "r.seatrial")
    assert {grade.outcome.verdict for grade in grades(tmp_path / "r.seatrial").values()} == {"pass"}


def test_safety_is_asked_unless_every_task_turns_it_off_or_the_gate_does_not_care(tmp_path: Path) -> None:
    """One invariant, one source asked for, or a gate without `no_violation` is enough."""
    ruled = TASK + "invariants: [{no_forbidden_call: {tools: [stuck]}}]\n"
    for name, text, suite in (
        ("ruled", ruled, UNASKED),
        ("sourced", TASK + "provenance: writes\n", UNASKED),
        ("gate", TASK, UNASKED + "gate: {regression_strict: {}}\n"),
    ):
        assert "safety_not_asked" not in {finding.rule for finding in checked(tmp_path / name, text, suite).findings}


def test_a_sound_suite_has_no_errors_and_a_broken_one_exits_1(tmp_path: Path) -> None:
    """Warnings do not fail a check; errors do."""
    desk.write(tmp_path / "sound", tasks={"a-1": TASK})
    desk.write(tmp_path / "broken", tasks={"a-1": WRITES_WRONG})
    sound, broken = (seatrial("check", name, folder=tmp_path) for name in ("sound", "broken"))
    assert (sound.returncode, broken.returncode) == (0, 1)
    assert "0 errors" in sound.stdout
    assert "error: broken/tasks/a-1.yaml:" in broken.stdout


def test_a_world_outside_of_the_suite_is_refused(tmp_path: Path) -> None:
    """`world:` names a file in the suite's folder."""
    (tmp_path / "world.py").write_text(desk.WORLD, encoding="utf-8")
    with pytest.raises(SuiteError, match="outside"):
        load(desk.write(tmp_path / "suite", suite="name: desk\nworld: ../world.py\n"))
