"""A holdout in a folder of its own: joined to its suite, refused where it does not belong, and no change of the suite."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.app.loading import load
from seatrial.app.options import RunOptions
from seatrial.app.reporting import summary_of
from seatrial.app.run import planned, run_candidates
from seatrial.base.errors import SuiteError, UsageError
from seatrial.run import Selection
from seatrial.store import RunFile
from seatrial.suite.holdout import read_holdout
from tests._suites import desk
from tests._suites.hidden import MARK, TASK_ID, write
from tests._suites.sailing import StillClock, sail


def task_file(holdout: Path) -> Path:
    """Return the file of the holdout's only task."""
    return holdout / "tasks" / f"{MARK}.yaml"


def sail_both(suite: Path, holdout: Path | None, output: Path) -> None:
    """Run an agent on a suite with its holdout."""
    run_candidates(load(suite, holdout=holdout), ["agents:nosy"], RunOptions(output=output), clock=StillClock())


def test_its_tasks_stand_behind_the_suites_own_and_are_all_held_out(tmp_path: Path) -> None:
    """The suite, its hash and its own tasks are as they were; the holdout's act in the same world, from fixtures of their own."""
    suite, holdout = write(tmp_path)
    alone, both = load(suite), load(suite, holdout=holdout)
    assert both.suite.hash == alone.suite.hash
    assert both.suite.tasks[:2] == alone.suite.tasks
    assert [(task.id, task.split) for task in both.suite.tasks[2:]] == [(TASK_ID, "holdout")]
    assert (both.lies_apart(TASK_ID), both.lies_apart("a-1")) == (True, False)
    assert f"T-{MARK}9" in str(both.fixture(f"{MARK}-fixture").records)
    assert both.suite.canaries == ("canary-of-the-desk-0001", "canary-of-the-holdout-0001")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"id": ("id: zqxj-id", "id: a-1")}, "two tasks with different contracts have the id 'a-1'"),
        ({"split": ("kind: regression", "kind: regression\nsplit: dev")}, "every task of a holdout is of the split 'holdout'"),
        ({"fixture": ("use: zqxj-fixture", "use: ../suite/fixtures/base")}, "cannot be the name of a fixture"),
    ],
)
def test_a_task_that_does_not_fit_is_an_error(tmp_path: Path, change: dict[str, tuple[str, str]], told: str) -> None:
    """Its owner is told the file, the line and what was expected; whoever runs it, only that there is something."""
    suite, holdout = write(tmp_path)
    path = task_file(holdout)
    for before, after in change.values():
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after), encoding="utf-8")
    with pytest.raises(SuiteError, match=told) as open_error:
        load(suite, holdout=holdout, reveal=True)
    assert f"{path}:" in str(open_error.value)
    with pytest.raises(SuiteError, match="something in the holdout is wrong, and withheld") as closed:
        load(suite, holdout=holdout)
    assert (told in str(closed.value), closed.value.__cause__) == (False, None)


def test_a_holdout_of_another_suite_is_refused(tmp_path: Path) -> None:
    """`suite:` says where it belongs; without it, it belongs nowhere."""
    suite, holdout = write(tmp_path)
    for text, told in (
        ("suite: desks\n", "belongs to the suite 'desks', and this one is 'desk'"),
        ("canary: canary-0123456789\n", "needs `suite`"),
    ):
        (holdout / "holdout.yaml").write_text(text, encoding="utf-8")
        with pytest.raises(SuiteError, match=told):
            load(suite, holdout=holdout)
    (holdout / "holdout.yaml").unlink()
    with pytest.raises(SuiteError, match=r"holds no holdout\.yaml"):
        load(suite, holdout=holdout)


def test_a_holdout_within_the_suite_is_none(tmp_path: Path) -> None:
    """Who reads the suite would read it; a link to it from within changes nothing about that."""
    suite, holdout = write(tmp_path)
    inside = suite / "held"
    holdout.rename(inside)
    (tmp_path / "link").symlink_to(inside)
    for path in (inside, tmp_path / "link"):
        with pytest.raises(SuiteError, match="lie one within the other"):
            load(suite, holdout=path)


def test_a_file_that_leads_out_of_the_holdout_is_refused(tmp_path: Path) -> None:
    """A task or a fixture behind a link to elsewhere is not the holdout's."""
    suite, holdout = write(tmp_path)
    for path in (task_file(holdout), holdout / "fixtures" / f"{MARK}-fixture.json"):
        outside = tmp_path / path.name
        path.rename(outside)
        path.symlink_to(outside)
        with pytest.raises(SuiteError, match="a link to a place outside"):
            load(suite, holdout=holdout, reveal=True)
        path.unlink()
        outside.rename(path)


