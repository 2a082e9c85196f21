"""Every verb and every renderer: nothing of a holdout task leaves by any of them unless it is asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from seatrial.app.withholding import aliases_of
from seatrial.base import catalogue
from seatrial.cli._group import run as program
from seatrial.records.task import Task
from tests._suites.hidden import MARK, TASK_ID, write
from tests.cli.program import seatrial

ALIAS = aliases_of([Task(TASK_ID, split="holdout")])[TASK_ID]
OWNERS = {"check", "prove", "new", "schema", "import"}
"""Verbs that read no run of this suite, or that are for whoever writes its tasks."""


@dataclass(frozen=True)
class Place:
    """Two runs of a suite with its holdout."""

    suite: Path
    holdout: Path
    first: Path
    second: Path
    best: Path
    told: str
    """What the runs printed."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Two agents that repeat what they were told, one doing it wrong, the other breaking down; and the right way."""
    folder = tmp_path_factory.mktemp("hidden")
    suite, holdout = write(folder)
    first, second, best = (folder / f"{name}.seatrial" for name in ("first", "second", "best"))
    common = ("--holdout", holdout, "--by", "Ann")
    told = [
        seatrial("run", suite, "--agent", "agents:nosy", *common, "--dry-run", "-o", first),
        seatrial("run", suite, "--agent", "agents:nosy", *common, "--follow", "-o", first),
        seatrial("run", suite, "--agent", "agents:nosier", *common, "--json", "-o", second),
        seatrial("run", suite, "--agent", "reference", *common, "-o", best),
        seatrial("run", suite, TASK_ID, "--agent", "agents:nosier", *common, "-x", "-o", folder / "third.seatrial"),
        seatrial("run", suite, "--task", f"{MARK}-i", "--agent", "agents:nosier", *common),
    ]
    assert [each.returncode for each in told] == [0, 1, 1, 4, 1, 2], told
    words = "".join(each.stdout + each.stderr for each in told)
    # What was typed is no secret: the name that the last two calls were given.
    return Place(suite, holdout, first, second, best, words.replace(f"--task {TASK_ID}", "").replace(f"'{MARK}-i'", ""))


def words_of(verb: str, place: Place, folder: Path) -> Iterator[list[object]]:
    """Yield calls of a verb that draw all that it can; files go to a folder."""
    run, other, best, suite = place.first, place.second, place.best, place.suite
    calls: dict[str, list[list[object]]] = {
        "report": [
            [run],
            [best],
            [run, "--json"],
            *([run, "--sources", "-o", folder / f"report.{end}"] for end in ("html", "md", "xml", "json")),
        ],
        "show": [[run, ALIAS], [run, ALIAS, "--json"], [run, f"{MARK}-i"]],
        "label": [
            [best],
            [best, "--json"],
            [best, "--task", ALIAS, "--trial", 0, "--verdict", "safe", "--by", "Ann", "--note", "read"],
            [best, "--task", f"{MARK}-i", "--trial", 0, "--verdict", "safe", "--by", "Ann", "--note", "read"],
        ],
        "export": [[run, "--csv", folder / "t.csv", "--labels", folder / "l.jsonl"], [run, "--parquet", folder / "tables", "--json"]],
        "regrade": [[run], [run, "--json"], [run, "--suite", suite]],
        "compare": [
            [best, run, "--criterion", "outcome"],
            [best, run, "--json"],
            *([best, run, "-o", folder / f"compare.{end}"] for end in ("html", "md", "json")),
            [best, run, other],
            [best, run, other, "-o", folder / "several.md"],
            [run, other, "--cost", "calls"],
            [run, other, "--cost", "calls", "-o", folder / "plane.svg"],
        ],
        "gate": [
            [run, "--holdout", place.holdout],
            [run, "--baseline", best, "--json", "--github"],
            *([run, "--baseline", other, "-o", folder / f"gate.{end}"] for end in ("json", "md", "xml")),
        ],
        "verify": [[folder / "gate.json"], [folder / "gate.json", "--json"]],
        "diff-manifest": [[run, other], [run, other, "--json"]],
        "suite": [
            ["status", suite, "--run", run, "--run", other, "--all"],
            ["status", suite, "--run", run, "--holdout", place.holdout, "--json"],
            ["graduate", suite, "--run", run, "--dry-run"],
        ],
        "capture": [[run, ALIAS, "--suite", suite], [run, f"{MARK}-i", "--suite", suite]],
        "baseline": [["set", suite, run, "--by", "Ann"], ["show", suite]],
        "sign": [[run, "--slice", "size=small", "--name", "Ann", "--reason", "read", "--baseline", other, "--json"]],
        "budget": [[suite, "--from", run], [suite, "--from", run, "--json"]],
    }
    yield from ([verb, *words] for words in calls[verb])


def verbs() -> list[str]:
    """Return every verb that reads runs, `run` apart; one that this file does not know fails its test."""
    found = [name.rstrip("_").replace("_", "-") for name in catalogue.built_in("verb")]
    return [name for name in found if name not in OWNERS and name != "run"]


def call(words: list[object], capfd: pytest.CaptureFixture[str]) -> str:
    """Run the program in this process and return everything that it printed."""
    capfd.readouterr()
    program([str(word) for word in words])
    told = capfd.readouterr()
    assert "Traceback" not in told.err
    return told.out + told.err


