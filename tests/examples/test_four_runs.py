"""The tables of docs/matching.md are what the program prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def printed(*flags: str) -> str:
    """Return what the program prints."""
    command = [sys.executable, "examples/claims_intake/four_runs.py", *flags]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def rows(table: str) -> dict[str, list[str]]:
    """Return the verdicts of a table by contract."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    return {first: rest for first, *rest in cells}


def test_the_tasks_own_contract_passes_a_b_and_d_and_fails_c():
    """Another order of the checks and a wasteful read are fine; a check that never ran is not."""
    assert rows(printed())["the task's own"] == ["pass", "pass", "fail", "pass"]


def test_only_the_tasks_own_contract_judges_all_seven_runs():
    """Every preset is wrong about at least one of the runs A to G."""
    four, further = rows(printed()), rows(printed("--further"))
    right = [name for name in four if four[name] + further[name] == ["pass", "pass", "fail", "pass", "fail", "fail", "fail"]]
    assert right == ["the task's own"]


@pytest.mark.parametrize("flags", [(), ("--further",)])
def test_the_page_holds_the_tables_that_the_program_prints(flags):
    """docs/matching.md quotes the program, between its marks."""
    page = (ROOT / "docs" / "matching.md").read_text()
    mark = f"<!-- table: {' '.join(('python examples/claims_intake/four_runs.py', *flags))} -->\n"
    assert page.split(mark)[1].split("<!-- end of table -->")[0] == printed(*flags)
