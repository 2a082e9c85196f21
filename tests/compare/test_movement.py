"""What became of each shared task: gained, lost, gained by a shortcut, right for the wrong reason."""

from __future__ import annotations

from seatrial.compare import compare
from seatrial.compare.movement import flipped
from seatrial.compare.pairing import paired
from seatrial.records.comparison import LostStep, MovementSide
from tests.compare.runs import always, run, some, task, tasks


def test_a_gain_without_the_required_step_is_a_shortcut():
    """More right answers where a required call stopped running is named first, and it is lost under strict."""
    before = run([task("a")], some({"a": 1}))
    found = compare(before, run([task("a")], lambda _task, trial: "pfpp" if trial < 3 else "ffpp", name="candidate"))
    (shortcut,) = found.shortcuts
    assert shortcut.lost_steps == (LostStep("coverage", "coverage_rules", 0, 4),)
    assert (shortcut.before.outcome_passed, shortcut.after.outcome_passed, shortcut.after.wrong_reason) == (1, 3, 3)
    assert found.lost == (shortcut,)
    assert found.gained == found.moved_away == ()
    assert "the outcome gained on a came without the required step coverage" in found.conclusion


def test_a_gain_on_other_trials_is_no_shortcut():
    """Where the trials that skipped the step ended wrong, the right answers were reached by the allowed path."""
    before = run([task("a")], some({"a": 1}))
    found = compare(before, run([task("a")], lambda _task, trial: "pppp" if trial < 3 else "ffpp"))
    assert found.shortcuts == ()
    assert [one.task for one in found.gained] == ["a"]
    assert found.gained[0].lost_steps == (LostStep("coverage", "coverage_rules", 0, 1),)


def test_the_same_answers_by_a_forbidden_path_have_moved_away():
    """Outcome alone sees no change; the comparison does."""
    found = compare(run([task("a")], always), run([task("a")], lambda _task, _trial: "pfpp"))
    assert [one.task for one in found.moved_away] == ["a"]
    assert found.shortcuts == ()
    assert found.kinds[0].outcome.estimate.value == 0
    assert found.kinds[0].movement.before == MovementSide(4, 0, 0, 0)
    assert found.kinds[0].movement.after == MovementSide(0, 4, 0, 0)


def test_shares_are_compared_and_not_counts():
    """A step that never ran in one of two trials before did not stop running when it is missing in two of four."""
    skipping = lambda _task, trial: "pfpp" if trial % 2 else "pppp"  # noqa: E731
    found = compare(run([task("a")], skipping, trials=2), run([task("a")], skipping, trials=4))
    assert [one.lost_steps for one in (*found.lost, *found.gained, *found.moved_away)] == []


def test_the_shown_trials_are_of_one_index_where_there_is_one():
    """A strict trial before stands beside the failed one after that had the same weather."""
    before = run([task("a")], lambda _task, trial: "fppp" if trial == 0 else "pppp")
    (lost,) = compare(before, run([task("a")], lambda _task, trial: "fppp" if trial != 1 else "pppp")).lost
    assert lost.show == (2, 2)


def test_a_task_flips_when_it_loses_half_of_its_trials():
    """One failed trial of four is noise that is listed; two of four, of a task that always passed, is a flip."""
    both = tasks(3)
    before = run(both, some({"t-000": 4, "t-001": 4, "t-002": 3}))
    pairs = paired(before, run(both, some({"t-000": 3, "t-001": 2, "t-002": 0}))).shared
    assert [flipped(pair) for pair in pairs] == [False, True, False]


def test_the_bar_says_which_tasks_are_listed():
    """By outcome alone a skipped step loses nothing; under strict it does."""
    runs = run([task("a")], always), run([task("a")], lambda _task, _trial: "pfpp")
    assert [one.task for one in compare(*runs).lost] == ["a"]
    assert compare(*runs, criterion="outcome").lost == ()


def test_lists_start_with_what_moved_farthest():
    """The deepest fall and the highest rise come first; of equal ones the first by name."""
    both = tasks(4)
    before = run(both, some({"t-000": 4, "t-001": 4, "t-002": 0, "t-003": 0}))
    found = compare(before, run(both, some({"t-000": 3, "t-001": 0, "t-002": 1, "t-003": 4})))
    assert [one.task for one in found.lost] == ["t-001", "t-000"]
    assert [one.task for one in found.gained] == ["t-003", "t-002"]


def test_trials_that_no_outcome_is_asked_of_are_not_unknown():
    """Only a trial whose outcome was asked for and never became known is counted as not known."""
    both = [task("a"), task("b")]
    after = run(both, lambda one, trial: "nppp" if one == "a" else "" if trial else "pppp")
    side = compare(run(both, always), after).kinds[0].movement.after
    assert (side.right, side.wrong_reason, side.wrong, side.unknown) == (1, 0, 0, 3)
