"""The five agents of claims intake, and the story they are there to tell."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from seatrial.records.trace import AgentMessage
from tests.examples._sailing import EXAMPLES, sail, suite, voyage

AGENTS = ("baseline", "candidate", "careful", "hasty", "flaky")


def share(agent: str, question: str) -> float:
    """Return the share of all trials that pass on one question."""
    grades = [getattr(trial.grade, question) for trial in voyage("claims_intake", f"agents:{agent}")]
    return sum(getattr(grade, "verdict", grade) == "pass" for grade in grades) / len(grades)


def test_the_careful_agent_passes_nearly_everything():
    """What a careful clerk does is right: every expected value can be derived from notice, fixture and policy."""
    assert share("careful", "strict") >= 0.99


def test_the_candidate_routes_more_claims_rightly_than_the_baseline():
    """By the end state alone the candidate is the better agent: about 94 % against about 91 %."""
    baseline, candidate = share("baseline", "outcome"), share("candidate", "outcome")
    assert 0.90 <= baseline <= 0.925
    assert 0.93 <= candidate <= 0.955
    assert candidate > baseline


def test_the_baseline_may_ship():
    """The baseline is strict on every trial of every regression task, and never breaks a rule."""
    trials = voyage("claims_intake", "agents:baseline")
    assert [trial.task.id for trial in trials if trial.task.kind == "regression" and trial.grade.strict != "pass"] == []
    assert [trial.task.id for trial in trials if trial.grade.safety.verdict == "fail"] == []


def test_the_candidate_must_not_ship_because_a_step_never_ran():
    """The candidate fails regression tasks, all of them water claims, because the coverage check is missing."""
    failed = [
        trial for trial in voyage("claims_intake", "agents:candidate") if trial.task.kind == "regression" and trial.grade.strict != "pass"
    ]
    assert failed
    assert {trial.task.slices["loss_type"] for trial in failed} == {"water"}
    assert all("coverage" in missing(trial) and "coverage_rules" not in called(trial) for trial in failed)


def test_the_candidate_is_often_right_for_the_wrong_reason():
    """Most of the trials whose coverage check is missing end in the right queue, so that the outcome cannot show it."""
    skipped = [
        trial
        for trial in voyage("claims_intake", "agents:candidate")
        if "coverage" in missing(trial) and "coverage_rules" not in called(trial)
    ]
    right = [trial for trial in skipped if trial.grade.outcome.verdict == "pass"]
    assert len(right) > len(skipped) / 2
    assert len({trial.task.id for trial in right}) >= 5


def test_the_hasty_agent_shows_near_misses_repeats_and_invented_values():
    """The hasty agent confuses search and lookup, asks twice, and uses values that stand nowhere."""
    grades = [trial.grade for trial in voyage("claims_intake", "agents:hasty")]
    assert any(call.near_miss_of == "policy_lookup" for grade in grades for call in grade.calls)
    assert any(call.kind == "repeat" for grade in grades for call in grade.calls)
    assert any(value.source == "none" for grade in grades for value in grade.sources)


def test_the_flaky_agent_is_right_nine_times_in_ten_and_seldom_every_time():
    """Single trials look good, but few tasks that the flaky agent can do are done on all four trials."""
    trials = voyage("claims_intake", "agents:flaky")
    assert 0.85 <= share("flaky", "strict") <= 0.95
    passed = Counter(trial.task.id for trial in trials if trial.grade.strict == "pass")
    tried = Counter(trial.task.id for trial in trials)
    assert sum(passed[task] == tried[task] for task in tried) / len(tried) < share("flaky", "strict") - 0.1


def test_every_reaction_to_a_fault_is_seen():
    """Across the agents each reaction that a fault can meet with happens at least once."""
    seen = Counter(
        reaction.reaction for agent in AGENTS for trial in voyage("claims_intake", f"agents:{agent}") for reaction in trial.grade.reactions
    )
    assert set(seen) >= {"recovered", "lost", "failed_closed", "escalated", "went_on", "invented", "unaffected"}, seen


@pytest.mark.parametrize("agent", AGENTS)
def test_a_trial_repeats_exactly(agent):
    """Chance comes from the trial's seed alone: a second run leaves the same steps and the same end state."""
    loaded = suite("claims_intake")
    tasks = loaded.suite.tasks[::15]
    once, again = (sail(loaded, f"agents:{agent}", tasks, trials=2) for _ in range(2))
    assert [(trial.trace.steps, trial.trace.changes) for trial in once] == [(trial.trace.steps, trial.trace.changes) for trial in again]


def test_no_agent_knows_a_task():
    """The agents' code names no policy, claim file, postcode or person of the suite."""
    code = "\n".join(path.read_text() for path in sorted((EXAMPLES / "claims_intake" / "agents").glob("*.py")))
    fixture = Path(EXAMPLES / "claims_intake" / "fixtures" / "base.json").read_text()
    holders = {name for holder in re.findall(r'"holder": "([^"]+)"', fixture) for name in [holder]}
    assert not [holder for holder in holders if holder in code]
    assert not [number for number in re.findall(r"HL-\d{5}-[A-Z]", code) if number in fixture]
    assert not re.findall(r"C-\d{4}|(?:water|fire|theft|storm|collision|auto_glass|question|request)-\d{3}", code)


def test_the_claimant_is_told_how_it_ended():
    """No agent that finishes leaves the sender without a word."""
    silent = [
        trial.task.id
        for agent in ("baseline", "careful")
        for trial in voyage("claims_intake", f"agents:{agent}")
        if trial.trace.status == "completed" and not any(isinstance(step, AgentMessage) for step in trial.trace.steps)
    ]
    assert silent == []


def missing(trial) -> list[str]:
    """Return the requirements that no call met."""
    return [row.id for row in trial.grade.requirements if row.status == "missing"]


def called(trial) -> set[str]:
    """Return the names of the tools that were called."""
    return {call.tool for call in trial.trace.calls}
