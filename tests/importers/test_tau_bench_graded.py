"""The 200 recorded airline trials, graded by our rules: the published reliability comes out, and what it hides is shown."""

import json
from collections import Counter
from pathlib import Path

import pytest

from seatrial.grade import compile_task, grade
from seatrial.importers import tau_bench
from seatrial.measure.facts import facts_of
from seatrial.measure.summarise import summarise
from seatrial.records.grade import Verdict
from seatrial.records.graded import GradedTrial

DATA = Path("../shared/data/tau_airline")
RECORDING = DATA / "gpt-4o-results.json"


@pytest.fixture(scope="module")
def imported():
    """Return the recording."""
    if not RECORDING.exists():
        pytest.skip(f"{RECORDING} is not here")
    return tau_bench.read(RECORDING)


@pytest.fixture(scope="module")
def figures(imported):
    """Return the published figures."""
    return json.loads((DATA / "facts.json").read_text())


@pytest.fixture(scope="module")
def graded(imported):
    """Return every trial with its grade and its facts."""
    manifest = imported.manifest
    compiled = {task.id: compile_task(task, manifest.tools, documents=manifest.documents) for task in imported.tasks}
    return [GradedTrial(grade(compiled[trace.identity.task], trace), facts_of(trace)) for trace in imported.traces]


@pytest.fixture(scope="module")
def summary(imported, graded):
    """Return the summary of the run."""
    return summarise(imported.manifest, imported.tasks, graded, seed=0)


def test_outcome_pass_k_is_the_published_one(figures, summary):
    """pass^1 to pass^4 of the outcome are those that the benchmark publishes, to 1e-9."""
    (kind,) = summary.kinds
    found = {str(k): estimate.value for k, estimate in enumerate(kind.outcome.pass_k, 1)}
    assert found == pytest.approx(figures["pass_hat_k"], abs=1e-9)


def test_tasks_where_something_must_be_done_are_a_slice(figures, summary):
    """On the tasks that doing nothing does not pass, pass^1 is much lower."""
    (kind,) = summary.kinds
    (row,) = [row for row in kind.slices if (row.name, row.value) == ("must_act", "yes")]
    assert row.tasks == 31
    assert row.outcome.value == pytest.approx(figures["must_act_31_tasks_pass_hat_k"]["1"], abs=5e-4)


def test_every_trial_has_an_outcome_and_a_process(graded):
    """Nothing is undetermined: the reward is reported for all, and every call was seen."""
    assert {trial.grade.outcome.verdict for trial in graded} == {Verdict.PASS, Verdict.FAIL}
    assert {trial.grade.process.verdict for trial in graded} == {Verdict.PASS, Verdict.FAIL}


def test_the_step_limit_fails_the_budget(figures, graded):
    """A trial that the step limit ended exceeds its budget; no other does."""
    over = [f"{t.grade.task}.{t.grade.trial}" for t in graded if t.grade.budget.verdict is Verdict.FAIL]
    assert sorted(over) == sorted(figures["step_limit_rows"])


def test_rewarded_trials_with_a_wrong_write_fail_the_process(figures, graded):
    """A rewarded trial with a successful write that is not gold has a right answer for the wrong reason."""
    passes = [t for t in graded if t.grade.outcome.verdict is Verdict.PASS]
    assert len(passes) == figures["passes"]
    wrong = Counter(t.grade.process.verdict for t in passes)[Verdict.FAIL]
    assert figures["process"]["passes_with_an_extra_successful_write"] <= wrong
