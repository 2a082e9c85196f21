"""Several candidates side by side: the answer got better, and it must not ship."""

from seatrial.report import candidates
from tests.report import summaries


def test_the_story_is_told_in_one_sentence():
    """Outcome went up, the decision is no, the tasks are named, and so is the step that never ran."""
    story = candidates.story(summaries.baseline(), summaries.shortcut())
    assert story.startswith(
        "Right outcomes went up from 87.5 % to 96.9 % on capability tasks, went up from 92.2 % to 93.8 % on regression tasks, "
        "and candidate must not ship: "
    )
    assert "water-005" in story
    assert story.endswith("the required step coverage (coverage_rules) never ran in 20 more trials.")


def test_a_better_candidate_without_a_loss_may_ship():
    """Nothing lost is nothing named."""
    assert candidates.story(summaries.baseline(), summaries.perfect()).endswith("and careful may ship.")


def test_lost_tasks_come_worst_first_and_gains_are_left_out():
    """Only tasks whose strict share fell, the deepest fall first."""
    lost = candidates.lost_tasks(summaries.baseline(), summaries.shortcut())
    before = {row.task: row.passed / row.scored for row in summaries.baseline().tasks}
    falls = [row.passed / row.scored - before[row.task] for row in lost]
    assert falls == sorted(falls)
    assert max(falls) < 0
    assert candidates.lost_tasks(summaries.baseline(), summaries.perfect()) == ()


def test_a_step_that_never_ran_before_either_is_not_lost():
    """Only what the first candidate did counts as lost."""
    (step,) = candidates.lost_steps(summaries.baseline(), summaries.shortcut())
    assert (step.requirement, step.call, step.trials, len(step.tasks)) == ("coverage", "coverage_rules", 20, 5)
    assert candidates.lost_steps(summaries.shortcut(), summaries.shortcut()) == ()


def test_the_table_fits_80_columns_and_pools_no_kinds():
    """One table a kind, at most 80 wide, the commands at the end."""
    text = candidates.render([summaries.baseline(), summaries.shortcut()], runs=["a.seatrial", "b.seatrial"], width=80, colour=False)
    assert max(map(len, text.splitlines())) <= 80
    assert "Capability: 8 tasks" in text
    assert "Regression: 16 tasks" in text
    assert text.rstrip().splitlines()[-1].strip() == "seatrial show b.seatrial water-005"
