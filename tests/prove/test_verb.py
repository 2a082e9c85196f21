"""`seatrial prove` as a person meets it."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.program import seatrial
from tests.prove.suites import TASK, write, written


@pytest.fixture
def weak(tmp_path):
    """A suite with two holes."""
    return write(tmp_path / "suite", written(TASK, ORDER="[]"))


def test_a_sound_suite_is_proven_and_its_proof_is_kept(tmp_path):
    """The last line tells the score, the exit code is 0, and proof.json lies in the folder."""
    folder = write(tmp_path / "suite")
    done = seatrial("prove", folder)
    assert done.returncode == 0, done.stderr
    assert "score 100.0 %" in done.stdout.splitlines()[-1]
    assert json.loads((folder / "proof.json").read_text())["total"]["holes"] == 0


def test_a_hole_is_printed_with_what_closes_it_and_fails(weak):
    """Task, mutant, questions and line of the contract are printed, and the exit code is 1 unless fewer caught ones are enough."""
    done = seatrial("prove", weak)
    assert done.returncode == 1
    assert "t: swap_order(look < close) passes (outcome, process, safety, budget asked)" in done.stdout
    assert "order: [look < close]" in done.stdout
    assert seatrial("prove", weak, "--fail-under", "0.5").returncode == 0


def test_the_last_line_says_why_the_exit_code_is_1(weak, tmp_path):
    """A score that is too small is named with its limit, an error of the suite before any score."""
    assert "is under 100 % (--fail-under)" in seatrial("prove", weak).stdout.splitlines()[-1]
    assert "not proven" not in seatrial("prove", weak, "--fail-under", "0.5").stdout
    broken = write(tmp_path / "broken", suite="invariants: [{no_forbidden_call: {tools: [close]}}]\n")
    *_, told, last = seatrial("prove", broken).stdout.splitlines()
    assert re.search(r"^desk: \d+ errors? of the suite, .*score", told)
    assert re.search(r"^not proven: \d+ errors? of the suite", last)


def test_json_goes_to_a_file_or_to_standard_output(weak, tmp_path):
    """`--json -` prints the proof and nothing else; `--json FILE` writes it beside the text."""
    printed = seatrial("prove", weak, "--json", "-")
    seatrial("prove", weak, "--json", tmp_path / "out.json")
    assert json.loads(printed.stdout) == json.loads((tmp_path / "out.json").read_text())


def test_a_part_of_a_suite_keeps_no_proof(weak):
    """With `--task` nothing is written; a task that is not there ends with 5, a share above 1 with 2."""
    assert seatrial("prove", weak, "--task", "t").returncode == 1
    assert not (weak / "proof.json").exists()
    assert seatrial("prove", weak, "--task", "nobody").returncode == 5
    for share in ("2", "nan", "-1", "95%", ""):
        assert seatrial("prove", weak, "--fail-under", share).returncode == 2, share


def test_a_place_where_no_proof_can_be_kept_is_said_and_nothing_is_lost(tmp_path):
    """Where proof.json leads to a run file, the run file stays as it is, and the exit code is that of the proof."""
    folder, run = write(tmp_path / "suite"), tmp_path / "run.seatrial"
    seatrial("run", folder, "--agent", "reference", "-o", run)
    held = run.read_bytes()
    (folder / "proof.json").symlink_to(run)
    done = seatrial("prove", folder)
    assert done.returncode == 0, done.stderr
    assert "the proof is not kept" in done.stderr
    assert run.read_bytes() == held
