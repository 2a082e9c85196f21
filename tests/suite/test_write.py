"""Writing: a new suite works at once, and ceilings are written in place with everything else kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seatrial.base.errors import SuiteError, UsageError
from seatrial.records.contract import Budget
from seatrial.suite import lint, load_suite, write_budgets, write_new
from seatrial.world import load_definition
from tests.suite.samples import TASK, folder_of, load

STYLES = {
    "block, none": ("    extras: reads\n", "    extras: reads\n"),
    "flow beside": ("    extras: reads\n", "    extras: reads\n  budget: {calls: 5, usd: 0.1}  # was guessed\n"),
    "block beside": ("    extras: reads\n", "    extras: reads\n  budget:\n    calls: 5  # was guessed\n    usd: 0.1\n  # the end\n"),
}


def test_a_new_suite_loads_without_a_finding(tmp_path: Path) -> None:
    """What `seatrial new` writes loads, has a task of every sort, and lint finds nothing."""
    folder = tmp_path / "my desk!"
    files = write_new(folder, "my desk!")
    assert {path.name for path in files} >= {"suite.yaml", "world.py", "policy.md", "agents.py", "base.json"}
    suite = load_suite(folder, definition=load_definition(folder).suite_definition())
    assert suite.name == "my_desk"
    assert {task.stakes for task in suite.tasks} == {"routine", "write"}
    assert {task.split for task in suite.tasks} == {"dev", "holdout"}
    assert any(task.faults for task in suite.tasks)
    assert lint(suite) == ()


def test_new_never_writes_over_anything(tmp_path: Path) -> None:
    """`seatrial new` refuses a folder that holds something."""
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        write_new(tmp_path, "x")


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    """A name that no file system takes is a usage error, not a crash."""
    with pytest.raises(UsageError, match="cannot be written: File name too long"):
        write_new(tmp_path / ("x" * 300), "x")


@pytest.mark.parametrize("style", sorted(STYLES))
def test_ceilings_are_written_in_place(style: str, tmp_path: Path) -> None:
    """A ceiling replaces the old one or stands before the rest; comments, quotes and other tasks stay byte for byte."""
    old, new = STYLES[style]
    text = (
        "# first comment\n"
        + TASK.replace(old, new).replace("stakes: write", "stakes: 'write'   # why")
        + "---\n"
        + TASK.replace("017", "018")
    )
    folder = folder_of(tmp_path, text)
    assert write_budgets(folder, {"water-017": Budget(calls=9, tokens=1200)}) == (folder / "tasks" / "a.yaml",)
    after = (folder / "tasks" / "a.yaml").read_text()
    budget = load(folder).tasks[0].contract.budget
    assert (budget.calls, budget.tokens) == (9, 1200)
    assert budget.usd == (None if style == "block, none" else 0.1)
    assert after.count("# was guessed") == old.count("# was guessed") + new.count("# was guessed")
    touched = ("budget", "calls: 5", "calls: 9", "tokens: 1200")
    before, now = ([line for line in each.splitlines() if not any(word in line for word in touched)] for each in (text, after))
    assert now == before


CEILINGS = {
    "in place": ("budget: {usd: 0.50, calls: 5}", "budget: {usd: 0.50, calls: 9}"),
    "one is new": ("budget: {usd: 0.50}  # why", "budget: {calls: 9, usd: 0.50}  # why"),
    "none yet": ("budget: { }", "budget: { calls: 9}"),
    "comments in braces": ("budget: {calls: 5, # guessed\n    usd: 0.50 }", "budget: {calls: 9, # guessed\n    usd: 0.50 }"),
    "comments in a block": (
        "budget:\n    # two\n    usd: 0.50 # of\n    calls: 5 # them\n    # end",
        "budget:\n    # two\n    usd: 0.50 # of\n    calls: 9 # them\n    # end",
    ),
    "a new one in a block": ("budget: # why\n    # two\n    usd: 0.50", "budget: # why\n    # two\n    calls: 9\n    usd: 0.50"),
    "a name that nobody uses": ("budget: &most {calls: 5}", "budget: &most {calls: 9}"),
}


@pytest.mark.parametrize("style", sorted(CEILINGS))
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_ceiling_changes_and_nothing_beside_it(style: str, newline: str, tmp_path: Path) -> None:
    """Among the ceilings of a task only the numbers that were given change: other numbers keep their spelling, and comments stay."""
    before, after = (f"id: c\nexpect:\n  {each}\n  ends: x\n".replace("\n", newline) for each in CEILINGS[style])
    path = tmp_path / "tasks" / "a.yaml"
    path.parent.mkdir()
    path.write_bytes(before.encode())
    write_budgets(tmp_path, {"c": Budget(calls=9)})
    assert path.read_bytes().decode() == after


def test_ceilings_are_written_into_lists_flow_and_lines(tmp_path: Path) -> None:
    """Tasks in lists, in flow style and in JSON lines are edited too."""
    small = "- {id: a, input: x, expect: {process: {extras: none}}} # keep\n- id: b\n  input: x\n  expect:\n    process: {extras: none}\n"
    folder = folder_of(tmp_path, small)
    line = '{"id": "c", "input": "\u00fcber", "expect": {"process": {"extras": "none"}}}'
    (folder / "tasks.jsonl").write_text(line + "\n\n")
    write_budgets(folder, {name: Budget(calls=3) for name in "abc"})
    assert [task.contract.budget.calls for task in load(folder).tasks] == [3, 3, 3]
    assert "# keep" in (folder / "tasks" / "a.yaml").read_text()
    assert json.loads((folder / "tasks.jsonl").read_text())["input"] == "\u00fcber"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"id":"c",  "expect": {"process":{}} }\r\n', '{"id":"c",  "expect": {"budget": {"calls": 3}, "process":{}} }\r\n'),
        ('{"expect":{ "budget":{"usd":1} }, "id":"c"}', '{"expect":{ "budget":{"calls": 3, "usd":1} }, "id":"c"}'),
        ('{"id":"c", "expect":{"budget":{"calls" :5, "usd":1.50}}}', '{"id":"c", "expect":{"budget":{"calls" :3, "usd":1.50}}}'),
        ('{"id": "c", "expect": {}, "input": "\\u00fc"}', '{"id": "c", "expect": {"budget": {"calls": 3}}, "input": "\\u00fc"}'),
    ],
)
def test_a_line_keeps_its_spaces_and_escapes(before: str, after: str, tmp_path: Path) -> None:
    """In JSON lines too only the ceilings change, as they do in YAML."""
    (tmp_path / "tasks.jsonl").write_bytes(before.encode())
    write_budgets(tmp_path, {"c": Budget(calls=3)})
    assert (tmp_path / "tasks.jsonl").read_bytes().decode() == after


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tasks/a.yaml", "id: c\ninput: x\n"),
        ("tasks/a.yaml", "- id: c\n  expect: &e {process: {}}\n- id: d\n  expect: *e\n"),
        ("tasks/a.yaml", "id: c\nexpect:\n  budget:\n"),
        ("tasks/a.yaml", "id: c\nexpect: {budget: {calls: &n 3, tokens: *n}}\n"),
        ("tasks.jsonl", '{"id": "c"}'),
        ("tasks.jsonl", '{"id": "c", "expect": {"budget": null}}'),
    ],
)
def test_ceilings_that_would_change_more_are_left_to_a_person(name: str, text: str, tmp_path: Path) -> None:
    """Where nothing is expected of a task yet, its budget is none, or two places share what is, the file stays as it is."""
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    with pytest.raises(SuiteError, match=r"nothing is changed\. Edit its budget by hand"):
        write_budgets(tmp_path, {"c": Budget(calls=3)})
    assert path.read_text() == text


def test_a_task_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """A budget for a task that no file holds is an error."""
    with pytest.raises(SuiteError, match="there is no task 'x'"):
        write_budgets(folder_of(tmp_path), {"x": Budget(calls=3)})
