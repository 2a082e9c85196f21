"""The life of a suite on the disk: solved tasks go over to regression in place, failed trials become tasks that fail again."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.app.capturing import Captured, Naming, capture
from seatrial.app.checking import check
from seatrial.app.lifecycle import Runs, graduate, status
from seatrial.app.loading import load
from seatrial.app.redacting import KEY_VARIABLE
from seatrial.base.errors import SuiteError, UsageError
from seatrial.records.grade import Verdict
from tests._suites import desk
from tests._suites.sailing import StillClock, grades, sail

AGENTS = '''
def better(task, tools, user):
    """As good as `good`, by another way of writing it."""
    tools.look(ticket_id="T-1")
    tools.close(ticket_id="T-1")
    return "Closed: T-1."


def best(task, tools, user):
    """A third version."""
    tools.look(ticket_id="T-1")
    tools.close(ticket_id="T-1")
    return "T-1 is closed now."


def hasty(task, tools, user):
    """Look once, and close whatever came of it, without saying so."""
    tools.call("look", {"ticket_id": "T-1"})
    tools.close(ticket_id="T-1")
    return "Done."


def at_once(task, tools, user):
    """Look and close in one message."""
    tools.together([("look", {"ticket_id": "T-1"}), ("close", {"ticket_id": "T-1"})])
    return "Done."


def lost(task, tools, user):
    """Fail with an error of its own."""
    raise ValueError("I have lost my way")


def stumbling(task, tools, user):
    """Do everything right, and fail with an error of its own."""
    good(task, tools, user)
    raise ValueError("I have lost my way home")


def zealous(task, tools, user):
    """Write the number of the ticket in a way of its own."""
    tools.call("look", {"ticket_id": "T-01"})
    tools.close(ticket_id="T-1")
    return "Done."
'''
WEATHER = "[{tool: look, kind: error, status: 503, rate: 0.5}, {tool: close, kind: latency, seconds: 2, rate: 0.000001}]"


def capability(name: str, faults: str = "[]") -> str:
    """The text of a capability task."""
    return desk.task(name, faults=faults).replace("kind: regression", "kind: capability   # for now")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tasks = {"a-1": capability("a-1"), "a-2": desk.task("a-2"), "a-3": capability("a-3", faults=WEATHER)}
    return desk.write(tmp_path / "suite", AGENTS, tasks=tasks)


def runs(folder: Path, *agents: str, **options: object) -> Runs:
    """The runs of some agents, as versions of one candidate."""
    paths = []
    for agent in agents:
        paths.append(folder.parent / f"{agent}.seatrial")
        sail(folder, f"agents:{agent}", output=paths[-1], **options)
    return Runs(paths)


def captured(folder: Path, run: Path, task: str, **more: object) -> Captured:
    return capture(run, task, folder, clock=StillClock(), **more)  # type: ignore[arg-type]


def standings(folder: Path, of: Runs) -> dict[str, str]:
    return {task.task: task.standing for task in status(folder, of).tasks}


def test_solved_tasks_go_over_in_place(folder: Path) -> None:
    """A capability task that three versions passed becomes a regression task; its file changes in kind and history only."""
    of, path = runs(folder, "good", "better", "best"), folder / "tasks" / "a-1.yaml"
    before = path.read_text()
    found = standings(folder, of)
    assert (found["a-1"], found["a-2"]) == ("dead_weight", "holding")
    assert found["a-3"] not in ("dead_weight", "solved")
    done = graduate(folder, of, by="Ann Example", clock=StillClock())
    assert (done.tasks, done.files, done.written) == (("a-1",), (str(path),), True)
    after = path.read_text()
    added = [line for line in after.splitlines() if line not in before.splitlines()]
    assert added[:2] == ["kind: regression   # for now", "history:"]
    assert "2026-01-01: capability to regression by Ann Example: passed every trial of the last 3 versions: " in added[2]
    assert "good" in added[2]
    assert "6 of 6 trials in all" in added[2]
    kept = [line for line in after.splitlines() if line not in added]
    assert kept == [line for line in before.splitlines() if "kind:" not in line]
    assert {task.id: task.kind for task in load(folder).suite.tasks}["a-1"] == "regression"
    assert standings(folder, of)["a-1"] == "holding"


def test_a_second_graduation_moves_nothing(folder: Path) -> None:
    """What has gone over stays, and nothing is written twice."""
    of = runs(folder, "good", "better", "best")
    graduate(folder, of, clock=StillClock())
    before = (folder / "tasks" / "a-1.yaml").read_text()
    assert graduate(folder, of, clock=StillClock()).tasks == ()
    assert (folder / "tasks" / "a-1.yaml").read_text() == before


def test_a_dry_run_and_too_few_versions_move_nothing(folder: Path) -> None:
    """A dry run says what would move; with fewer versions than are asked for nothing would, unless fewer are asked for."""
    of = runs(folder, "good", "better")
    before = (folder / "tasks" / "a-1.yaml").read_text()
    assert graduate(folder, of).tasks == ()
    done = graduate(folder, of, last=2, dry_run=True)
    assert (done.tasks, [Path(file).name for file in done.files], done.written) == (("a-1",), ["a-1.yaml"], False)
    assert (folder / "tasks" / "a-1.yaml").read_text() == before


def test_a_changed_contract_forgets_its_trials(folder: Path) -> None:
    """When a task asks for something else than it did when it was run, its trials count no more."""
    of, path = runs(folder, "good", "better", "best"), folder / "tasks" / "a-1.yaml"
    path.write_text(path.read_text().replace("Please close", "Do close"))
    found = status(folder, of)
    assert {task.task: task.standing for task in found.tasks}["a-1"] == "not_run"
    assert "say nothing of the task of today: a-1" in found.left_out[0]


def test_a_note_or_another_kind_forgets_nothing(folder: Path) -> None:
    """Bookkeeping – kind, split, slices, history – is no other task."""
    of, path = runs(folder, "good", "better", "best"), folder / "tasks" / "a-1.yaml"
    path.write_text(path.read_text().replace("size: small", "size: large") + "history: [a note]\n")
    assert standings(folder, of)["a-1"] == "dead_weight"


def test_runs_are_found_in_a_folder(folder: Path) -> None:
    """All run files of a folder count, one that was also named only once; one that cannot be read is told."""
    of = runs(folder, "good", "better", "best")
    (folder.parent / "broken.seatrial").write_bytes(b"no run")
    found = status(folder, Runs(of.paths[:1], folder.parent))
    assert sorted(one.runs for one in found.versions) == [1, 1, 1]
    assert any("broken.seatrial cannot be read" in line for line in found.left_out)
    with pytest.raises(UsageError, match="no run was given; give --run RUN or --runs FOLDER"):
        status(folder, Runs())


def test_tasks_of_a_holdout_stand_under_other_names_and_still_go_over(tmp_path: Path) -> None:
    """A holdout task is named nowhere; when it is solved its file is edited like any other."""
    tasks = {"a-1": capability("a-1"), "secret-9": capability("secret-9").replace("split: dev", "split: holdout")}
    folder = desk.write(tmp_path / "suite", AGENTS, tasks=tasks)
    of = runs(folder, "good", "better", "best")
    done = graduate(folder, of, clock=StillClock())
    assert len(done.tasks) == 2
    assert "secret-9" not in str(done.tasks) + str(done.status)
    assert "kind: regression" in (folder / "tasks" / "secret-9.yaml").read_text()


def test_a_failed_trial_becomes_a_task_that_fails_again(folder: Path) -> None:
    """The captured task loads, `check` finds no error, the agent that failed fails it, and a good one passes."""
    (run,) = runs(folder, "bad").paths
    done = captured(folder, run, "a-1", naming=Naming(by="Ann"))
    assert (done.task, done.source, done.again, done.faults) == ("a-1-captured", "a-1#0", "failed", ())
    made = next(task for task in load(folder).suite.tasks if task.id == "a-1-captured")
    source = next(task for task in load(folder).suite.tasks if task.id == "a-1")
    assert made.kind == "regression"
    assert (made.input, made.fixture, made.slices, made.stakes) == (source.input, source.fixture, source.slices, source.stakes)
    assert made.contract == source.contract
    assert made.history[0].startswith("2026-01-01: captured by Ann from bad.seatrial, bad (")
    assert "trial a-1#0: process: required call 'look' (look) was not made" in made.history[0]
    assert check(load(folder)).errors == 0
    for agent, verdict in (("bad", Verdict.FAIL), ("good", Verdict.PASS)):
        again = folder.parent / f"again-{agent}.seatrial"
        sail(folder, f"agents:{agent}", output=again)
        assert {grade.strict for (task, _), grade in grades(again).items() if task == "a-1-captured"} == {verdict}


def test_the_weather_of_the_trial_is_pinned(folder: Path) -> None:
    """A fault that fired by chance fires again on the same call, whatever the seed; one that did not fire is left out."""
    (run,) = runs(folder, "hasty", trials=8).paths
    failed = sorted(trial for (task, trial), grade in grades(run).items() if task == "a-3" and grade.strict is Verdict.FAIL)
    done = captured(folder, run, "a-3")
    assert done.source == f"a-3#{failed[0]}"
    assert [(fault.tool, fault.kind, fault.status, fault.nth, fault.rate) for fault in done.faults] == [("look", "error", 503, (1,), None)]
    for seed in range(3):
        again = folder.parent / f"again-{seed}.seatrial"
        sail(folder, "agents:hasty", output=again, seed=seed)
        assert {grade.strict for (task, _), grade in grades(again).items() if task == "a-3-captured"} == {Verdict.FAIL}
    steady = folder.parent / "steady.seatrial"
    sail(folder, "agents:again", output=steady)
    assert {grade.strict for (task, _), grade in grades(steady).items() if task == "a-3-captured"} == {Verdict.PASS}


def test_concurrent_calls_are_played_concurrently(folder: Path) -> None:
    """Calls that were proposed in one message are proposed in one again, so that a broken order is shown again."""
    (run,) = runs(folder, "at_once").paths
    done = captured(folder, run, "a-1")
    assert "look < close" in done.reason
    assert done.again == "failed"


def test_an_error_of_the_agent_is_no_path(folder: Path) -> None:
    """Where an agent did all that is right and then broke, its path passes: the task is written, and the doubt is said."""
    lost, stumbling = runs(folder, "lost", "stumbling").paths
    assert captured(folder, lost, "a-1", naming=Naming("a-8")).again == "failed"
    done = captured(folder, stumbling, "a-1", naming=Naming("a-9"))
    assert (done.again, done.doubt) == ("not_shown", "the trial ended as agent_error, which no recorded path repeats")
    assert (folder / "tasks" / "a-9.yaml").is_file()


@pytest.mark.parametrize(
    ("agent", "words", "told"),
    [
        ("good", {"task": "a-1"}, "did not fail, and only a failure is worth a regression task"),
        ("bad", {"task": "a-1", "trial": 7}, "has no trial 7 of 'a-1'; it has 0, 1"),
        ("bad", {"task": "a-11"}, "has no trial of a task 'a-11'. Did you mean 'a-1'?"),
        ("bad", {"task": "a-1", "naming": Naming("a-2")}, "has a task 'a-2' already; choose another with --id ID"),
        ("bad", {"task": "a-1", "naming": Naming("../x")}, "cannot be the id of a task"),
    ],
)
def test_what_cannot_be_captured_leaves_nothing_behind(agent: str, words: dict, told: str, folder: Path) -> None:
    """A passing trial, a wrong name and an id that is taken are refused with the way out, and no file is written."""
    (run,) = runs(folder, agent).paths
    before = sorted(path.name for path in (folder / "tasks").iterdir())
    with pytest.raises(UsageError) as error:
        captured(folder, run, **words)
    assert told in str(error.value)
    assert sorted(path.name for path in (folder / "tasks").iterdir()) == before


def test_a_failure_that_the_suite_shows_no_more_is_refused(folder: Path) -> None:
    """When the world has changed so that the recorded calls pass, they make no regression task, and the reason is said."""
    (run,) = runs(folder, "zealous").paths
    world = folder / "world.py"
    lenient = world.read_text().replace('.removeprefix("T-")', '.removeprefix("T-").lstrip("0")')
    world.write_text(lenient.replace('WHERE ticket_id = ?", ticket_id)', """WHERE ticket_id = replace(?, 'T-0', 'T-')", ticket_id)"""))
    with pytest.raises(UsageError, match=r"do not fail any more .*have changed since the run"):
        captured(folder, run, "a-1")
    assert not (folder / "tasks" / "a-1-captured.yaml").exists()


