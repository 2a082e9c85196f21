"""`seatrial label` as a person types it."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests._suites.sailing import sail
from tests.app import test_labelling as cases
from tests.cli.program import seatrial

run, folder = cases.run, cases.folder
"""The run of one task whose two trials the rules cannot decide."""


def labelled(path: Path, *words: object):
    """Give a label and return what the program said."""
    return seatrial("label", path, "--task", "a-1", "--trial", 0, "--note", "I read it", *words)


def test_the_queue_prints_what_to_type_and_typing_it_settles(run: Path, tmp_path: Path) -> None:
    """The printed commands work as they stand once VERDICT, NAME and TEXT are filled in; the report then passes."""
    assert seatrial("report", run).returncode == 4
    queue = seatrial("label", run)
    assert (queue.returncode, queue.stderr) == (0, "")
    assert queue.stdout.startswith("2 trials wait until two different reviewers say safe; one violation fails the run.")
    typed = re.findall(r"^ *seatrial (label .*)$", queue.stdout, re.MULTILINE)
    assert len(typed) == 2
    for command in typed:
        for by in ("Anna", "Bo"):
            words = shlex.split(command.replace("VERDICT", "safe").replace("NAME", by).replace("TEXT", "'I read it'"))
            assert seatrial(*words).returncode == 0
    report = seatrial("report", run)
    assert report.returncode == 0
    assert "2 doubts settled by labels of Anna, Bo" in " ".join(report.stdout.split())
    assert seatrial("export", run, "--labels", tmp_path / "l.jsonl").returncode == 0
    assert len((tmp_path / "l.jsonl").read_text(encoding="utf-8").splitlines()) == 4


def test_trials_with_the_same_doubt_are_one_entry(run: Path) -> None:
    """Two trials with one doubt are told once, with a command for each; when somebody has spoken of one they part."""
    queue = seatrial("label", run).stdout
    assert (queue.count("doubt at step"), queue.count("a-1#0, #1"), queue.count("--verdict VERDICT")) == (1, 1, 2)
    labelled(run, "--verdict", "safe", "--by", "Anna")
    assert seatrial("label", run).stdout.count("doubt at step") == 2


def test_a_queue_that_cannot_save_the_run_says_so(folder: Path, run: Path, tmp_path: Path) -> None:
    """Where a run fails for other reasons nobody is made to believe that labels will make it pass."""
    lost = tmp_path / "lost.seatrial"
    sail(folder, "agents:bad", output=lost)
    told = "no label can make it pass"
    assert told in seatrial("label", lost).stdout
    assert told in " ".join(seatrial("report", lost).stdout.split())
    assert told not in seatrial("label", run).stdout


def test_a_trial_without_a_doubt_has_little_to_tell(folder: Path, tmp_path: Path) -> None:
    """A label where no rule doubts is stored, and the answer is that it settles nothing, not the reasons of every rule."""
    path = tmp_path / "sure.seatrial"
    (folder / "tasks" / "a-1.yaml").write_text(cases.RULED.replace("{was_agreed: {tool: close}}, ", ""), encoding="utf-8")
    sail(folder, "agents:good", output=path)
    said = labelled(path, "--verdict", "safe", "--by", "Anna").stdout
    assert "safety: no rule has a doubt here" in said
    assert "settles nothing" in said
    assert "no_forbidden_call" not in said


def test_a_violation_fails_the_report_and_show_names_who(run: Path) -> None:
    """After one violation the report ends with 1, and `show` prints the label."""
    said = labelled(run, "--verdict", "violation", "--by", "Anna")
    assert said.stdout.startswith("labelled a-1#0 violation, by Anna\n")
    assert said.stdout.rstrip().endswith(f"next: seatrial report {shlex.quote(str(run))}")
    assert "A violation by the word of Anna: the run fails." in said.stdout
    assert seatrial("report", run).returncode == 1
    assert "violation by Anna on 20" in " ".join(seatrial("show", run, "a-1").stdout.split())
    assert json.loads(seatrial("show", run, "a-1", "--json").stdout)["review"]["violated_by"] == ["Anna"]


def test_a_label_needs_no_place_only_where_one_trial_waits(folder: Path, tmp_path: Path) -> None:
    """With one trial waiting it is the one; with two the program asks which and stores nothing."""
    one, two = tmp_path / "one.seatrial", tmp_path / "two.seatrial"
    sail(folder, "agents:good", output=one, trials=1)
    sail(folder, "agents:good", output=two, trials=2)
    words = ("--verdict", "safe", "--by", "Anna", "--note", "I read it")
    assert seatrial("label", one, *words).returncode == 0
    refused = seatrial("label", two, *words)
    assert (refused.returncode, "2 trials wait for a label here: say which" in refused.stderr) == (2, True)
    assert json.loads(seatrial("label", two, "--json").stdout)[0]["labels"] == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--verdict", "fine", "--by", "Anna"), "'fine' is not one of 'safe', 'violation', 'unclear'"),
        (("--verdict", "safe"), "give --by NAME and --note TEXT too"),
        (("--by", "Anna"), "give --verdict too"),
        (("--verdict", "safe", "--by", " "), "the name of who gives it"),
        (("--verdict", "safe", "--by", "Anna", "--rule", "was_agred"), "Did you mean 'was_agreed'"),
    ],
)
def test_mistakes_are_told_and_store_nothing(run: Path, words, told) -> None:
    """A wrong word, a missing name or reason, an unknown rule end with 2 and one message."""
    refused = labelled(run, *words)
    assert refused.returncode == 2
    assert told in " ".join(refused.stderr.split())
    assert all(one["labels"] == [] for one in json.loads(seatrial("label", run, "--json").stdout))
