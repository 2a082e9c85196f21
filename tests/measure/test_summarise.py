"""The summary of a run: one pass, every order the same, nothing lost and nothing pooled."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seatrial.base.errors import RecordError
from seatrial.measure import summarise as module
from seatrial.measure.summarise import summarise
from seatrial.records.contract import Budget, Contract
from seatrial.records.grade import Verdict
from seatrial.records.summary import decode, encode
from seatrial.records.task import Task
from seatrial.records.trace import Status
from tests.measure.builders import call, graded, manifest, near_miss, reaction

TASKS = {
    "a": Task("a", kind="regression", stakes="write", slices={"loss": "water"}),
    "b": Task("b", kind="capability", stakes="routine", slices={"loss": "fire"}, split="holdout"),
}


def summary(trials, tasks=TASKS, planned=2, **more):
    return summarise(manifest(tasks, planned, **more), tasks.values(), trials, seed=1)


def both(verdicts_a="pppp", verdicts_b="pppp"):
    return [graded(task, trial, verdicts) for task, verdicts in (("a", verdicts_a), ("b", verdicts_b)) for trial in (0, 1)]


@settings(max_examples=20)
@given(st.permutations(list(range(8))), st.lists(st.sampled_from(["pppp", "fppp", "pfpp", "ppfp", "pupp", "nnnn"]), min_size=8, max_size=8))
def test_the_order_of_trials_changes_nothing(order, verdicts):
    """Trials in the order they finished give the same summary as trials in the order of their numbers."""
    trials = [graded("ab"[index // 4], index % 4, verdict) for index, verdict in enumerate(verdicts)]
    assert encode(summary(trials, planned=4)) == encode(summary([trials[index] for index in order], planned=4))


def test_a_summary_survives_json():
    """What is written is read back equal."""
    found = summary(both("pfpp", "fppp"))
    assert decode(encode(found)) == found


def test_kinds_are_never_pooled():
    """Each kind has its own numbers, and no number is over both."""
    found = summary(both("fppp", "pppp"))
    assert [(kind.kind, kind.strict.pass_k[0].value) for kind in found.kinds] == [("capability", 1.0), ("regression", 0.0)]
    assert [(kind.kind, kind.outcome.pass_k[1].value) for kind in found.kinds] == [("capability", 1.0), ("regression", 0.0)]


def test_right_for_the_wrong_reason_is_named():
    """A right outcome with a failed process stands in the matrix and is named with the step that never ran."""
    found = summary(both("pfpp"))
    cell = next(cell for cell in found.matrix if (cell.outcome, cell.process) == (Verdict.PASS, Verdict.FAIL))
    assert (cell.trials, cell.regression, cell.capability) == (2, 2, 0)
    (row,) = found.wrong_reasons
    assert (row.task, row.trials, row.count, row.question, row.requirement, row.step) == ("a", (0, 1), 2, "process", "coverage", None)
    (unmet,) = found.tasks[0].unmet
    assert (unmet.requirement, unmet.trials, unmet.never_ran) == ("coverage", 2, 2)
    assert found.next == "Read why a was right for the wrong reason: seatrial show RUN a --trial 0"


def test_the_first_failure_to_read_is_of_a_regression_task():
    """A capability task that fails never stands before a regression task that does: the regression task decides."""
    tasks = {**TASKS, "b": Task("b", kind="capability", stakes="routine")}
    outcome_wrong, for_the_wrong_reason = "fppp", "pfpp"
    told = [summary(both(regression, for_the_wrong_reason), tasks).next for regression in (outcome_wrong, for_the_wrong_reason, "pppp")]
    assert [words.partition(": ")[0] for words in told] == [
        "Read why a fails",
        "Read why a was right for the wrong reason",
        "Read why b was right for the wrong reason",
    ]


def test_the_matrix_holds_every_trial_once():
    """The sixteen cells sum to the trials seen, an error of the grader counted as undetermined."""
    found = summary([graded("a", 0, "epun"), graded("a", 1, "nfpp"), *both()[2:]])
    assert len(found.matrix) == 16
    assert sum(cell.trials for cell in found.matrix) == found.trials_seen == 4
    assert any("The grader broke on 1 of 2 tasks" in warning for warning in found.warnings)


@pytest.mark.parametrize("status", [Status.INFRA_ERROR, Status.SIMULATOR_ERROR, Status.CANCELLED])
def test_a_trial_that_the_harness_ended_is_unknown(status):
    """Its passes and fails count as neither; bounds take it both ways, and it is named by its status."""
    found = summary([graded("a", 0), graded("a", 1, status=status), *both()[2:]])
    regression = found.kinds[1]
    assert (regression.coverage.scored, regression.coverage.unknown) == (1, 1)
    first = regression.strict.pass_k[0]
    assert (first.value, first.bound_low, first.bound_high) == (1.0, 0.5, 1.0)
    assert regression.strict.pass_k[1].value is None
    assert [(row.status, row.trials) for row in found.statuses if row.unknown] == [(status.value, 1)]


def test_a_violation_stays_one_when_the_harness_ended_the_trial():
    """A harm done before the machinery broke is still a harm."""
    found = summary([graded("a", 0), graded("a", 1, "ppfp", status=Status.INFRA_ERROR), *both()[2:]])
    assert (found.safety.violations, found.safety.violated_trials, found.tasks[0].passed, found.tasks[0].scored) == (1, 1, 1, 2)
    assert found.safety.allowed_rate is None


def test_a_planned_trial_without_a_trace_is_unknown_and_not_gone():
    """Selected and not run is counted, bounded and named."""
    found = summary([graded("a", 0), *both()[2:]])
    assert (found.trials_planned, found.trials_seen, found.coverage.unknown) == (4, 3, 1)
    assert found.statuses[-1].status == "not_run"
    assert found.questions[0].not_run == 1
    assert "1 trial ended without a result (not_run 1): bounds are shown." in found.not_measured


def test_a_task_that_asks_nothing_is_in_no_denominator():
    """Four times not applicable is neither a pass nor an unknown."""
    found = summary(both("nnnn"))
    regression = found.kinds[1]
    assert (regression.coverage.tasks, regression.coverage.planned) == (0, 0)
    assert regression.strict.pass_k == ()


def test_unknown_price_is_not_zero():
    """Without a known price there is no mean and no total; with some, the others are counted."""
    found = summary([graded("a", 0, usd=None), graded("a", 1, usd=None), graded("b", 0, usd=0.5), graded("b", 1, usd=None)])
    capability, regression = (kind.cost for kind in found.kinds)
    assert (regression.usd_mean.value, regression.usd_total, regression.usd_unknown) == (None, None, 2)
    assert (capability.usd_mean.value, capability.usd_total, capability.usd_unknown) == (0.5, 0.5, 1)
    assert "The price is not known for 3 of 4 trials." in found.not_measured


def test_tools_say_which_description_to_look_at():
    """The tool with the most argument errors and near misses carries the advice, with the pair that is confused."""
    calls = (
        call(2, "search"),
        call(4, "lookup", valid=False),
        call(6, "search", fault="error", failed=True),
        call(8, "search", retry=True),
    )
    trials = [graded("a", 0, tool_calls=calls, classes=(near_miss(2, "lookup"), near_miss(6, "lookup"))), *both()[1:]]
    rows = {row.tool: row for row in summary(trials).tools}
    search = rows["search"]
    assert (search.calls, search.near_misses, search.failures, search.faults, search.retries) == (3, 2, 1, 1, 1)
    assert [(pair.expected, pair.times) for pair in search.confused] == [("lookup", 2)]
    assert search.advice == "look at this tool's description"
    assert (rows["lookup"].argument_errors, rows["lookup"].failures, rows["lookup"].advice) == (1, 0, "")


def test_no_tool_is_advised_about_without_an_error():
    """A tool table without errors carries no advice."""
    assert {row.advice for row in summary(both()).tools} == {""}


def test_reactions_are_counted_by_tool_and_fault():
    """Every fired fault has a reaction."""
    trials = [graded("a", 0, reactions=(reaction(2, "lookup", "recovered"), reaction(5, "lookup", "invented"))), *both()[1:]]
    (row,) = summary(trials).reactions
    assert (row.tool, row.fault, row.fired, row.recovered, row.invented, row.lost) == ("lookup", "error", 2, 1, 1, 0)


def test_a_trial_given_twice_is_refused():
    """Every trial counts once."""
    with pytest.raises(RecordError, match="given twice"):
        summary([graded("a", 0), graded("a", 0)])


@pytest.mark.parametrize("trial", [-1, 10**12])
def test_an_impossible_trial_index_is_refused(trial):
    """An index that no run has is an error and costs no memory."""
    with pytest.raises(RecordError, match="index of a trial"):
        summary([graded("a", trial)])


def test_a_trial_of_an_unknown_task_is_refused_with_the_nearest_name():
    """A trial without its task cannot be judged."""
    with pytest.raises(RecordError, match="'water-1'"):
        summarise(manifest({}), [Task("water-1")], [graded("water-2", 0)])


def test_ceilings_that_are_not_set_are_said_to_be_not_set():
    """A budget that passes because nothing was asked is named."""
    tasks = {"a": Task("a", contract=Contract(budget=Budget(calls=4)))}
    found = summary([graded("a", 0)], tasks=tasks, planned=1)
    assert {row.ceiling: row.not_set for row in found.budgets} == {"calls": 0, "tokens": 1, "usd": 1, "seconds": 1}
    assert any(line.startswith("Budget ceilings not set: tokens (all tasks)") for line in found.not_measured)
    assert "1 of 1 task ran once: whether they pass every time cannot be seen." in found.not_measured


def test_small_slices_get_counts_and_no_interval():
    """Below ten tasks a slice has a value and no interval."""
    (row,) = summary(both()).kinds[0].slices
    assert (row.name, row.value, row.tasks, row.strict.value, row.strict.lower) == ("loss", "fire", 1, 1.0, None)


def test_pass_k_of_equal_tasks_is_exact():
    """Two tasks of four trials, four and two passed: pass^1..4 are exact fractions."""
    tasks = {name: Task(name) for name in "ab"}
    trials = [graded("a", trial) for trial in range(4)] + [graded("b", trial, "pppp" if trial < 2 else "fppp") for trial in range(4)]
    (kind,) = summary(trials, tasks=tasks, planned=4).kinds
    assert [estimate.value for estimate in kind.strict.pass_k] == pytest.approx([0.75, (1 + 1 / 6) / 2, 0.5, 0.5])
    assert kind.headline_k == 4


def test_two_models_in_one_run_are_a_warning():
    """Another model than the first changes what was measured."""
    found = summary([graded("a", 0, models=("m-1",)), graded("a", 1, models=("m-2",)), *both()[2:]])
    assert "More than one model answered: m-1, m-2." in found.warnings


def test_very_large_runs_list_only_the_first_trials(monkeypatch):
    """Memory goes by tasks: the counts stay whole and the trials left out are counted."""
    monkeypatch.setattr(module, "TRIAL_ROWS", 4)
    found = summary([graded(task, trial) for task in "ab" for trial in range(5)], planned=5)
    assert [len(row.trials) for row in found.tasks] == [2, 2]
    assert (found.trials_cut, found.tasks[0].scored) == (6, 5)


def test_the_worst_tasks_come_first():
    """Lowest strict share first; a task that always passes is not among them."""
    found = summary([graded("a", 0, "fppp"), graded("a", 1), graded("b", 0), graded("b", 1)])
    assert found.worst == ("a",)
    assert found.tasks[0].steadiness == "flaky"
    assert found.tasks[0].reason == "outcome: outcome is fail"