def test_a_task_that_is_not_sound_is_not_kept(folder: Path) -> None:
    """Where the suite has changed so that the reference path fails, no task is written."""
    (run,) = runs(folder, "bad").paths
    (folder / "fixtures" / "base.json").write_text(desk.FIXTURE.replace('"status": "open"}, {', '"status": "closed"}, {'))
    with pytest.raises(SuiteError):
        captured(folder, run, "a-1")
    assert not (folder / "tasks" / "a-1-captured.yaml").exists()


def test_a_holdout_keeps_its_failures(tmp_path: Path) -> None:
    """A failed trial of a holdout task is not copied into the suite."""
    folder = desk.write(tmp_path / "suite", tasks={"a-1": desk.task("a-1").replace("split: dev", "split: holdout")})
    (run,) = runs(folder, "bad").paths
    with pytest.raises(UsageError, match="is a task of the holdout"):
        captured(folder, run, "a-1")


def test_a_run_of_another_suite_is_refused(folder: Path, tmp_path: Path) -> None:
    """A trial of another suite says nothing of this one."""
    other = desk.write(tmp_path / "other", tasks={"a-1": desk.task("a-1")}, suite=desk.SUITE.replace("name: desk", "name: counter"))
    (run,) = runs(other, "bad").paths
    with pytest.raises(UsageError, match="the run is of the suite 'counter'"):
        captured(folder, run, "a-1")


