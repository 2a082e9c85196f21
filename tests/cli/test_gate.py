"""`seatrial gate` as a person runs it: exit codes, files, annotations, and what a wrong policy is answered with."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests._suites import desk
from tests._suites.sailing import sail
from tests.cli.program import seatrial

TASKS = {name: desk.task(name) for name in ("a-1", "a-2", "a-3")}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return desk.write(tmp_path_factory.mktemp("gate") / "suite", tasks=TASKS)


@pytest.fixture(scope="module")
def runs(suite: Path) -> dict[str, Path]:
    """A run that is right and one that is wrong."""
    found = {name: suite.parent / f"{name}.seatrial" for name in ("good", "bad")}
    for name, path in found.items():
        sail(suite, f"agents:{name}", output=path)
    return found


@pytest.mark.parametrize(
    ("run", "policy", "code", "word"),
    [
        ("good", "regression_strict:\n", 0, "PASS"),
        ("bad", "regression_strict:\n", 1, "FAIL"),
        ("good", "reliability: {kind: regression, at_least: 0.999}\n", 4, "INCONCLUSIVE"),
        ("good", "not_worse: {kind: regression, margin: 0.5}\n", 4, "INCONCLUSIVE"),
        ("good", "holdout:\n", 4, "INCONCLUSIVE"),
    ],
)
def test_the_exit_code_is_that_of_the_decision(runs: dict[str, Path], tmp_path: Path, run: str, policy: str, code: int, word: str) -> None:
    """0 pass, 1 fail, 4 inconclusive; the decision stands first and last, with what is next."""
    (tmp_path / "policy.yaml").write_text(policy)
    done = seatrial("gate", runs[run], "--policy", tmp_path / "policy.yaml")
    assert done.returncode == code, done.stderr
    assert done.stdout.startswith(f"{word}: ")
    assert done.stdout.count(f"{word}: ") == 2
    assert "next: " in done.stdout


def test_without_a_policy_the_suite_s_own_is_asked(runs: dict[str, Path]) -> None:
    """A suite that says nothing has the plain policy: every regression task strict, no violation."""
    done = seatrial("gate", runs["good"], "--json")
    found = json.loads(done.stdout)
    assert [rule["rule"] for rule in found["decision"]["rules"]] == ["regression_strict", "no_violation"]
    assert done.returncode == 0
    assert found["decision"]["read"] == "Nobody has read a transcript of this run"


def test_a_baseline_is_held_against_and_named(runs: dict[str, Path], tmp_path: Path) -> None:
    """With a baseline the comparison is told, and the tasks that dropped are where to look."""
    (tmp_path / "policy.yaml").write_text("not_worse: {kind: regression, margin: 0.01}\n")
    done = seatrial("gate", runs["bad"], "--baseline", runs["good"], "--policy", tmp_path / "policy.yaml")
    assert "bad against good" in done.stdout
    assert "Against the baseline" in done.stdout
    same = seatrial("gate", runs["good"], "--baseline", runs["good"], "--policy", tmp_path / "policy.yaml")
    assert "same candidate" in same.stdout


@pytest.mark.parametrize("form", ["terminal", "markdown"])
def test_candidate_and_baseline_of_one_name_are_told_apart_everywhere(runs: dict[str, Path], tmp_path: Path, form: str) -> None:
    """The title calls them as the comparison below it does."""
    sail(runs["good"].parent / "suite", "agents:good", output=tmp_path / "other.seatrial", seed=1)
    found = seatrial("gate", tmp_path / "other.seatrial", "--baseline", runs["good"], "--format", form).stdout.replace("\\", "")
    assert found.count("good #2 against good") == 2
    assert "good against good" not in found


def test_every_format_is_written_and_the_sealed_one_verifies(runs: dict[str, Path], tmp_path: Path) -> None:
    """.json, .md and .xml by name; `seatrial verify` computes the JSON again."""
    for name in ("d.json", "d.md", "d.xml"):
        assert seatrial("gate", runs["bad"], "-o", tmp_path / name).returncode == 1
    assert json.loads((tmp_path / "d.json").read_text())["decision"]["value"] == "fail"
    assert (tmp_path / "d.md").read_text().startswith("## ❌ desk")
    root = ET.fromstring((tmp_path / "d.xml").read_text())
    assert root.find(".//testcase[@name='decision']/failure") is not None
    verified = seatrial("verify", tmp_path / "d.json")
    assert verified.returncode == 0, verified.stdout


def test_github_gets_annotations_and_a_summary(runs: dict[str, Path], tmp_path: Path) -> None:
    """Annotations are printed, one line each; the summary is added to what is there, and never replaces it."""
    target = tmp_path / "summary.md"
    target.write_text("before\n")
    done = seatrial("gate", runs["bad"], "--github", GITHUB_STEP_SUMMARY=str(target))
    assert done.returncode == 1
    assert all(line.startswith("::") for line in done.stdout.splitlines())
    assert done.stdout.startswith("::error title=seatrial%3A fail::FAIL: bad must not ship")
    assert target.read_text().startswith("before\n## ❌")


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        ("reliability: {at_least: 0.8}\nnot_wrse: {margin: 0.1}\n", "policy.yaml:2: not_wrse: there is no gate rule"),
        ("reliability:\n  - {at_least: 0.8}\n  - {at_least: 1.8}\n", "policy.yaml:3: reliability[1]: the arguments of the gate rule"),
        ("reliability: {at_lest: 0.8}\n", "has no argument 'at_lest'; known: at_least"),
        ("reliability: []\n", "an empty list of arguments"),
        ("reliability: 3\n", "policy.yaml:1: reliability: expected a mapping"),
        ("", "the file holds nothing"),
        ("{}\n---\n{}\n", "the file holds 2 documents"),
        ("reliability: {at_least: 0.8\n", "this is not YAML"),
        ("holdout: {tasks: 0}\n", "Expected `int` >= 1"),
        ("not_worse: {margin: 0}\n", "Expected `float` > 0"),
    ],
)
def test_a_policy_that_says_nothing_sensible_is_answered_with_file_and_line(
    runs: dict[str, Path], tmp_path: Path, policy: str, told: str
) -> None:
    """A slip in a policy is a usage error in one line, never a decision."""
    (tmp_path / "policy.yaml").write_text(policy)
    done = seatrial("gate", runs["good"], "--policy", tmp_path / "policy.yaml")
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stdout == ""


def test_an_output_that_names_no_format_is_refused_before_anything_is_read(runs: dict[str, Path], tmp_path: Path) -> None:
    """A decision is never written in a format that nobody asked for."""
    done = seatrial("gate", runs["good"], "-o", tmp_path / "d.pdf")
    assert done.returncode == 2
    assert "says no format" in done.stderr
    assert not (tmp_path / "d.pdf").exists()
