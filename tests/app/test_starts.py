"""A run that cannot start leaves nothing behind, and says what is wrong where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.app.loading import load
from seatrial.base.errors import SeatrialError, SuiteError
from seatrial.store import RunFile
from tests._suites import desk
from tests._suites.sailing import sail

BROKEN_ROW = desk.task("a-2").replace("fixture: base", "fixture: {use: base, with: {tickets: [{ticket_id: T-9, colour: red}]}}")
OPEN = desk.task("a-2").replace("changes: {tickets/T-1: {status: closed}}", "answer: done")


@pytest.mark.parametrize(
    ("task", "agents", "options"),
    [
        (BROKEN_ROW, ["agents:good"], {}),
        (BROKEN_ROW, ["agents:good", "agents:bad"], {}),
        (OPEN.replace("call: close, with: {ticket_id: T-1}", "call: close, with: {ticket_id: T-7}"), ["agents:good"], {}),
        (desk.task("a-2"), ["agents:nobody"], {}),
        (desk.task("a-2"), ["agents:good", "agents:nobody"], {}),
        (desk.task("a-2"), ["agents:good"], {"engine": "sail"}),
    ],
)
def test_a_start_that_fails_creates_nothing(tmp_path: Path, task: str, agents: list[str], options: dict[str, str]) -> None:
    """A record that breaks the schema, a reference that fails, an unknown agent or engine: no run file, whatever came before it."""
    folder = desk.write(tmp_path / "suite", tasks={"a-1": desk.task("a-1"), "a-2": task})
    before = sorted(tmp_path.rglob("*.seatrial*"))
    with pytest.raises(SeatrialError):
        sail(folder, *agents, output=tmp_path / "out", **options)
    assert sorted(tmp_path.rglob("*.seatrial*")) == before
    assert not (tmp_path / "out").exists()


def test_a_start_that_fails_at_the_second_file_takes_the_first_away(tmp_path: Path) -> None:
    """Where one candidate's file cannot be opened, the other's is not left behind empty, and the one that was there stays."""
    folder = desk.write(tmp_path / "suite")
    out = tmp_path / "out"
    sail(folder, "agents:good", "agents:bad", output=out)
    good, bad = sorted(out.iterdir(), key=lambda path: "bad" in path.name)
    good.unlink()
    bad.write_bytes(bad.read_bytes()[:4096])
    with pytest.raises(SeatrialError):
        sail(folder, "agents:good", "agents:bad", output=out)
    assert [path.name for path in out.iterdir()] == [bad.name]


def test_a_record_that_breaks_the_schema_is_told_with_file_and_line(tmp_path: Path) -> None:
    """The place is that of the task that lays the record over its fixture."""
    folder = desk.write(tmp_path / "suite", tasks={"a-2": BROKEN_ROW})
    loaded = load(folder)
    with pytest.raises(SuiteError, match=r"a-2\.yaml:\d+: task 'a-2': "):
        loaded.world(loaded.suite.tasks[0])


def described(folder: Path, text: str) -> Path:
    """Write a suite with a line of its own in suite.yaml, in place of the one of that key."""
    key = text.partition(":")[0] + ":"
    lines = [line for line in desk.SUITE.splitlines() if key != "world:" or not line.startswith(key)]
    return desk.write(folder / "suite", suite="\n".join([*lines, text]) + "\n")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("description: " + "[" * 5000, r"suite\.yaml:\d+: .*nesting"),
        ('world: "a\\0b.py"', r"suite\.yaml:\d+: .*not the name of a file"),
        ("world: ../world.py", r"suite\.yaml:\d+: .*not the name of a file"),
        ("world: [world.py]", r"suite\.yaml:\d+: .*expected a text"),
        ("world: other.py", r"other\.py: .*cannot be read"),
        ("name: again", r"suite\.yaml:\d+: .*stands here twice"),
        ("{", r"suite\.yaml:\d+: .*not YAML"),
    ],
)
def test_a_strange_suite_file_is_told_with_file_and_line(tmp_path: Path, text: str, told: str) -> None:
    """Whatever suite.yaml holds, the name of the world is read by the suite's own safe reader."""
    with pytest.raises(SuiteError, match=told):
        load(described(tmp_path, text))


@pytest.mark.parametrize("text", ["description: 2026-99-99", "description: " + "9" * 5000])
def test_what_looks_like_a_date_or_a_number_is_a_text(tmp_path: Path, text: str) -> None:
    """A date of no calendar and a number of 5,000 digits are texts, as everywhere in a suite."""
    assert load(described(tmp_path, text)).suite.description == text.partition(": ")[2]


@pytest.mark.parametrize(
    ("trials", "notes"), [(1, ("1 task got fewer trials than the suite asks for: 1 in place of 2",)), (2, ()), (None, ()), (3, ())]
)
def test_a_run_with_fewer_trials_than_the_suite_asks_for_says_so(tmp_path: Path, trials: int | None, notes: tuple[str, ...]) -> None:
    """A run of fewer trials is whole and may be decided on, so that whoever reads it must be told; more trials need no note."""
    folder = desk.write(tmp_path / "suite", tasks={"a-1": desk.task("a-1")})
    with RunFile.open(sail(folder, "agents:good", output=tmp_path / "r.seatrial", trials=trials).paths[0]) as file:
        assert file.manifest.notes == notes
