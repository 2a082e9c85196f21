"""`seatrial prove` as the owner of a risk list reads it."""

from __future__ import annotations

from pathlib import Path

from tests.app import test_risks as cases
from tests.cli.program import seatrial


def test_each_risk_says_who_was_caught_and_what_caught_nobody(tmp_path: Path) -> None:
    """The text names for every risk how often each agent was caught, and the rules that nobody broke."""
    risk = cases.GOOD.replace("[look_first]", "[look_first, no_forbidden_call]")
    folder = cases.folder_of(tmp_path, risk)
    world = (folder / "world.py").read_text("utf-8")
    (folder / "world.py").write_text(world.replace("while True:\n        time.sleep(0.01)", "return {}"), "utf-8")
    said = seatrial("prove", folder).stdout
    assert "blind: python:agents:bad caught on 1 of 1 task; no agent broke no_forbidden_call" in said
