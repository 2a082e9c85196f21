"""The command that checks a file of trajectory cases, and the files there are."""

import json
from pathlib import Path

import pytest

from tests.cases import trajectory

OWN = Path(__file__).parents[2] / "cases" / "own_trajectories.json"
SHARED = Path(__file__).parents[4] / "shared" / "data" / "trajectory_cases.json"


@pytest.mark.parametrize("case", json.loads(OWN.read_text(encoding="utf-8"))["cases"], ids=lambda case: case["id"])
def test_our_own_cases_are_right(case):
    """Every case of our own has its right verdict."""
    judged = trajectory.judge(case)
    assert judged.verdict == judged.right


def test_the_shared_cases_are_right():
    """Every case of the shared file has its right verdict."""
    if not SHARED.exists():
        pytest.skip("the shared cases are not beside this repository")
    assert [judged for judged in trajectory.judge_file(SHARED) if judged.verdict != judged.right] == []


def test_the_command_prints_one_line_a_case_and_the_totals(tmp_path, capsys):
    """It exits 0 only when all are right; a wrong one is counted and marked."""
    assert trajectory.main([str(OWN)]) == 0
    lines = capsys.readouterr().out.splitlines()
    cases = json.loads(OWN.read_text(encoding="utf-8"))["cases"]
    assert lines[-1] == f"{len(cases)} right, 0 wrong"
    assert lines[0] == "path-one pass pass"
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps({"cases": [cases[0] | {"right": "fail"}]}), encoding="utf-8")
    assert trajectory.main([str(wrong)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "0 right, 1 wrong"
    assert trajectory.main([]) == 2
