"""The 200 recorded airline trials of τ-bench: every figure of `facts.json` that a recording can show."""

import json
from pathlib import Path

import pytest

from seatrial.importers import tau_bench
from tests.importers.recordings import value

DATA = Path("../shared/data/tau_airline")
RECORDING = DATA / "gpt-4o-results.json"


@pytest.fixture(scope="module")
def figures():
    """Return the published figures."""
    if not RECORDING.exists():
        pytest.skip(f"{RECORDING} is not here")
    return json.loads((DATA / "facts.json").read_text())


@pytest.fixture(scope="module")
def facts(figures):
    """Return our counts."""
    return tau_bench.facts_of(RECORDING)


@pytest.fixture(scope="module")
def imported(figures):
    """Return the recording with its fixture."""
    return tau_bench.read(RECORDING, DATA)


@pytest.fixture(scope="module")
def traces(imported):
    """Return all traces."""
    return tuple(imported.traces)


def test_sizes(figures, facts):
    """Rows, tasks, trials, passes and calls are those of the recording."""
    assert (facts.rows, facts.tasks, facts.trials, facts.passes) == tuple(figures[k] for k in ("rows", "tasks", "trials", "passes"))
    assert facts.tool_calls == figures["tool_calls"]
    assert {"ok": facts.writes_ok, "error": facts.writes_failed} == figures["write_calls"]


def test_endings(figures, facts):
    """How trials ended is derived rightly, with the rows of the step limit; the one that may have passed is found."""
    assert dict(facts.ended) == figures["ended"]
    assert sorted(facts.step_limit_rows) == sorted(figures["step_limit_rows"])
    assert facts.may_have_passed == figures["pass_if_graded"]


def test_repeated_ids_and_calls(figures, facts):
    """Repeated call ids, repeated identical calls and failed calls are counted."""
    assert facts.trials_with_repeated_ids == figures["trajectories_with_repeated_call_ids"]
    assert facts.repeated_calls == figures["process"]["repeated_identical_calls"]
    assert facts.failed_calls == figures["process"]["error_calls"]


def test_process_of_the_passes(figures, facts):
    """Missed reads and writes beyond the gold ones among the rewarded trials are counted."""
    expected = figures["process"]
    assert facts.passes_with_missed_read == expected["passes_with_a_missed_gold_read"]
    assert facts.passes_with_extra_attempted_write == expected["passes_with_an_extra_attempted_write"]
    assert facts.passes_with_extra_successful_write == expected["passes_with_an_extra_successful_write"]


def test_tasks_that_doing_nothing_passes(figures, facts, imported):
    """The tasks that a do-nothing agent passes are found, and are a slice of their own."""
    assert [int(task) for task in facts.do_nothing_tasks] == figures["do_nothing_passes_tasks"]
    assert sum(task.slices["must_act"] == "yes" for task in imported.tasks) == 31


def test_the_later_fixture_is_recognised(figures, imported):
    """Against the later fixture every first look-up of a user differs, by the one renamed field."""
    expected = figures["replay_on_the_later_fixture (these users.json files)"]
    (note,) = [note for note in imported.manifest.notes if note.startswith("fixture ")]
    count, trials = expected["divergent_observations"], expected["divergent_trajectories"]
    assert f"{count} differ in {trials} trials: get_user_details: address.province was renamed to address.state ({count} times)" in note


def test_every_observation_stands_beside_its_call(traces):
    """Pairing by position is right for every call: a looked-up reservation is the one that was asked for."""
    looked = [c for t in traces for c in t.calls if c.tool == "get_reservation_details" and c.succeeded]
    assert len(looked) > 300
    assert all(value(c.proposed)["reservation_id"] == value(c.observation)["reservation_id"] for c in looked)


def test_the_contracts_are_those_of_the_tasks(imported, traces):
    """Every trace names the contract of its task, and every planned trial is there."""
    contracts = {task.id: task.contract_hash for task in imported.tasks}
    assert all(trace.identity.contract == contracts[trace.identity.task] for trace in traces)
    assert {(t.identity.task, t.identity.trial) for t in traces} == {(p.task, n) for p in imported.manifest.plan for n in range(p.trials)}


def test_the_policy_is_a_document(imported):
    """The system prompt is the policy that the agent was given."""
    assert imported.manifest.documents["policy"].startswith("# Airline Agent Policy")
