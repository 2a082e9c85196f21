"""A run that is killed loses at most the trials in flight; the script `tests.resume_after_kill` does the same ten times over."""

from __future__ import annotations

from pathlib import Path

from tests import resume_after_kill
from tests._suites import desk

AGENTS = '''
import time


def slow(task, tools, user):
    """Take a little while."""
    time.sleep(0.02)
    return good(task, tools, user)
'''


def test_a_killed_run_resumes_to_the_same_grades(tmp_path: Path) -> None:
    """Killed three times with -9 and resumed by the same command: the same traces and grades as unbroken, no trial run twice."""
    suite = desk.write(tmp_path / "suite", AGENTS, tasks={f"a-{n}": desk.task(f"a-{n}") for n in range(10)})
    assert resume_after_kill.prove(suite, "agents:slow", "--trials", "20", "--max-concurrency", "2", kills=3, seed=0) == []
