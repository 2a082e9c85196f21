"""The table of docs/matching.md is what the program prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def printed() -> str:
    """Return what the program prints."""
    command = [sys.executable, "examples/claims_intake/four_runs.py"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_the_tasks_own_contract_tells_the_four_runs_apart():
    """A, B and D are right and C is not: only the contract of the task says so."""
    rows = {cells[0]: cells[1:] for line in printed().splitlines()[2:] if (cells := [cell.strip() for cell in line.strip("|").split("|")])}
    assert rows["the task's own"] == ["pass", "pass", "fail", "pass"]
    assert [name for name, cells in rows.items() if cells == ["pass", "pass", "fail", "pass"]][-1] == "the task's own"


def test_the_page_holds_the_table_that_the_program_prints():
    """docs/matching.md quotes the program, between its two marks."""
    page = (ROOT / "docs" / "matching.md").read_text()
    quoted = page.split("four_runs.py -->\n")[1].split("<!-- end of table -->")[0]
    assert quoted == printed()
