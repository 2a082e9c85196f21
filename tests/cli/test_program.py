"""Every verb as a person meets it: help, JSON, exit codes, and one line for each mistake."""

from __future__ import annotations

import json
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from seatrial.app.gating import gate
from seatrial.app.sealing import write_decision
from seatrial.base import catalogue
from seatrial.store import RunFile
from tests._suites import desk
from tests._suites.sailing import sail
from tests.cli.program import environment, seatrial, start

AGENTS = '''
import os
import sys
import time

from seatrial.base.errors import InfrastructureError

print("imported")


def loud(task, tools, user):
    """Print in every way there is."""
    print("to standard output")
    os.write(1, b"to the descriptor\\n")
    os.system("echo from a child")
    sys.stderr.write("to standard error\\n")
    return good(task, tools, user)


def reading(task, tools, user):
    """Ask the terminal."""
    return input("well? ")


def down(task, tools, user):
    """The service is down."""
    raise InfrastructureError("the model's service is down")


def slow(task, tools, user):
    """Take a while."""
    tools.look(ticket_id="T-1")
    time.sleep(0.4)
    tools.close(ticket_id="T-1")
    return "Closed."


def fails(task, tools, user):
    """Raise in a function of its own."""
    return deeper(tools)


def deeper(tools):
    """Raise."""
    raise ValueError("broken")


def dear(task, tools, user):
    """Cost half a dollar."""
    tools.report_model_call("small-1", usd=0.5)
    return good(task, tools, user)


def half_down(task, tools, user):
    """The service is down now and then."""
    if task.random.random() < 0.5:
        raise InfrastructureError("down")
    return good(task, tools, user)
'''
VERBS = [name.rstrip("_").replace("_", "-") for name in catalogue.built_in("verb")]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four tasks."""
    tasks = {name: desk.task(name) for name in ("a-1", "a-2", "b-1", "b-2")}
    return desk.write(tmp_path_factory.mktemp("cli") / "suite", AGENTS, tasks=tasks)


@pytest.fixture(scope="module")
def recorded(suite: Path) -> Path:
    """A run of the hasty agent."""
    path = suite.parent / "bad.seatrial"
    sail(suite, "agents:bad", output=path)
    return path


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_every_verb_has_help(verb: str) -> None:
    """--help of the program and of each verb explains it and exits 0."""
    result = seatrial(*verb.split(), "--help")
    assert result.returncode == 0
    assert result.stdout.startswith(f"Usage: seatrial {verb}".rstrip())


def test_every_verb_prints_json(suite: Path, recorded: Path, tmp_path: Path) -> None:
    """--json of every verb prints one JSON document on standard output and nothing else there."""
    source = Path("../shared/data/tau_airline/gpt-4o-results.json")
    signed = Path(shutil.copy(recorded, tmp_path / "signed.seatrial"))
    write_decision(gate(recorded).sealed, tmp_path / "sealed.json")
    # Verbs that write into a suite get one of their own: the other tests count the tasks of this one.
    own = Path(shutil.copytree(suite, tmp_path / "own"))
    calls = {
        "new": ("new", tmp_path / "fresh"),
        "check": ("check", suite),
        "run": ("run", suite, "--agent", "agents:loud", "-o", tmp_path / "loud.seatrial"),
        "report": ("report", recorded),
        "show": ("show", recorded, "a-1"),
        "label": ("label", recorded),
        "prove": ("prove", suite),
        "regrade": ("regrade", recorded),
        "baseline": ("baseline", "set", own, recorded, "--by", "Ann"),
        "sign": ("sign", signed, "--slice", "size=small", "--name", "Ann", "--reason", "read", "--baseline", recorded),
        "verify": ("verify", tmp_path / "sealed.json"),
        "diff-manifest": ("diff-manifest", recorded, signed),
        "compare": ("compare", recorded, signed),
        "gate": ("gate", recorded),
        "suite": ("suite", "status", suite, "--run", recorded),
        "capture": ("capture", recorded, "a-1", "--suite", own),
        "budget": ("budget", suite, "--from", recorded),
        "export": ("export", recorded, "--csv", tmp_path / "t.csv"),
        "schema": ("schema", "task"),
        "import": ("import", "tau-bench", source, "-o", tmp_path / "t.seatrial"),
    }
    assert sorted(calls) == sorted(VERBS)
    for verb, words in calls.items():
        if verb == "import" and not source.exists():
            continue
        result = seatrial(*words, "--json")
        assert json.loads(result.stdout) is not None, verb
        assert result.stdout.count("\n") == 1, verb


def test_what_agents_print_goes_to_standard_error(suite: Path, tmp_path: Path) -> None:
    """Prints, raw writes, children and imports of an agent never mix with the report; standard input is empty."""
    result = seatrial("run", suite, "--agent", "agents:loud", "-o", tmp_path / "r.seatrial", "--json")
    assert json.loads(result.stdout)["trials_seen"] == 8
    for words in ("imported", "to standard output", "to the descriptor", "from a child", "to standard error"):
        assert words in result.stderr
    asked = seatrial("run", suite, "--agent", "agents:reading", "-o", tmp_path / "s.seatrial", "--json")
    assert json.loads(asked.stdout)["statuses"][0]["status"] == "agent_error"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--agent", "agents:good"), 0),
        (("--agent", "agents:bad"), 1),
        (("--agent", "agents:good", "--agent", "agents:bad"), 1),
        (("--agent", "agents:goood"), 2),
        (("--agent", "agents:down", "--retries", "0"), 3),
        (("--agent", "agents:half_down", "--retries", "0", "--trials", "4"), 4),
        (("--agent", "agents:good", "--task", "a-1"), 4),
        (("--agent", "agents:good", "--split", "holdout"), 5),
        (("--agent", "agents:good", "--dry-run"), 0),
    ],
)
def test_the_exit_code_says_how_it_went(suite: Path, tmp_path: Path, words: tuple[str, ...], code: int) -> None:
    """0 pass, 1 failed, 2 usage, 3 infrastructure, 4 inconclusive, 5 nothing selected."""
    result = seatrial("run", suite, *words, "-o", tmp_path / "out")
    assert result.returncode == code, result.stderr
    assert "Traceback" not in result.stderr


def test_what_nobody_could_judge_is_inconclusive_and_not_infrastructure(tmp_path: Path) -> None:
    """Where every trial came to its end and a rule of the suite broke on each, the exit code is 4; 3 is for trials that got lost."""
    rule = '\n\n@invariant("breaks")\ndef breaks(trial):\n    """Break."""\n    raise KeyError\n'
    ruled = desk.task("a-1") + "invariants: [breaks]\n"
    folder, path = (
        desk.write(tmp_path / "broken", world=f"from seatrial import invariant\n{desk.WORLD}{rule}", tasks={"a-1": ruled}),
        tmp_path / "b.seatrial",
    )
    assert seatrial("run", folder, "--agent", "agents:good", "-o", path).returncode == 4
    assert seatrial("report", path).returncode == 4


def test_report_exits_as_the_run_did(recorded: Path, tmp_path: Path) -> None:
    """`report` of a failed run exits 1, in every format."""
    assert seatrial("report", recorded).returncode == 1
    for name in ("r.html", "r.md", "r.xml", "r.json"):
        assert seatrial("report", recorded, "-o", tmp_path / name).returncode == 1
        assert (tmp_path / name).stat().st_size > 100


def test_failed_tasks_are_run_alone(suite: Path, recorded: Path, tmp_path: Path) -> None:
    """--failed RUN runs the tasks that failed there; when none did there is nothing to run."""
    sail(suite, "agents:good", output=tmp_path / "good.seatrial")
    words = ("run", suite, "--agent", "agents:good", "--json", "--failed")
    assert json.loads(seatrial(*words, recorded, "-o", tmp_path / "1").stdout)["tasks_planned"] == 4
    assert seatrial(*words, tmp_path / "good.seatrial", "-o", tmp_path / "2").returncode == 5


def test_follow_prints_every_step(suite: Path, tmp_path: Path) -> None:
    """`run SUITE TASK --follow` prints the steps as they happen, one trial after the other, before the report."""
    result = seatrial("run", suite, "a-1", "--agent", "agents:good", "--follow", "-o", tmp_path / "r.seatrial")
    assert result.stdout.count("look") >= 2
    assert result.stdout.index("Please close ticket") < result.stdout.index("Four questions")
    again = seatrial("run", suite, "a-1", "--agent", "agents:good", "--follow", "-o", tmp_path / "r.seatrial")
    assert "finished before" in again.stderr


def test_followed_steps_stand_under_the_name_of_their_trial(suite: Path, tmp_path: Path) -> None:
    """Every trial is named before its first step, and none of another's stands among them."""
    words = ("run", suite, "--agent", "agents:good", "--follow", "--task", "a-*", "--max-concurrency", "4")
    lines = seatrial(*words, "-o", tmp_path / "r.seatrial").stdout.splitlines()
    names = [f"{task}#{trial}" for task in ("a-1", "a-2") for trial in (0, 1)]
    at = sorted(lines.index(name) for name in names)
    assert [" ".join(lines[place + 1].split()[:2]) for place in at] == ["1 user:"] * 4
    assert at == list(range(at[0], at[0] + 4 * 6, 6))


