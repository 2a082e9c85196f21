"""What a candidate lost against another one: tasks, and required calls that stopped running."""

from __future__ import annotations

from seatrial.compare.losses import StoppedStep, losses
from tests.compare.runs import always, run, some, task, tasks
from tests.report import summaries


def test_lost_tasks_come_worst_first_and_gains_are_left_out():
    """Only tasks whose strict share fell, the deepest fall first."""
    before = run(tasks(4), some({"t-000": 4, "t-001": 4, "t-002": 3, "t-003": 0}))
    after = run(tasks(4), some({"t-000": 3, "t-001": 0, "t-002": 4, "t-003": 0}))
    assert [lost.task for lost in losses(before, after).tasks] == ["t-001", "t-000"]
    assert losses(before, before).tasks == ()


def test_a_task_with_another_contract_is_another_task():
    """What was asked otherwise was not lost, whatever its id."""
    before = run([task("a"), task("b")], always)
    after = run([task("a", calls=3), task("b")], lambda _task, _trial: "fppp")
    assert [lost.task for lost in losses(before, after).tasks] == ["b"]


def test_a_step_that_never_ran_before_either_did_not_stop():
    """Only what the first candidate did counts as lost."""
    skipping = run([task("a"), task("b")], lambda _task, _trial: "pfpp")
    assert losses(run([task("a"), task("b")], always), skipping).steps == (StoppedStep("coverage", "coverage_rules", 8, ("a", "b")),)
    assert losses(skipping, skipping).steps == ()


def test_a_step_is_counted_over_all_tasks():
    """One line a step, however many tasks it stopped on."""
    (step,) = losses(summaries.baseline(), summaries.shortcut()).steps
    assert (step.requirement, step.call, step.trials, len(step.tasks)) == ("coverage", "coverage_rules", 20, 5)
