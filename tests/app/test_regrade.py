"""Judging again: the same by the same contract, without the world; by a changed suite what has changed, and reports show it."""

from __future__ import annotations

import shutil
from pathlib import Path

import apsw
import pytest

from seatrial.app.loading import load
from seatrial.app.regrade import regrade
from seatrial.app.rendering import rendered
from seatrial.app.reporting import summary_of
from seatrial.app.show import trial_of
from seatrial.base.errors import RunFileError
from tests._suites import desk
from tests._suites.sailing import grades, sail
from tests.cli.program import seatrial

AGENTS = '''
def other_spelling(task, tools, user):
    """Name the ticket as people do."""
    tools.call("look", {"ticket_id": "t-1"})
    tools.look(ticket_id="T-1")
    tools.close(ticket_id="T-1")
'''


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """The desk."""
    return desk.write(tmp_path / "suite", AGENTS)


def test_a_regrade_equals_the_first_grade(suite: Path, tmp_path: Path) -> None:
    """Graded again from the file alone – suite and world gone – every grade is the same, the suite's own normalisers included."""
    for agent in ("good", "bad", "other_spelling"):
        path = tmp_path / f"{agent}.seatrial"
        sail(suite, f"agents:{agent}", output=path)
    before = {path: grades(path) for path in tmp_path.glob("*.seatrial")}
    shutil.rmtree(suite)
    for path, first in before.items():
        result = regrade(path)
        assert (result.trials, result.changed, result.left_out) == (4, (), ())
        assert grades(path) == first


def test_a_regrade_mends_damaged_grades(suite: Path, tmp_path: Path) -> None:
    """Where stored grades cannot be read the errors say to grade again, and grading again makes them whole."""
    path = tmp_path / "r.seatrial"
    sail(suite, "agents:bad", output=path)
    before = grades(path)
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE grades SET body = x'00ff' WHERE trial = 0")
    connection.close()
    with pytest.raises(RunFileError, match="Grade the run again"):
        summary_of(path)
    told = seatrial("regrade", str(path))
    assert (told.returncode, "4 trials graded again" in told.stdout) == (1, True)
    assert grades(path) == before


def test_a_changed_suite_judges_anew_and_every_report_shows_it(suite: Path, tmp_path: Path) -> None:
    """By a contract that no longer asks for the look, the hasty agent passes: in the grades, the summary, `show` and HTML; and back."""
    path = tmp_path / "r.seatrial"
    sail(suite, "agents:bad", output=path)
    text = (suite / "tasks" / "a-1.yaml").read_text(encoding="utf-8")
    lax = text.replace("      - {id: look, call: look, with: {ticket_id: T-1}}\n", "").replace("    order: [look < close]\n", "")
    (suite / "tasks" / "a-1.yaml").write_text(lax, encoding="utf-8")
    (suite / "tasks" / "a-2.yaml").unlink()
    result = regrade(path, loaded=load(suite))
    assert result.changed == ("a-1#0: fail → pass", "a-1#1: fail → pass")
    assert result.left_out == ("a-2",)
    assert {key: grade.strict for key, grade in grades(path).items()} == {
        ("a-1", 0): "pass",
        ("a-1", 1): "pass",
        ("a-2", 0): "fail",
        ("a-2", 1): "fail",
    }
    assert trial_of(path, "a-1", 0).grade.strict == "pass"
    assert {row.task: sum(trial.strict == "pass" for trial in row.trials) for row in summary_of(path).tasks} == {"a-1": 2, "a-2": 0}
    for form in ("html", "markdown", "terminal", "json"):
        assert "Judged again by the suite" in rendered(summary_of(path), path, form)
    assert regrade(path).changed == ("a-1#0: pass → fail", "a-1#1: pass → fail")


def test_a_report_says_that_another_suite_lifted_a_violation(suite: Path, tmp_path: Path) -> None:
    """A suite without the rule that was broken finds no violation; the run says that it judged, until its own contracts judge again."""
    ruled = desk.task("a-1") + "invariants: [{no_forbidden_call: {tools: [close]}}, {no_forbidden_call: {tools: [stuck]}}]\n"
    (suite / "tasks" / "a-1.yaml").write_text(ruled, encoding="utf-8")
    path = tmp_path / "r.seatrial"
    sail(suite, "agents:good", output=path)
    assert summary_of(path).safety.violated_trials == 2
    assert summary_of(path).notes == ()
    regrade(path, loaded=load(suite))
    assert summary_of(path).notes == ()
    lax = ruled.replace("{no_forbidden_call: {tools: [close]}}, ", "")
    (suite / "tasks" / "a-1.yaml").write_text(lax, encoding="utf-8")
    for _ in range(2):
        regrade(path, loaded=load(suite))
        (note,) = summary_of(path).notes
        assert note.startswith(f"Judged again by the suite desk ({load(suite).suite.hash[:12]})")
    assert summary_of(path).safety.violated_trials == 0
    regrade(path)
    assert summary_of(path).notes == ()
    assert summary_of(path).safety.violated_trials == 2


def test_damaged_trials_are_taken_out_on_request(suite: Path, tmp_path: Path) -> None:
    """A trial that cannot be read stops a regrade with the way out; taken out, the others are graded and it is run again."""
    path = tmp_path / "r.seatrial"
    sail(suite, "agents:good", output=path)
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE trials SET body = x'00' WHERE task = 'a-1' AND trial = 1")
    connection.close()
    with pytest.raises(RunFileError, match="a-1"):
        regrade(path)
    result = regrade(path, discard_damaged=True)
    assert [(one.task, one.trial) for one in result.discarded] == [("a-1", 1)]
    assert result.trials == 3
    assert sail(suite, "agents:good", output=path).ran == 1