@pytest.fixture
def hiding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The desk, with the holder to be hidden."""
    monkeypatch.setenv(KEY_VARIABLE, "a key of a test, long enough")
    return desk.write(tmp_path / "hiding", tasks={"a-1": desk.task("a-1")}, suite=desk.SUITE + "redact: {fields: [holder]}\n")


def test_a_redacted_run_is_captured_by_the_suites_own_task(hiding: Path) -> None:
    """Where the suite's task, redacted, is the one that was run, it is copied as it is: no pseudonym reaches the new file."""
    (run,) = runs(hiding, "bad").paths
    captured(hiding, run, "a-1")
    text = (hiding / "tasks" / "a-1-captured.yaml").read_text()
    assert "Ann Example" in text
    assert "redacted-" not in text


def test_a_redacted_run_that_hides_its_task_is_refused(hiding: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the suite's task has changed since, or the key is another one, nobody knows what the trial started from."""
    (run,) = runs(hiding, "bad").paths
    path = hiding / "tasks" / "a-1.yaml"
    before = path.read_text()
    path.write_text(before.replace("calls: 12", "calls: 11"))
    with pytest.raises(UsageError, match="has changed since"):
        captured(hiding, run, "a-1")
    path.write_text(before)
    monkeypatch.setenv(KEY_VARIABLE, "another key of a test, long enough")
    with pytest.raises(UsageError, match="redacted with another key"):
        captured(hiding, run, "a-1")
