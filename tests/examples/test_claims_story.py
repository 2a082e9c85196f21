"""The story on the last screen of `make demo`: routing went up, and the candidate must not ship."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from seatrial.app.reporting import summary_of
from tests.examples._sailing import EXAMPLES


@pytest.fixture(scope="module")
def told(tmp_path_factory) -> tuple[subprocess.CompletedProcess[str], dict[str, Path]]:
    """Run baseline and candidate by the command line and return what it printed, and the run files."""
    folder = tmp_path_factory.mktemp("runs")
    agents = ("--agent", "agents:baseline", "--agent", "agents:candidate")
    command = [sys.executable, "-m", "seatrial", "run", str(EXAMPLES / "claims_intake"), *agents, "-o", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done, {name: next(folder.glob(f"*{name}*.seatrial")) for name in ("baseline", "candidate")}


def test_the_baseline_passes_and_the_candidate_fails(told):
    """By the plain rule – every regression task strict, no violation – the better router must not ship."""
    done, files = told
    assert done.returncode == 1, done.stderr
    assert summary_of(files["baseline"]).decision.value == "pass"
    assert summary_of(files["candidate"]).decision.value == "fail"


def test_the_last_screen_names_the_step_that_never_ran(told):
    """The comparison says that outcomes went up, that the candidate must not ship, and that the coverage check is missing."""
    screen = " ".join(told[0].stdout.split())
    assert "Right outcomes went up from" in screen
    assert "candidate must not ship" in screen
    assert "the required step coverage (coverage_rules) never ran" in screen
    assert "water-001" in screen
