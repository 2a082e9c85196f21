"""The proof of the risk list, and the rows of a run's report that come from it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from seatrial.app.loading import load
from seatrial.app.regrade import regrade
from seatrial.app.rendering import rendered
from seatrial.app.reporting import summary_of
from seatrial.app.risks import prove_risks
from seatrial.measure.zero_violations import allowed_rate
from seatrial.records.risk import RiskProof
from seatrial.store import RunFile
from tests._suites import desk
from tests._suites.sailing import sail

RULE = "{rule: before_any, id: look_first, arguments: {first: look, then: close}}"
SUITE = desk.SUITE + f"invariants: [{RULE}, {{no_forbidden_call: {{tools: [stuck]}}}}]\n"
TASKS = {name: desk.task(name) + "adversarial: true\n" * (name != "a-3") for name in ("a-1", "a-2", "a-3")}
RISK = "id: blind, sentence: A ticket is closed unseen., owner: desk, severity: high"
GOOD = f"{RISK}, invariants: [look_first], tasks: [a-1, a-3], faulty_agents: ['python:agents:bad']"
AGENTS = '''
def meddler(task, tools, user):
    """Call what is forbidden."""
    good(task, tools, user)
    tools.call("stuck", {"no": "such argument"})
'''


def folder_of(tmp_path: Path, *risks: str) -> Path:
    """A suite with these risks."""
    folder = desk.write(tmp_path / "suite", AGENTS, tasks=TASKS, suite=SUITE)
    (folder / "risks.yaml").write_text("".join(f"- {{{risk}}}\n" for risk in risks), encoding="utf-8")
    return folder


def proof_of(tmp_path: Path, risk: str) -> RiskProof:
    (found,) = prove_risks(load(folder_of(tmp_path, risk)))
    return found


def test_a_risk_is_proven_by_an_agent_that_its_rule_catches(tmp_path: Path) -> None:
    """The faulty agent is played on the adversarial tasks of the risk only; the proof counts plays and catches and names the rule."""
    found = proof_of(tmp_path, GOOD)
    assert (found.proven, found.adversarial, found.untripped, found.untried) == (True, 1, (), ())
    assert [(agent.played, agent.caught, agent.rules) for agent in found.agents] == [(1, ("a-1",), ("look_first",))]


@pytest.mark.parametrize(
    ("risk", "told"),
    [
        (GOOD.replace("invariants: [look_first], ", ""), "no rule answers it"),
        (GOOD.replace("[a-1, a-3]", "[a-3]"), "no adversarial task tries it"),
        (GOOD.replace("tasks: [a-1, a-3], ", ""), "no adversarial task tries it"),
        (GOOD.replace(", faulty_agents: ['python:agents:bad']", ""), "no faulty agent shows that its rules can fail"),
        (
            GOOD.replace("agents:bad", "agents:good"),
            "none of its rules catches the faulty agent python:agents:good on any of 1 adversarial task$",
        ),
        (GOOD.replace("[look_first]", "[no_forbidden_call]"), "none of its rules catches the faulty agent python:agents:bad"),
        (GOOD.replace("agents:bad", "agents:bat"), "the faulty agent python:agents:bat cannot be played: .*Did you mean 'bad'"),
    ],
)
def test_what_keeps_a_risk_from_being_proven(tmp_path: Path, risk: str, told: str) -> None:
    """No rule, no adversarial task, no faulty agent, an agent that is not caught, by another's rule, or not there: said in words."""
    found = proof_of(tmp_path, risk)
    assert not found.proven
    assert len(found.problems) == 1
    assert re.search(told, found.problems[0])


@pytest.mark.parametrize("end", ["SystemExit(0)", "SystemExit('gone')", "GeneratorExit", "BaseException('odd')"])
def test_a_faulty_agent_that_ends_the_program_ends_its_trial_only(tmp_path: Path, end: str) -> None:
    """An agent that leaves by `sys.exit` is not caught, and the proof says so; it does not become the end of the proof."""
    folder = folder_of(tmp_path, GOOD.replace("agents:bad", "agents:leaver"))
    with (folder / "agents.py").open("a", encoding="utf-8") as file:
        file.write(f"\n\ndef leaver(task, tools, user):\n    raise {end}\n")
    (found,) = prove_risks(load(folder))
    assert [(agent.played, agent.caught) for agent in found.agents] == [(1, ())]
    assert not found.proven


def test_an_agent_that_a_ceiling_stopped_is_told_from_one_that_kept_the_rules(tmp_path: Path) -> None:
    """Where the budget ended the trial before a rule could break, the proof names the status and the ceiling."""
    tasks = TASKS | {"a-1": re.sub(r"budget: \{calls: \d+", "budget: {calls: 1", TASKS["a-1"])}
    assert tasks != TASKS
    folder = desk.write(tmp_path / "suite", AGENTS, tasks=tasks, suite=SUITE)
    risk = GOOD.replace("agents:bad", "agents:good").replace("id: blind", "id: slow")
    (folder / "risks.yaml").write_text(f"- {{{risk}}}\n", encoding="utf-8")
    (found,) = prove_risks(load(folder))
    assert "on any of 1 adversarial task; a ceiling stopped it on 1 of them (budget_exceeded: " in found.problems[0]
    assert "the budget of 1 call is used up" in found.problems[0]


