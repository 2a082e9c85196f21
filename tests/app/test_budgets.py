"""Ceilings are proposed from passing trials of the suite's own tasks, and written for no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.app.budgets import propose, write_proposed
from seatrial.base.errors import UsageError
from tests._suites import desk
from tests._suites.sailing import sail
from tests.cli.program import seatrial


def texts(folder: Path) -> dict[str, str]:
    """Return the task files."""
    return {path.name: path.read_text(encoding="utf-8") for path in (folder / "tasks").iterdir()}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of two tasks."""
    sail(desk.write(tmp_path / "suite"), "agents:good", output=tmp_path / "r.seatrial")
    return tmp_path / "r.seatrial"


def test_ceilings_are_written_for_the_suite_that_was_run(tmp_path: Path, run: Path) -> None:
    """Two calls were used, three are allowed."""
    proposals = propose(tmp_path / "suite", run)
    assert [(one.task, one.passing, one.budget.calls) for one in proposals.budgets] == [("a-1", 2, 3), ("a-2", 2, 3)]
    assert (proposals.unknown, proposals.stranger) == ((), "")
    written = write_proposed(tmp_path / "suite", proposals)
    assert (len(written.files), written.tasks) == (2, ("a-1", "a-2"))
    assert all("calls: 3" in text for text in texts(tmp_path / "suite").values())


@pytest.mark.parametrize(
    ("tasks", "suite", "told"),
    [
        ({"a-1": desk.task("a-1")}, desk.SUITE, "not in this suite: a-2"),
        ({"b-1": desk.task("b-1")}, desk.SUITE, "not in this suite: a-1, a-2"),
        (None, desk.SUITE.replace("name: desk", "name: other"), "another suite, desk"),
    ],
)
def test_tasks_of_another_suite_are_named_and_nothing_is_written(
    tmp_path: Path, run: Path, tasks: dict[str, str] | None, suite: str, told: str
) -> None:
    """Only the suite's own tasks get a ceiling; `--write` refuses as a whole and changes no file."""
    folder = desk.write(tmp_path / "other", tasks=tasks, suite=suite)
    before = texts(folder)
    plain = seatrial("budget", "other", "--from", str(run), folder=tmp_path)
    assert plain.returncode == 0
    assert told in plain.stdout
    assert {line.partition(":")[0] for line in plain.stdout.splitlines() if "budget:" in line} == {
        one for one in ("a-1", "a-2") if f"{one}.yaml" in before
    }
    with pytest.raises(UsageError, match="nothing is written"):
        write_proposed(folder, propose(folder, run))
    written = seatrial("budget", "other", "--from", str(run), "--write", folder=tmp_path)
    assert (written.returncode, "Traceback" in written.stderr) == (2, False)
    assert texts(folder) == before


def test_what_is_written_is_said_with_what_no_longer_compares(tmp_path: Path) -> None:
    """The files, the tasks that have no ceiling and why, and that earlier runs are of other contracts; a second time nothing is written."""
    tasks = {"a-1": desk.task("a-1"), "a-2": desk.task("a-2").replace("status: closed", "status: lost")}
    folder = desk.write(tmp_path / "suite", tasks=tasks)
    sail(folder, "agents:good", output=tmp_path / "r.seatrial")
    (folder / "tasks" / "a-3.yaml").write_text(desk.task("a-3"), encoding="utf-8")
    words = ("budget", "suite", "--from", "r.seatrial")
    plain, done, again = (seatrial(*words, *more, folder=tmp_path) for more in ((), ("--write",), ("--write",)))
    lines = done.stdout.splitlines()
    assert plain.stdout.splitlines() == lines[:3]
    assert lines[1:3] == [
        "left out, for no trial of theirs passed: a-2",
        "left out, for the run does not hold them: 1 task of the suite",
    ]
    assert lines[3:] == [
        "changed: suite/tasks/a-1.yaml",
        "1 contract changed: earlier runs, and a baseline that was pinned, are not held against new ones on these tasks",
        "next: seatrial run suite --agent AGENT",
    ]
    assert again.stdout.splitlines()[-1] == "nothing is written: the files have these ceilings already"