def test_followed_steps_leave_standard_output_to_json(suite: Path, tmp_path: Path) -> None:
    """With --json the steps go to standard error."""
    result = seatrial("run", suite, "a-1", "--agent", "agents:good", "--follow", "--json", "-o", tmp_path / "r.seatrial")
    assert json.loads(result.stdout)["trials_seen"] == 2
    assert "a-1#0" in result.stderr.splitlines()
    assert "Please close ticket" in result.stderr


def test_a_reader_who_goes_away_ends_no_run(tmp_path: Path) -> None:
    """When nobody reads standard output or standard error any more, the run goes on to its end and its code is the decision's."""
    desk.write(tmp_path / "suite")
    run = f"{sys.executable} -m seatrial run suite --agent agents:bad --follow -o r.seatrial"
    command = ["/bin/sh", "-c", f"{run} 2>&1; echo $? >code"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment(), cwd=tmp_path) as process:
        assert process.stdout is not None
        process.stdout.close()
    assert (tmp_path / "code").read_text(encoding="utf-8") == "1\n"
    with RunFile.open(tmp_path / "r.seatrial") as file:
        assert len(file.finished()) == 4


def test_a_full_standard_output_is_named(recorded: Path) -> None:
    """What could not be printed is an error that says where."""
    command = f"{sys.executable} -m seatrial report {recorded} >/dev/full"
    result = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False, env=environment())
    assert result.stderr == "seatrial: standard output: No space left on device\n"


