"""What is printed is obeyed by no terminal: words from outside are written out, in every verb and in every error."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from tests._suites import desk
from tests._suites.sailing import sail
from tests.cli.program import seatrial

HARMFUL = "\x1b]0;title\x07\u202e\x9b31m"
"""Names the window, rings, turns the reading direction, and colours what follows."""
AGENTS = f'''
def harmful(task, tools, user):
    """Break down with words that a terminal obeys."""
    raise RuntimeError({HARMFUL!r})
'''


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a suite and the run of an agent that fails with harmful words."""
    folder = tmp_path_factory.mktemp("speech")
    desk.write(folder / "suite", AGENTS)
    sail(folder / "suite", "agents:harmful", output=folder / "run.seatrial")
    return folder


@pytest.mark.parametrize(
    "words",
    [
        ["capture", "run.seatrial", "a-1", "--suite", "suite", "--by", f"Ann{HARMFUL}"],
        ["show", "run.seatrial", "a-1"],
        ["report", "run.seatrial"],
        ["gate", "run.seatrial"],
        ["regrade", "run.seatrial"],
        ["run", "suite", "--agent", "agents:harmful", "--follow", "-o", "again.seatrial"],
        ["suite", "status", "suite", "--run", "run.seatrial"],
        ["show", "run.seatrial", f"a-1{HARMFUL}"],
        ["capture", "run.seatrial", f"a-1{HARMFUL}", "--suite", "suite"],
        ["compare", "run.seatrial", "run.seatrial", "-o", f"{HARMFUL}.md"],
        ["baseline", "set", "suite", "run.seatrial", "--by", f"Ann{HARMFUL}", "--why", f"why {HARMFUL}"],
        ["diff-manifest", "run.seatrial", "run.seatrial"],
    ],
    ids=" ".join,
)
def test_nothing_printed_moves_a_terminal(words: list[str], home: Path) -> None:
    """No verb prints a control or format character but line breaks and tabs, on either stream, whatever a run or a command holds."""
    told = seatrial(*words, folder=home)
    said = told.stdout + told.stderr
    assert said
    assert [sign for sign in said if unicodedata.category(sign)[0] == "C" and sign not in "\n\t"] == []
