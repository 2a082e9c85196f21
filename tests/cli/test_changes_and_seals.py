"""`seatrial baseline`, `sign`, `verify`, `diff-manifest` and `run --changed-since` as a person types them."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from seatrial.app.gating import gate
from seatrial.app.sealing import write_decision
from tests._suites import desk
from tests._suites.sailing import StillClock, sail
from tests.cli.program import seatrial


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return desk.write(tmp_path / "suite")


@pytest.fixture
def run(folder: Path, tmp_path: Path) -> Path:
    """A whole run of the suite."""
    sail(folder, "agents:good", output=tmp_path / "r.seatrial")
    return tmp_path / "r.seatrial"


@pytest.fixture
def decision(run: Path, tmp_path: Path) -> Path:
    """The sealed decision on it."""
    write_decision(gate(run, clock=StillClock()).sealed, tmp_path / "d.json")
    return tmp_path / "d.json"


def test_a_baseline_is_set_and_shown(folder: Path, run: Path) -> None:
    """What is set is shown: run, approver, reason, content; before that, what to type."""
    before = seatrial("baseline", "show", folder)
    assert (before.returncode, before.stdout.strip()) == (0, f"{folder} has no baseline: seatrial baseline set {folder} RUN --by NAME")
    assert json.loads(seatrial("baseline", "show", folder, "--json").stdout) is None
    done = seatrial("baseline", "set", folder, run, "--by", "Ann Example", "--why", "first release")
    assert (done.returncode, done.stderr) == (0, "")
    shown = seatrial("baseline", "show", folder)
    assert shown.stdout == done.stdout.partition("next:")[0]
    assert f"{run} (good)" in shown.stdout
    assert re.search(r"approved by: Ann Example, 20\d\d-.*: first release", shown.stdout)
    assert json.loads(seatrial("baseline", "show", folder, "--json").stdout)["by"] == "Ann Example"


def test_a_run_that_no_gate_passes_is_pinned_with_a_note(folder: Path, tmp_path: Path) -> None:
    """A person may approve what fails, and is told that it does."""
    sail(folder, "agents:bad", output=tmp_path / "bad.seatrial")
    done = seatrial("baseline", "set", folder, tmp_path / "bad.seatrial", "--by", "Ann")
    assert done.returncode == 0
    assert "note: the gate does not pass this run by itself: FAIL" in done.stdout


def test_a_suspect_slice_is_signed(folder: Path, run: Path, tmp_path: Path) -> None:
    """A signature is stored and says what to do next; without a baseline or with a wrong slice it is a mistake of the command."""
    sail(folder, "agents:bad", output=tmp_path / "bad.seatrial")
    words = ("--slice", "size=small", "--name", "Ann", "--reason", "read them")
    done = seatrial("sign", tmp_path / "bad.seatrial", *words, "--baseline", run)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "signed size=small, by Ann",
        f"next: seatrial gate {tmp_path / 'bad.seatrial'} --baseline {run} --policy FILE",
    ]
    lost = seatrial("sign", run, *words)
    assert (lost.returncode, "--baseline RUN" in lost.stderr) == (2, True)


@pytest.mark.parametrize("as_json", [False, True])
def test_a_signature_that_lifts_nothing_says_so(run: Path, as_json: bool) -> None:
    """A slice that did not fall may be signed, and who signs is told that it changes nothing; JSON stays the signature alone."""
    words = ("--slice", "size=small", "--name", "Ann", "--reason", "read them", "--baseline", run)
    done = seatrial("sign", run, *words, *(["--json"] if as_json else []))
    assert done.returncode == 0
    assert "it is not suspect against this baseline, so this signature lifts nothing" in (done.stderr if as_json else done.stdout)
    assert not as_json or json.loads(done.stdout)["slice"] == "size=small"


def test_verify_says_same_different_and_unreadable_by_its_exit_code(decision: Path, run: Path, tmp_path: Path) -> None:
    """0 while everything is as it was; 1 with the part that is another; 2 when a file is none or gone."""
    same = seatrial("verify", decision)
    assert (same.returncode, same.stderr) == (0, "")
    assert same.stdout.splitlines()[-1] == "The decision of 2026-01-01 stands: PASS, computed again from the same files."
    assert json.loads(seatrial("verify", decision, "--json").stdout)["same"] is True
    with closing(sqlite3.connect(run)) as connection, connection:
        connection.execute("DELETE FROM grades WHERE task = 'a-1' AND trial = 0")
    other = seatrial("verify", decision)
    assert other.returncode == 1
    assert other.stdout.startswith("grades of the run: changed: it was judged again, or edited (")
    with closing(sqlite3.connect(run)) as connection, connection:
        connection.execute("UPDATE trials SET body = x'00' WHERE task = 'a-1' AND trial = 0")
    damaged = seatrial("verify", decision)
    assert (damaged.returncode, "trial 0 of task 'a-1' cannot be read" in damaged.stderr) == (2, True)
    run.unlink()
    gone = seatrial("verify", decision)
    assert (gone.returncode, "say where it is with --run RUN" in gone.stderr) == (2, True)
    (tmp_path / "no.json").write_text("{}", encoding="utf-8")
    assert seatrial("verify", tmp_path / "no.json").returncode == 2


def test_two_manifests_are_held_against_each_other(folder: Path, run: Path, tmp_path: Path) -> None:
    """What differs stands under what it reaches, and the last line says what to run again."""
    assert seatrial("diff-manifest", run, run).stdout == "Nothing differs: the runs were made of the same.\n"
    sail(folder, "agents:again", output=tmp_path / "other.seatrial", seed=3)
    done = seatrial("diff-manifest", run, tmp_path / "other.seatrial")
    assert done.returncode == 0
    assert done.stdout.startswith("reaches every task:\n  candidate: good → again (another candidate)\n")
    assert "  seed: 0 → 3 (every draw of chance is another)\n" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("Run everything again")
    assert json.loads(seatrial("diff-manifest", run, tmp_path / "other.seatrial", "--json").stdout)["reach"] == "everything"


def test_a_run_since_another_says_what_it_spares(folder: Path, run: Path, tmp_path: Path) -> None:
    """What changed and what is spared is said before the run; the run is partial, so that the exit code is never that of a pass."""
    (folder / "tasks" / "a-2.yaml").write_text(desk.task("a-2").replace("Please close", "Please do close"), encoding="utf-8")
    words = ("run", folder, "--agent", "agents:good", "--changed-since", run, "-o", tmp_path / "since.seatrial")
    assert "1 task spared: only the suite changed, and not in them; 1 to run" in seatrial(*words, "--dry-run").stdout
    done = seatrial(*words)
    assert done.returncode == 4
    assert "tasks changed: they ask, expect or start from something else (1)\n1 task spared" in done.stderr
    assert "--changed-since r.seatrial (1 task spared)" in " ".join(done.stdout.split())


def test_a_run_since_another_of_the_same_has_nothing_to_do(folder: Path, run: Path, tmp_path: Path) -> None:
    """Where nothing changed the exit code is that of an empty selection, and no file is written."""
    words = ("run", folder, "--agent", "agents:good", "--changed-since", run, "-o", tmp_path / "since.seatrial")
    done = seatrial(*words)
    assert (done.returncode, "2 tasks spared, none to run" in done.stderr) == (5, True)
    assert not (tmp_path / "since.seatrial").exists()