def test_a_closed_standard_output_changes_no_exit_code(recorded: Path) -> None:
    """A program that was started without a standard output exits as the run did, and has nothing to complain about."""
    words = [sys.executable, "-m", "seatrial", "report", str(recorded)]
    done = subprocess.run(["/bin/sh", "-c", f"{shlex.join(words)} >&-"], stderr=subprocess.PIPE, text=True, check=False, timeout=100)
    assert done.returncode == seatrial("report", recorded).returncode
    assert "Traceback" not in done.stderr


def test_code_that_ends_the_program_does_not_choose_its_exit_code(suite: Path) -> None:
    """Code of a suite that leaves by `sys.exit(0)` where nobody expects it makes no verb succeed."""
    folder = suite.parent / "leaver"
    desk.write(folder, "\n\nclass Leaver:\n    def __getattr__(self, name):\n        raise SystemExit(0)\n\n\nleaver = Leaver()\n")
    done = seatrial("run", folder, "--agent", "agents:leaver", "-o", folder / "r.seatrial")
    assert done.returncode != 0
    assert done.stderr


def test_a_short_run_prints_no_progress(tmp_path: Path) -> None:
    """Where there is no terminal, a run that is over at once says nothing but its report."""
    desk.write(tmp_path / "suite")
    assert seatrial("run", "suite", "--agent", "agents:good", folder=tmp_path).stderr == ""


