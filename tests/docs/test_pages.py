"""Every file and every command of the docs works as written, and prints what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.program import finished
from tests.docs._pages import Command, File, Printed, read

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", *sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md"))]
WIDTH = 140
"""As wide as a page of the docs is written."""
NOT_RUN_HERE = {"make", "git", "pip", "cd", "open"}
"""Commands that set a machine up; `.ci/run` runs them."""


@pytest.mark.parametrize("page", PAGES)
def test_a_page_does_what_it_says(page: str, tmp_path: Path) -> None:
    """A reader who writes the files and runs the commands in order gets the exit codes and the words that the page promises."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    printed = ""
    for item in read(ROOT / page):
        if isinstance(item, File):
            target = tmp_path / item.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(item.text, encoding="utf-8")
        elif isinstance(item, Command):
            printed += _run(item, tmp_path)
        else:
            _assert_was_printed(item, printed)


def _assert_was_printed(quoted: Printed, printed: str) -> None:
    """Each paragraph stands in what was printed, word for word; lines may break elsewhere, and … stands for words left out."""
    seen = " ".join(printed.split())
    for paragraph in quoted.text.split("\n\n"):
        words = ".*".join(re.escape(part) for part in " ".join(paragraph.split()).split("…"))
        assert re.search(words, seen), f"no command above prints this:\n{paragraph}\nbut:\n{printed[-6000:]}"


def _run(command: Command, folder: Path) -> str:
    """Run a command of a page, hold its exit code against the page, and return what it printed."""
    if command.words[0] in NOT_RUN_HERE:
        return ""
    if any("../shared" in word for word in command.words) and not (ROOT.parent / "shared").exists():
        pytest.skip("the handed data are not here, so this page's import cannot be run")
    words = [word.replace("../shared", str(ROOT.parent / "shared")) for word in command.words]
    environment = {**os.environ, "COLUMNS": str(WIDTH), "PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(folder / "config")}
    if words[0] in ("seatrial", ".venv/bin/seatrial"):
        done = finished(words[1:], folder, environment)
    else:
        assert words[0] == "python", f"a page shows a command that no test can run: {words[0]}"
        python = [sys.executable, *words[1:]]
        done = subprocess.run(python, cwd=folder, env=environment, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == command.code, (
        f"{' '.join(words)} exited {done.returncode}, not {command.code}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    )
    return done.stdout + done.stderr
