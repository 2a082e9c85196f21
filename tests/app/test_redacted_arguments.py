"""Redacted values of normalised arguments: two spellings are one value, in the file as in the world."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.app.checking import check
from seatrial.app.loading import load
from seatrial.app.redacting import KEY_VARIABLE
from seatrial.app.regrade import regrade
from seatrial.base.errors import SuiteError
from tests._suites import desk
from tests._suites.sailing import grades, sail, traces

WORLD = (
    desk.WORLD
    + '''

@tool(effect="write", normalise={"phone": "phone", "day": "date", "policy": "identifier", "sum": "money", "code": "code"})
def book(state: Database, phone: str, day: str, policy: str, sum: str, code: str) -> dict:
    """Book a call.

    Args:
        phone: Telephone number.
        day: Day.
        policy: Policy number.
        sum: Amount.
        code: Code.
    """
    return {}


@normaliser("code")
def code(value: object) -> str:
    """Codes are written with or without their mark."""
    return str(value).upper().removeprefix("#")
'''
)
SPELLINGS = {
    "phone": ("+44 20 7946 0018", "+442079460018", "+44 20 7946 0019"),
    "day": ("2026-05-03", "3 May 2026", "4 May 2026"),
    "policy": ("HL-00418-C", "hl 00418 c", "HL-00418-D"),
    "sum": ("1250.00", "£1,250", "£1,260"),
    "code": ("#A77", "a77", "a88"),
}
EXPECTED, OTHER, WRONG = ({name: spellings[index] for name, spellings in SPELLINGS.items()} for index in range(3))
SAID = "; ".join(one for spellings in SPELLINGS.values() for one in spellings)
TASK = f"""
id: a-1
kind: regression
stakes: write
input: "Book a call: {SAID}"
fixture: {{use: base, with: {{tickets: [{{ticket_id: T-9, holder: "{EXPECTED["phone"]}", status: open}}]}}}}
expect:
  outcome: {{changes: {{}}}}
  process:
    required: [{{id: book, call: book, with: {EXPECTED}}}]
"""
AGENTS = f"""
def same(task, tools, user):
    tools.book(**{EXPECTED})


def other(task, tools, user):
    tools.book(**{OTHER})


def wrong(task, tools, user):
    tools.book(**{WRONG})


def twice(task, tools, user):
    tools.book(**{EXPECTED})
    tools.book(**{OTHER})
"""
FIELDS = "redact: {fields: [phone, day, policy, sum, code]}\n"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the test a key of its own."""
    monkeypatch.setenv(KEY_VARIABLE, "a key of a test, long enough")


def suite(folder: Path, redact: str, task: str = TASK) -> Path:
    """Write the suite."""
    return desk.write(folder, AGENTS, world=WORLD, suite=desk.SUITE + redact, tasks={"a-1": task})


@pytest.mark.parametrize("agent", ["same", "other", "wrong", "twice"])
def test_grades_of_normalised_arguments_are_those_of_the_unredacted_run(tmp_path: Path, agent: str) -> None:
    """Telephone numbers, dates, identifiers, amounts and own codes: equal under their normaliser before, equal after."""
    hidden, plain = suite(tmp_path / "hidden", FIELDS), suite(tmp_path / "plain", "")
    assert check(load(hidden)).errors == 0
    found = []
    for name, folder in (("hidden", hidden), ("plain", plain)):
        path = tmp_path / f"{name}.seatrial"
        sail(folder, f"agents:{agent}", output=path)
        assert regrade(path).changed == ()
        assert regrade(path, loaded=load(folder)).changed == ()
        grade = grades(path)["a-1", 0]
        found.append((grade.counts, grade.credit, {question: answer.verdict for question, answer in grade.answers.items()}))
    assert found[0] == found[1]
    assert (found[0][2]["process"] == "pass") is (agent in ("same", "other"))


def test_no_spelling_that_an_agent_used_is_written(tmp_path: Path) -> None:
    """Neither the arguments nor the text that they were taken from."""
    sail(suite(tmp_path / "suite", FIELDS), "agents:twice", output=tmp_path / "r.seatrial")
    text = str(traces(tmp_path / "r.seatrial"))
    assert [value for value in (*EXPECTED.values(), *OTHER.values()) if value in text and len(value) > 2] == []


def test_what_a_contract_calls_sensitive_is_hidden_in_every_trace(tmp_path: Path) -> None:
    """The user said it, and the agent that used another value has it in no field: it is hidden all the same."""
    sail(suite(tmp_path / "suite", FIELDS), "agents:wrong", output=tmp_path / "r.seatrial")
    assert [value for value in EXPECTED.values() if value in str(traces(tmp_path / "r.seatrial"))] == []


@pytest.mark.parametrize("pattern", [r"\+44[ \d]+\d", r"\d{4}-\d\d-\d\d", r"\d{4}", "HL-[0-9]+"])
def test_patterns_in_normalised_arguments_stop_no_run(tmp_path: Path, pattern: str) -> None:
    """A pattern that hides a normalised argument, or a part of it: the exact spelling still grades."""
    folder = suite(tmp_path / "suite", f"redact: {{patterns: ['{pattern}']}}\n")
    assert check(load(folder)).errors == 0
    sail(folder, "agents:same", output=tmp_path / "r.seatrial")
    assert {grade.process.verdict for grade in grades(tmp_path / "r.seatrial").values()} == {"pass"}


@pytest.mark.parametrize("matcher", ["{$regex: '^HL'}", "{$range: [1, 2]}"])
def test_a_contract_that_looks_into_a_redacted_value_is_refused(tmp_path: Path, matcher: str) -> None:
    """A pseudonym shows nothing of what `$regex` and `$range` look at: `check` and `run` say so, with file and line."""
    task = TASK.replace("'policy': 'HL-00418-C'", f"policy: {matcher}")
    assert task != TASK
    folder = suite(tmp_path / "suite", FIELDS.replace("phone, ", ""), task)
    for refused in (lambda: check(load(folder)), lambda: sail(folder, "agents:same", output=tmp_path / "r.seatrial")):
        with pytest.raises(SuiteError, match=r"a-1\.yaml:\d+: .*'policy' by \$r"):
            refused()
    assert not (tmp_path / "r.seatrial").exists()