def test_show_says_where_the_agent_raised(suite: Path, tmp_path: Path) -> None:
    """The frames of the agent's own code stand in the trace, without any folder."""
    seatrial("run", suite, "a-1", "--agent", "agents:fails", "-o", tmp_path / "r.seatrial")
    told = seatrial("show", tmp_path / "r.seatrial", "a-1").stdout
    assert "Where the agent raised" in told
    assert [line.split(" in ")[1] for line in told.splitlines() if "agents.py:" in line] == ["fails", "deeper"]
    assert str(suite) not in told


def test_regrade_tells_how_the_decision_changed(suite: Path, tmp_path: Path) -> None:
    """A regrade that turns PASS into FAIL prints both decisions and exits as `report` then does."""
    sail(suite, "agents:good", output=tmp_path / "r.seatrial")
    same = seatrial("regrade", tmp_path / "r.seatrial")
    assert (same.returncode, "decision before and after: PASS" in same.stdout) == (0, True)
    stricter = {name: desk.task(name, calls=1) for name in ("a-1", "a-2", "b-1", "b-2")}
    desk.write(tmp_path / "suite", AGENTS, tasks=stricter)
    flipped = seatrial("regrade", tmp_path / "r.seatrial", "--suite", tmp_path / "suite")
    assert flipped.returncode == 1, flipped.stderr
    assert flipped.stdout.index("decision before: PASS") < flipped.stdout.index("decision after:  FAIL")
    told = json.loads(seatrial("regrade", tmp_path / "r.seatrial", "--suite", tmp_path / "suite", "--json").stdout)
    assert told["decision_after"].startswith("FAIL")
    assert seatrial("report", tmp_path / "r.seatrial").returncode == 1


def test_a_run_stopped_by_its_cost_promises_nothing_else(suite: Path, tmp_path: Path) -> None:
    """The same command would stop again at the ceiling: only a higher one goes on, and it does."""
    words = ("run", suite, "--agent", "agents:dear", "--max-concurrency", "1", "-o", tmp_path / "r.seatrial", "--max-cost")
    stopped = seatrial(*words, "1")
    assert "a higher one goes on" in stopped.stderr
    assert "same command" not in stopped.stderr
    assert seatrial(*words, "100").returncode == 0


def test_the_next_command_of_a_run_can_be_copied(suite: Path, tmp_path: Path) -> None:
    """After a run of a part of the suite the proposed command runs the rest of it in the same file."""
    told = seatrial("run", suite, "a-1", "--agent", "agents:good", "-o", tmp_path / "a run.seatrial").stdout
    command = next(line.strip() for line in told.splitlines() if line.strip().startswith("seatrial run "))
    result = seatrial(*shlex.split(command)[1:])
    assert result.returncode == 0, (command, result.stderr)
    assert "8 of 8 trials" in result.stdout


def test_the_first_failure_stops_and_is_told(suite: Path, tmp_path: Path) -> None:
    """-x says which trial stopped the run."""
    result = seatrial("run", suite, "--agent", "agents:bad", "-x", "--max-concurrency", "1", "-o", tmp_path / "r.seatrial")
    assert result.returncode == 1
    assert "Stopped early" in result.stderr


def test_unknown_costs_are_told_where_they_matter(suite: Path, tmp_path: Path) -> None:
    """--max-cost says of how many trials it does not know the cost."""
    result = seatrial("run", suite, "--agent", "agents:good", "--max-cost", "1", "-o", tmp_path / "r.seatrial")
    assert "cost not known for 8 trials: --max-cost cannot see them" in result.stderr