def test_one_agent_that_is_not_caught_is_one_too_many(tmp_path: Path) -> None:
    """Every agent that a risk names must be caught; the rules that none of them broke, and the tasks without a catch, are listed."""
    risk = GOOD.replace("[look_first]", "[look_first, no_forbidden_call]").replace("[a-1, a-3]", "['a-*']")
    found = proof_of(tmp_path, risk.replace("['python:agents:bad']", "['python:agents:bad', 'agents:good']"))
    assert (found.proven, found.untripped, found.untried) == (False, ("no_forbidden_call",), ())
    both = proof_of(tmp_path, risk.replace("['python:agents:bad']", "['python:agents:bad', 'agents:meddler']"))
    assert (both.proven, both.untripped) == (True, ())


def test_a_proof_is_the_same_twice(tmp_path: Path) -> None:
    """Nothing of the clock or of chance is in it."""
    folder = folder_of(tmp_path, GOOD, GOOD.replace("blind", "again"))
    assert prove_risks(load(folder)) == prove_risks(load(folder))


def rows(path: Path) -> dict[str, tuple[int, ...]]:
    return {
        row.risk: (row.listed, row.tasks, row.trials, row.unknown, row.violations, row.violated_trials, row.elsewhere)
        for row in summary_of(path).risks
    }


def test_a_run_counts_trials_and_violations_of_each_risk(tmp_path: Path) -> None:
    """Violations of a risk's rules on its tasks, and apart those on others; rules that no risk names stand under that title."""
    other = GOOD.replace("id: blind", "id: other").replace("[a-1, a-3]", "[a-2]")
    folder = folder_of(tmp_path, GOOD, other, "id: open, sentence: Nobody looks.")
    for agent, seen, unnamed in (
        ("good", {"blind": (2, 2, 4, 0, 0, 0, 0), "other": (1, 1, 2, 0, 0, 0, 0)}, []),
        ("bad", {"blind": (2, 2, 4, 0, 4, 4, 2), "other": (1, 1, 2, 0, 2, 2, 4)}, []),
        ("meddler", {"blind": (2, 2, 4, 0, 0, 0, 0), "other": (1, 1, 2, 0, 0, 0, 0)}, [("no_forbidden_call", 6)]),
    ):
        path = tmp_path / f"{agent}.seatrial"
        sail(folder, f"agents:{agent}", output=path)
        assert rows(path) == seen | {"open": (0, 0, 0, 0, 0, 0, 0)}
        assert [(row.rule, row.violations) for row in summary_of(path).unnamed_rules] == unnamed


def test_no_violation_is_a_bound_by_tasks_and_by_trials(tmp_path: Path) -> None:
    """Without a violation the rate still allowed is that of `zero_violations`; with one it is higher, with nothing known there is none."""
    folder = folder_of(tmp_path, GOOD, "id: open, sentence: Nobody looks.")
    sail(folder, "agents:good", output=tmp_path / "good.seatrial")
    sail(folder, "agents:bad", output=tmp_path / "bad.seatrial")
    good, silent = summary_of(tmp_path / "good.seatrial").risks
    assert (good.allowed_per_task, good.allowed_per_trial) == pytest.approx((allowed_rate(2), allowed_rate(4)))
    assert (silent.allowed_per_task, silent.allowed_per_trial) == (None, None)
    bad = summary_of(tmp_path / "bad.seatrial").risks[0]
    assert (bad.allowed_per_task, bad.allowed_per_trial) == (1.0, 1.0)


def test_what_was_not_run_is_not_known(tmp_path: Path) -> None:
    """Planned trials without a trace count as not known, never as clean."""
    folder = folder_of(tmp_path, GOOD)
    path = tmp_path / "r.seatrial"
    sail(folder, "agents:good", output=path)
    with RunFile.open(path) as file:
        manifest, tasks, traces = file.manifest, file.tasks(), list(file.traces())
    part = tmp_path / "part.seatrial"
    with RunFile.create(part, manifest, tasks.values()) as file:
        file.append(traces[0])
    assert rows(part) == {"blind": (2, 1, 1, 3, 0, 0, 0)}


def test_the_list_stays_with_the_run(tmp_path: Path) -> None:
    """With the suite gone a regrade and every report still have the risks, the sentence and the owner of one that came true."""
    folder = folder_of(tmp_path, GOOD)
    path = tmp_path / "r.seatrial"
    sail(folder, "agents:bad", output=path)
    before = rows(path)
    shutil.rmtree(folder)
    regrade(path)
    assert rows(path) == before
    summary = summary_of(path)
    for form in ("terminal", "markdown"):
        assert "blind (owner: desk): A ticket is closed unseen." in rendered(summary, path, form)
    assert json.loads(rendered(summary, path, "json"))["risks"][0]["owner"] == "desk"
    assert '"owner":"desk"' in rendered(summary, path, "html")


def test_an_accepted_exception_stands_in_every_report_and_lifts_nothing(tmp_path: Path) -> None:
    """Who narrowed a rule is told with every run of that suite; a violation fails it as before."""
    folder = folder_of(tmp_path, GOOD)
    accepted = (
        "exceptions: [{rule: before_any, what: Test tickets may be closed unseen., why: They are empty., by: Bo, on: '2026-11-02'}]\n"
    )
    (folder / "suite.yaml").write_text(SUITE + accepted, encoding="utf-8")
    path = tmp_path / "r.seatrial"
    sail(folder, "agents:bad", output=path)
    assert summary_of(path).decision.value == "fail"
    for form in ("terminal", "markdown", "json", "html"):
        assert "by Bo on 2026-11-02: Test tickets may be closed unseen." in " ".join(
            rendered(summary_of(path), path, form).replace("\\", "").split()
        )
