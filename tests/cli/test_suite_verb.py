"""`seatrial suite` and `seatrial capture` as a person types them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from seatrial.app.loading import load
from seatrial.records.grade import Verdict
from tests._suites import desk
from tests._suites.sailing import grades, sail
from tests.cli.program import seatrial

AGENTS = '''
def better(task, tools, user):
    """As good as `good`."""
    good(task, tools, user)


def mixed(task, tools, user):
    """Right where it is asked in one way only."""
    if "Please close" in task.input:
        good(task, tools, user)
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tasks = {name: desk.task(name).replace("kind: regression", "kind: capability") for name in ("a-1", "a-2")}
    tasks["a-2"] = tasks["a-2"].replace("Please close", "Be so kind and shut")
    return desk.write(tmp_path / "my suite", AGENTS, tasks=tasks | {"r-1": desk.task("r-1")})


@pytest.fixture
def runs(folder: Path, tmp_path: Path) -> Path:
    for agent in ("good", "better", "mixed", "null"):
        target = "null" if agent == "null" else f"agents:{agent}"
        sail(folder, target, output=tmp_path / "runs" / f"{agent}.seatrial", trials=4)
    return tmp_path / "runs"


def test_status_tells_capability_and_regression_apart_and_proposes_what_works(folder: Path, runs: Path) -> None:
    """Every list says which kind it is about, and the proposed command moves what is saturated."""
    done = seatrial("suite", "status", folder, "--runs", runs)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("desk: 1 capability task saturated, 0 tasks never passed.\n3 versions, newest first: ")
    assert "\nCapability: 2 tasks\n" in done.stdout
    assert "\nRegression: 1 task\n" in done.stdout
    assert "Tell the last versions apart (capability)" in done.stdout
    assert "the run of null shows what the suite tests; it is no version of a candidate" in " ".join(done.stdout.split())
    command = done.stdout.strip().splitlines()[-1].strip()
    assert seatrial(*shlex.split(command)[1:], "--by", "Ann").returncode == 0
    assert {task.id: task.kind for task in load(folder).suite.tasks} == {"a-1": "regression", "a-2": "capability", "r-1": "regression"}


def test_status_as_json_is_the_record(folder: Path, runs: Path) -> None:
    """The JSON holds every task with its standing, and what was left out."""
    found = json.loads(seatrial("suite", "status", folder, "--runs", runs, "--json").stdout)
    assert {task["task"]: task["standing"] for task in found["tasks"]} == {
        "a-1": "dead_weight",
        "a-2": "discriminating",
        "r-1": "holding",
    }
    assert len(found["left_out"]) == 1


def test_graduate_says_what_it_does_and_what_it_would_do(folder: Path, runs: Path) -> None:
    """A dry run writes nothing; when nothing is saturated the exit code is 5 and the reason is told."""
    dry = seatrial("suite", "graduate", folder, "--runs", runs, "--dry-run")
    assert (dry.returncode, dry.stdout.splitlines()[0]) == (0, "1 task would move from capability to regression:")
    assert "kind: capability" in (folder / "tasks" / "a-1.yaml").read_text()
    few = seatrial("suite", "graduate", folder, "--run", runs / "good.seatrial")
    assert (few.returncode, few.stdout.splitlines()[0]) == (5, "nothing moves: only 1 of the last 3 versions is known")
    done = seatrial("suite", "graduate", folder, "--runs", runs, "--json")
    assert json.loads(done.stdout)["tasks"] == ["a-1"]


def test_one_version_is_spoken_of_as_one(folder: Path, runs: Path) -> None:
    """The history of a task that went over on the strength of a single version says so in English."""
    assert seatrial("suite", "graduate", folder, "--run", runs / "good.seatrial", "--last", 1).returncode == 0
    assert "passed every trial of the last version: good" in (folder / "tasks" / "a-1.yaml").read_text()


def test_runs_of_earlier_contracts_ask_for_a_run_of_today(folder: Path, runs: Path) -> None:
    """When tasks were edited since, both commands say that the runs are of earlier contracts, and that the suite must be run again."""
    for path in (folder / "tasks").iterdir():
        path.write_text(path.read_text().replace("calls: 12", "calls: 11"))
    for verb in ("status", "graduate"):
        told = " ".join(seatrial("suite", verb, folder, "--runs", runs).stdout.split())
        assert "trials from before 3 contracts changed say nothing of the task of today" in told
        assert "next: run the suite again" in told
        assert f"seatrial run {shlex.quote(str(folder))} --agent AGENT" in told


def test_without_runs_there_is_nothing_to_say(folder: Path, tmp_path: Path) -> None:
    """Neither a run nor a folder of runs is a mistake of the one who types."""
    for words in ((), ("--runs", tmp_path)):
        done = seatrial("suite", "status", folder, *words)
        assert done.returncode == 2
        assert "give --run RUN or --runs FOLDER" in done.stderr


def test_capture_writes_a_task_and_says_how_to_run_it(folder: Path, runs: Path) -> None:
    """The command that is proposed runs the new task; a trial that passed is refused."""
    done = seatrial("capture", runs / "mixed.seatrial", "a-2", "--suite", folder, "--by", "Ann", "--trial", 1)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("a-2#1 failed, outcome: ")
    assert lines[1] == f"it is now the regression task a-2-captured, in {folder / 'tasks' / 'a-2-captured.yaml'}"
    assert lines[2] == "the recorded calls, played on it, fail again"
    words = shlex.split(lines[-1].removeprefix("next: "))[1:]
    assert words[-2:] == ["--agent", "AGENT"]
    for agent, verdict in (("mixed", Verdict.FAIL), ("good", Verdict.PASS)):
        output = runs / f"again-{agent}.seatrial"
        seatrial(*words[:-1], f"agents:{agent}", "-o", output)
        assert {grade.strict for grade in grades(output).values()} == {verdict}
    passed = seatrial("capture", runs / "mixed.seatrial", "a-1", "--suite", folder)
    assert passed.returncode == 2
    assert "did not fail" in passed.stderr


def test_capture_as_json_is_the_record(folder: Path, runs: Path) -> None:
    """The JSON names the task, its file and the trial."""
    found = json.loads(seatrial("capture", runs / "mixed.seatrial", "a-2", "--suite", folder, "--id", "b-1", "--json").stdout)
    assert (found["task"], found["source"], found["again"]) == ("b-1", "a-2#0", "failed")
