"""A mistake of the user is told in one line with the way out, never by a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests._suites import desk
from tests._suites.sailing import sail
from tests.cli.program import seatrial


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a suite, a run, and things that are neither."""
    folder = tmp_path_factory.mktemp("mistakes")
    desk.write(folder / "suite")
    sail(folder / "suite", "agents:good", output=folder / "run.seatrial")
    (folder / "empty").mkdir()
    (folder / "text.txt").write_text("hello", encoding="utf-8")
    (folder / "cut.seatrial").write_bytes((folder / "run.seatrial").read_bytes()[:5000])
    (folder / "nothing.seatrial").touch()
    return folder


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("repot run.seatrial", "Did you mean 'report'"),
        ("report missing.seatrial", "missing.seatrial"),
        ("report text.txt", "not a seatrial run file"),
        ("report cut.seatrial", "cut.seatrial"),
        ("report nothing.seatrial", "it is empty"),
        ("report suite", "suite"),
        ("report run.seatrial -o report.pdf", "says no format"),
        ("report run.seatrial -o empty", "empty"),
        ("report run.seatrial -o nowhere/report.html", "nowhere"),
        ("show run.seatrial a-11", "Did you mean 'a-1'"),
        ("show run.seatrial a-1 --trial 9", "has no trial 9"),
        ("show run.seatrial a-1 --trial x", "x"),
        ("check empty", "seatrial new"),
        ("check missing", "missing"),
        ("run suite", "--agent"),
        ("run suite --agent good", "written module:function"),
        ("run suite --agent agents:good --slice size", "NAME=VALUE"),
        ("run suite --agent agents:good --trials 0", "--trials"),
        ("run suite --agent agents:good --max-cost 0", "--max-cost"),
        ("run suite --agent agents:good --max-cost nan", "finite"),
        ("run suite --agent agents:good --max-cost inf", "finite"),
        ("run suite --agent agents:good --max-cost -inf", "--max-cost"),
        ("run suite --agent agents:good --timeout nan", "finite"),
        ("run suite --agent agents:good --timeout inf", "finite"),
        ("run suite --agent agents:good --timeout 0", "--timeout"),
        (f"run suite --agent agents:good -o {'x' * 250}", "at most 240"),
        (f"run suite --agent agents:good -o {'ü' * 125}", "250 bytes"),
        (f"import tau-bench text.txt -o {'x' * 250}", "at most 240"),
        (f"report run.seatrial -o {'x' * 300}.html", "too long"),
        ("run suite --agent agents:good --engine cloud", "no engine named 'cloud'"),
        ("run suite --agent agents:good --failed text.txt", "not a seatrial run file"),
        ("run suite --agent agents:good -o text.txt", "not a seatrial run file"),
        ("run suite --agent agents:good --agent agents:bad -o text.txt", "text.txt"),
        ("run suite a-11 --agent agents:good", "Did you mean 'a-1'"),
        ("regrade run.seatrial --suite empty", "suite.yaml"),
        ("budget suite --from text.txt", "not a seatrial run file"),
        ("export run.seatrial", "--parquet"),
        ("import tau text.txt -o x.seatrial", "no importer named 'tau'"),
        ("import tau-bench text.txt -o x.seatrial", "text.txt"),
        ("import tau-bench text.txt -o run.seatrial", "run.seatrial"),
        ("new suite", "not empty"),
        ("new text.txt", "text.txt"),
        ("schema tsk", "tsk"),
    ],
)
def test_a_mistake_is_one_line(home: Path, words: str, told: str) -> None:
    """Exit code 2, nothing on standard output, the reason on standard error."""
    result = seatrial(*words.split(), folder=home)
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    assert told in result.stderr
    assert "Traceback" not in result.stderr
    assert not (home / "x.seatrial").exists()


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("suite.yaml", "name: [", "suite.yaml:"),
        ("suite.yaml", "nam: desk\n", "Did you mean 'name'"),
        ("suite.yaml", "- 1\n", "suite.yaml"),
        ("suite.yaml", "name: desk\nworld: ../world.py\n", "suite.yaml"),
        ("suite.yaml", "name: desk\nworld: 7\n", "suite.yaml"),
        ("suite.yaml", "\x00", "suite.yaml"),
        ("world.py", "def (:\n", "world.py:1"),
        ("world.py", "import nothing_like_it\n", "nothing_like_it"),
        ("world.py", "raise SystemExit(7)\n", "world.py"),
        ("world.py", "", "world.py"),
        ("fixtures/base.json", "{", "base.json"),
        ("fixtures/base.json", '{"tickets": [{"ticket_id": "T-1"}]}', "status"),
        ("tasks/a-1.yaml", desk.task("a-2"), "a-2"),
        ("tasks/a-1.yaml", desk.task("../x"), "../x"),
        ("tasks/a-1.yaml", desk.task("a-1", calls=0), "a-1.yaml:"),
        ("tasks/a-1.yaml", desk.task("a-1").replace("call: look", "call: lok"), "Did you mean 'look'"),
        ("tasks/a-1.yaml", desk.task("a-1").replace("[look < close]", "[look < close, close < look]"), "a-1.yaml:"),
        ("tasks/a-1.yaml", desk.task("a-1", faults="[{tool: look, kind: eror, rate: 0.1}]"), "Did you mean 'error'"),
        ("tasks/a-1.yaml", "7", "a-1.yaml"),
        ("tasks/a-1.yaml", "", "a-1"),
        ("agents.py", "def good(task, tools, user):\n    return 1 +\n", "agents.py:2"),
        ("agents.py", "raise SystemExit(7)\n", "agents.py:1"),
    ],
)
def test_a_mistake_in_a_file_names_the_place(tmp_path: Path, file: str, text: str, told: str) -> None:
    """Whatever is wrong in a suite's file: one line with the file, and the line in it where it is known."""
    suite = desk.write(tmp_path / "suite")
    (suite / file).write_text(text, encoding="utf-8")
    result = seatrial("run", "suite", "a-1", "--agent", "agents:good", folder=tmp_path)
    assert result.returncode == 2, (result.stdout, result.stderr)
    assert "Traceback" not in result.stderr
    assert result.stderr.startswith("seatrial: ")
    assert result.stderr.count("\n") == 1
    assert told in result.stderr