def test_one_interrupt_finishes_what_is_in_flight(suite: Path, tmp_path: Path) -> None:
    """Ctrl-C once: trials in flight end and are stored, the exit code is 130, and the same command goes on."""
    path = tmp_path / "r.seatrial"
    words = ("run", suite, "--agent", "agents:slow", "--max-concurrency", "2", "-o", path)
    process = _after_first_trial(start(*words), path)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Stopped early: interrupted" in told
    assert "Traceback" not in told
    assert not path.with_name("r.seatrial-wal").exists()
    with RunFile.open(path) as file:
        assert 1 < len(file.finished()) < 8
    assert seatrial(*words).returncode == 0


def test_a_second_interrupt_drops_them(suite: Path, tmp_path: Path) -> None:
    """Ctrl-C twice: what is in flight is dropped, what is stored stays, and the file is whole."""
    path = tmp_path / "r.seatrial"
    process = _after_first_trial(start("run", suite, "--agent", "agents:slow", "--max-concurrency", "1", "-o", path), path)
    process.send_signal(signal.SIGINT)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in told
    with RunFile.open(path) as file:
        assert file.finished()
        assert len(list(file.traces())) == len(file.finished())


def _after_first_trial(process: subprocess.Popen[str], path: Path) -> subprocess.Popen[str]:
    """Wait until a run has stored a trial."""
    for _ in range(1000):
        time.sleep(0.02)
        if path.exists():
            with RunFile.open(path) as file:
                if file.finished():
                    return process
    raise AssertionError("no trial was stored")


def test_a_full_disk_ends_the_run_with_an_intact_file(suite: Path, tmp_path: Path) -> None:
    """When the disk fills while a run is on: exit 3, one line, and the file resumes once there is room."""
    path = tmp_path / "r.seatrial"
    words = ["run", str(suite), "--agent", "agents:good", "--trials", "40", "-o", str(path)]
    limited = f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (90_000, 90_000)); sys.argv[1:] = {words!r}\n"
    program = limited + "from seatrial.cli import main\nmain()"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment(), timeout=100)
    assert result.returncode == 3, result.stderr
    assert result.stderr.splitlines()[-1].startswith("seatrial: ")
    assert "Traceback" not in result.stderr
    resumed = json.loads(seatrial(*words, "--json").stdout)
    assert resumed["trials_seen"] == 160


def test_where_nothing_can_be_written_nothing_is_run(suite: Path, tmp_path: Path) -> None:
    """A folder that cannot be made is a usage error, told before any trial."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    result = seatrial("run", suite, "--agent", "agents:good", "-o", tmp_path / "file" / "r.seatrial")
    assert (result.returncode, result.stdout) == (2, "")
    assert "cannot be made" in result.stderr


def test_a_reader_who_goes_away_changes_no_exit_code(recorded: Path) -> None:
    """`seatrial report RUN | head -1` prints no complaint, and the code is still the decision's."""
    command = f"{sys.executable} -m seatrial report {recorded} --json; echo code $? >&2"
    with subprocess.Popen(["/bin/sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.close()
        told = process.stderr.read() if process.stderr else ""
    assert told.strip() == "code 1"


def test_output_that_is_not_a_terminal_has_no_colour(recorded: Path) -> None:
    """Piped output is plain text; NO_COLOR keeps it plain."""
    for more in ({}, {"NO_COLOR": "1"}):
        assert "\x1b" not in seatrial("report", recorded, **more).stdout


def test_the_written_suite_sails(tmp_path: Path) -> None:
    """`seatrial new`, `check`, `run`: the three commands of the first minute all exit 0."""
    for words in (("new", "rooms"), ("check", "rooms"), ("run", "rooms", "--agent", "agents:careful")):
        result = seatrial(*words, folder=tmp_path)
        assert result.returncode == 0, (words, result.stdout, result.stderr)
    (run,) = (tmp_path / "runs").glob("*.seatrial")
    assert seatrial("report", run).returncode == 0