def text_of(path: Path) -> str:
    """Return everything that can be read out of a file, tables unpacked."""
    if path.suffix == ".parquet":
        from pyarrow import parquet

        return json.dumps(parquet.read_table(path).to_pylist(), default=str)
    return path.read_bytes().decode("utf-8", "replace")


@pytest.mark.parametrize("verb", verbs())
def test_no_verb_lets_anything_of_a_holdout_task_out(
    verb: str, place: Place, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither on the screen, nor in an error, nor in any file that is written."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "step.md"))
    if verb == "verify":
        call(["gate", place.first, "-o", tmp_path / "gate.json"], capfd)
    for words in words_of(verb, place, tmp_path):
        told = call(words, capfd)
        assert told
        assert MARK not in told.replace(f"'{MARK}-i'", "").lower(), words
    for path in (each for each in tmp_path.rglob("*") if each.is_file()):
        assert MARK not in text_of(path).lower(), path.name


def test_a_run_lets_nothing_out_while_it_lasts(place: Place) -> None:
    """Not with `--follow`, not as JSON, not when `-x` stops it, and not as the nearest name to a wrong one."""
    assert MARK not in place.told
    assert f"{ALIAS}#0: withheld" in place.told
    assert f"task '{ALIAS}', trial" in place.told


@pytest.mark.parametrize(
    "words",
    [
        ["report", "RUN", "--json", "--reveal"],
        ["report", "RUN", "--format", "html", "--reveal"],
        ["report", "RUN", "--reveal"],
        ["show", "RUN", ALIAS, "--reveal"],
        ["show", "RUN", TASK_ID, "--json", "--reveal"],
        ["compare", "BEST", "RUN", "--criterion", "outcome", "--reveal"],
        ["label", "BEST", "--reveal"],
        ["gate", "RUN", "--reveal"],
        ["regrade", "RUN", "--suite", "SUITE", "--reveal"],
    ],
)
def test_what_is_asked_for_is_shown(words: list[str], place: Place, capfd: pytest.CaptureFixture[str]) -> None:
    """With `--reveal` the same doors show the task; else the tests above could not fail."""
    names = {"RUN": place.first, "BEST": place.best, "SUITE": place.suite}
    assert MARK in call([names.get(word, word) for word in words], capfd)


def test_numbers_are_the_same_whether_tasks_are_named_or_not(place: Place, capfd: pytest.CaptureFixture[str]) -> None:
    """To withhold changes names and texts, and no count, no estimate and no decision."""
    closed, opened = (json.loads(_json(place, capfd, *more)) for more in ((), ("--reveal",)))
    for part in ("kinds", "questions", "matrix", "statuses", "risks", "coverage", "tasks_planned", "trials_seen"):
        assert closed.get(part) == opened.get(part)
    assert [rule["value"] for rule in closed["decision"]["rules"]] == [rule["value"] for rule in opened["decision"]["rules"]]
    numbers = ("planned", "scored", "passed", "outcome_passed", "wrong_reason", "violated", "unknown")
    assert sorted([row[name] for name in numbers] for row in closed["tasks"]) == sorted(
        [row[name] for name in numbers] for row in opened["tasks"]
    )
    assert (closed["withheld"], opened.get("withheld", 0)) == (1, 0)


def _json(place: Place, capfd: pytest.CaptureFixture[str], *more: str) -> str:
    capfd.readouterr()
    program(["report", str(place.first), "--json", *more])
    return capfd.readouterr().out


def test_an_error_within_the_holdout_is_told_to_its_owner_only(tmp_path: Path) -> None:
    """`run` says that something is wrong and who can see it; `check` says what, with file and line."""
    suite, holdout = write(tmp_path)
    task = next((holdout / "tasks").iterdir())
    for spoilt in (f"colour: {MARK}\n", f"expect: {{{MARK}: [\n"):
        before = task.read_text(encoding="utf-8")
        task.write_text(before + spoilt, encoding="utf-8")
        run, check = seatrial("run", suite, "--agent", "null", "--holdout", holdout), seatrial("check", suite, "--holdout", holdout)
        assert (run.returncode, check.returncode) == (2, 2)
        assert MARK not in run.stderr
        assert "seatrial check SUITE --holdout" in run.stderr
        assert f"{task}:" in check.stderr
        task.write_text(before, encoding="utf-8")


def test_holdout_tasks_within_the_suite_are_withheld_too(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`split: holdout` in the suite's own folder: the reports say nothing of them, and the gate warns that everybody reads them."""
    suite, holdout = write(tmp_path)
    for inside in ("tasks", "fixtures"):
        for path in (holdout / inside).iterdir():
            path.rename(suite / inside / path.name)
    task = suite / "tasks" / f"{MARK}.yaml"
    task.write_text(task.read_text(encoding="utf-8") + "split: holdout\n", encoding="utf-8")
    run = tmp_path / "r.seatrial"
    with suppress(SystemExit):
        told = seatrial("run", suite, "--agent", "agents:nosy", "-o", run)
    assert MARK not in told.stdout + told.stderr
    gate = call(["gate", run], capfd)
    assert MARK not in gate
    assert "in the suite's own folder, where everybody who tunes the agent can read" in " ".join(gate.split())
    assert "has no ledger" in call(["show", run, ALIAS, "--reveal"], capfd)
