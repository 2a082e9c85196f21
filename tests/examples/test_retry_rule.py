"""The retry rule in five trials, as its README tells it."""

from __future__ import annotations

import re

import pytest
from msgspec import structs

from seatrial.grade import compile_task, grade
from tests.examples._sailing import EXAMPLES, sail, suite, voyage

VERDICTS = {
    "temporary": ("pass", "pass"),
    "refused": ("pass", "fail"),
    "twice": ("pass", "pass"),
    "lost": ("fail", "fail"),
    "corrected": ("pass", "pass"),
}
"""Task → verdicts on outcome and process."""


@pytest.mark.parametrize("task", VERDICTS)
def test_each_situation_gets_its_verdict(task):
    """A temporary failure may be answered by the same call, a permanent one may not, and a lost write must be looked for first."""
    trial = next(trial for trial in voyage("retry_rule", "agents:scripted") if trial.task.id == task)
    assert (trial.grade.outcome.verdict, trial.grade.process.verdict) == VERDICTS[task], trial.grade.process.reason


@pytest.mark.parametrize(
    ("task", "kinds"),
    [
        ("temporary", {"retried", "met"}),
        ("refused", {"stubborn", "met"}),
        ("twice", {"retried", "met"}),
        ("lost", {"met", "repeat"}),
        ("corrected", {"correction", "met"}),
    ],
)
def test_each_attempt_gets_the_class_that_the_readme_names(task, kinds):
    """The classes of the calls are those of the table: retried, stubborn, repeat, correction."""
    trial = next(trial for trial in voyage("retry_rule", "agents:scripted") if trial.task.id == task)
    assert {call.kind for call in trial.grade.calls} >= kinds - {"correction"}
    assert kinds - {"met"} <= {call.kind for call in trial.grade.calls}


def test_two_retries_are_too_many_when_one_is_allowed():
    """`retries` is a number: the trial with two passes with `retries: 2` and fails with `retries: 1`."""
    trial = next(trial for trial in voyage("retry_rule", "agents:scripted") if trial.task.id == "twice")
    way = trial.task.contract.alternatives[0]
    assert way.process is not None
    narrow = structs.replace(way, process=structs.replace(way.process, retries=1))
    task = structs.replace(trial.task, contract=structs.replace(trial.task.contract, alternatives=(narrow,)))
    assert grade(compile_task(task, suite("retry_rule").tools), trial.trace).process.verdict == "fail"


def test_an_attentive_agent_passes_all_five():
    """The five tasks can all be passed."""
    loaded = suite("retry_rule")
    assert [trial.grade.strict for trial in sail(loaded, "agents:attentive", loaded.suite.tasks)] == ["pass"] * 5


def test_the_readme_tells_these_verdicts():
    """The README's table names each task with the verdict that it gets."""
    rows = re.findall(r"(?m)^\| `(\w+)` \|.*?\| \*{0,2}(pass|fail)", (EXAMPLES / "retry_rule" / "README.md").read_text())
    assert dict(rows) == {task: "fail" if "fail" in verdicts else "pass" for task, verdicts in VERDICTS.items()}