def test_a_fixture_that_both_have_is_refused(tmp_path: Path) -> None:
    """A task could mean either."""
    suite, holdout = write(tmp_path)
    for folder in (suite, holdout):
        (folder / "fixtures" / "other.json").write_text(desk.FIXTURE, encoding="utf-8")
    path = task_file(holdout)
    path.write_text(path.read_text(encoding="utf-8").replace(f"use: {MARK}-fixture", "use: other"), encoding="utf-8")
    with pytest.raises(SuiteError, match="the suite has a fixture 'other' too"):
        load(suite, holdout=holdout, reveal=True)


def test_its_hash_is_of_what_it_asks_and_not_of_how_it_is_written(tmp_path: Path) -> None:
    """Comments, names of files and `refresh_after` leave it; a task or a fixture changes it."""
    _, holdout = write(tmp_path)
    before, path = read_holdout(holdout).hash, task_file(holdout)
    path.write_text(f"# for nobody\n{path.read_text(encoding='utf-8')}", encoding="utf-8")
    path.rename(path.with_name("other.yaml"))
    (holdout / "holdout.yaml").write_text("suite: desk\nrefresh_after: 3\n", encoding="utf-8")
    assert read_holdout(holdout).hash == before
    (holdout / "fixtures" / f"{MARK}-fixture.json").write_text(desk.FIXTURE, encoding="utf-8")
    assert read_holdout(holdout).hash != before


def test_a_run_may_be_given_its_holdout_later_and_keeps_it(tmp_path: Path) -> None:
    """The plan grows by the holdout's tasks; a later call without it takes nothing away, and none is run twice."""
    suite, holdout = write(tmp_path)
    run = tmp_path / "r.seatrial"
    sail(suite, "agents:nosy", output=run)
    assert (summary_of(run).tasks_planned, summary_of(run).apart, summary_of(run).holdout) == (2, 0, "")
    sail_both(suite, holdout, run)
    found = summary_of(run)
    assert (found.tasks_planned, found.apart, found.holdout, found.withheld) == (3, 1, read_holdout(holdout).hash, 1)
    sail_both(suite, None, run)
    assert (summary_of(run).tasks_planned, summary_of(run).partial) == (3, "")
    plan = planned(load(suite, holdout=holdout), ["agents:nosy"], RunOptions(output=run), clock=StillClock())
    assert (plan.trials, plan.finished) == (0, 6)


def test_two_states_of_a_holdout_are_not_mixed_in_one_run(tmp_path: Path) -> None:
    """A run on a holdout that has changed since is another run."""
    suite, holdout = write(tmp_path)
    run = tmp_path / "r.seatrial"
    sail_both(suite, holdout, run)
    path = task_file(holdout)
    path.write_text(path.read_text(encoding="utf-8").replace("calls: 9", "calls: 8"), encoding="utf-8")
    with pytest.raises(UsageError, match="holds another run: the holdout changed"):
        sail_both(suite, holdout, run)


def test_the_manifest_holds_what_was_given_and_reports_hold_no_canary(tmp_path: Path) -> None:
    """Which tasks came from the holdout, its hash and both canaries are kept; no summary repeats a canary."""
    suite, holdout = write(tmp_path)
    run = tmp_path / "r.seatrial"
    sail_both(suite, holdout, run)
    with RunFile.open(run) as file:
        note = file.manifest.holdout
        assert note is not None
        assert (note.tasks, note.hash) == ((TASK_ID,), read_holdout(holdout).hash)
        assert len(file.manifest.canaries) == 2
    assert "canary-of" not in str(summary_of(run, reveal=True))


@pytest.mark.parametrize("calls", ["part, suite", "suite, part", "part, suite, suite", "dev, suite"])
def test_a_part_of_a_holdout_never_passes_for_the_whole(tmp_path: Path, calls: str) -> None:
    """Whatever calls fill a file, it is partial until each task of the holdout that it was given is planned; then it is whole."""
    suite, holdout = write(tmp_path)
    other = task_file(holdout).read_text(encoding="utf-8").replace(f"id: {TASK_ID}", "id: other", 1)
    (holdout / "tasks" / "other.yaml").write_text(other, encoding="utf-8")
    run = tmp_path / "r.seatrial"
    ways = {
        "part": (holdout, Selection(tasks=("other",))),
        "dev": (holdout, Selection(split="dev")),
        "suite": (None, Selection()),
        "whole": (holdout, Selection()),
    }

    def sail_as(call: str) -> str:
        given, selection = ways[call]
        options = RunOptions(selection=selection, output=run, trials=1)
        run_candidates(load(suite, holdout=given), ["agents:nosy"], options, clock=StillClock())
        return summary_of(run).partial

    assert [sail_as(call) for call in calls.split(", ")][-1]
    assert sail_as("whole") == ""
