"""The canary: an agent that writes it has read the suite's files; nobody gives it to an agent."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, structs

from seatrial.app.checking import check
from seatrial.app.loading import load
from seatrial.app.reporting import summary_of
from seatrial.base.errors import SuiteError
from seatrial.measure.facts import facts_of
from seatrial.records.trace import AgentMessage, Attempt, Identity, Status, ToolCall, Trace, UserTurn
from seatrial.suite import write_new
from tests._suites import desk
from tests._suites.sailing import sail

CANARY = "canary-of-the-desk-0001"
SUITE = f"{desk.SUITE}canary: {CANARY}\n"
IDENTITY = Identity("desk", "a", "", "c", "", 0, 0)
LEAKY = f'''
def says(task, tools, user):
    """Tell the user what it has read."""
    good(task, tools, user)
    return "I know {CANARY}!"


def calls(task, tools, user):
    """Use it as an argument."""
    tools.call("look", {{"ticket_id": ["{CANARY}"]}})
    return good(task, tools, user)


def asks(task, tools, user):
    """Call a tool by its name."""
    tools.call("{CANARY}", {{}})
    return good(task, tools, user)
'''


@pytest.mark.parametrize(("agent", "trials"), [("says", 4), ("calls", 4), ("asks", 4), ("good", 0)])
def test_an_agent_that_writes_the_canary_is_warned_of(tmp_path: Path, agent: str, trials: int) -> None:
    """In a message, in an argument, as the name of a tool: every report and every decision says on how many trials."""
    run = tmp_path / "r.seatrial"
    sail(desk.write(tmp_path / "suite", LEAKY, suite=SUITE), f"agents:{agent}", output=run)
    summary = summary_of(run)
    assert summary.contaminated == trials
    warned = [warning for warning in summary.warnings if "canary" in warning]
    assert [warning.split(":")[0] for warning in warned] == ([f"The agent wrote the suite's canary on {trials} trials"] if trials else [])
    assert summary.decision is not None
    assert set(warned) <= set(summary.decision.warnings)
    assert CANARY not in str(warned)


def test_what_others_say_is_no_reading_of_files() -> None:
    """Words of the user and answers of tools are given to the agent; an abandoned attempt of the agent is its own."""
    call = ToolCall(2, "look", 1, observation=Raw(f'"{CANARY}"'.encode()))
    given = Trace(IDENTITY, Status.COMPLETED, (UserTurn(1, CANARY), call))
    said = Attempt(Status.INFRA_ERROR, "", (AgentMessage(1, f"x{CANARY}y"),))
    assert not facts_of(given, (CANARY,)).contaminated
    assert facts_of(structs.replace(given, attempts=(said,)), (CANARY,)).contaminated
    assert not facts_of(structs.replace(given, attempts=(said,))).contaminated


@given(st.text(), st.text())
def test_a_canary_is_found_wherever_it_stands_in_a_text(before: str, after: str) -> None:
    """Whatever is around it."""
    trace = Trace(IDENTITY, Status.COMPLETED, (AgentMessage(1, f"{before}{CANARY}{after}"),))
    assert facts_of(trace, ("another-canary-entirely", CANARY)).contaminated


@pytest.mark.parametrize("text", ["short", '"with blanks in it, many of them"', "x" * 201, "[canary-of-the-desk-0001]"])
def test_what_could_be_written_by_chance_or_spelled_otherwise_is_no_canary(tmp_path: Path, text: str) -> None:
    """It is refused with file, line and what it takes."""
    suite = desk.write(tmp_path / "suite", suite=f"{desk.SUITE}canary: {text}\n")
    with pytest.raises(SuiteError, match=r"suite\.yaml:\d+: canary"):
        load(suite)


def test_check_proposes_one_where_there_is_none_and_is_content_with_it(tmp_path: Path) -> None:
    """The hint is no finding; what it proposes can be written as it stands, and is the same each time."""
    suite = desk.write(tmp_path / "suite")
    checked = check(load(suite))
    (hint,) = checked.hints
    assert check(load(suite)).hints == (hint,)
    proposed = re.search(r"`(canary: \S+)`", hint)
    assert proposed is not None
    (suite / "suite.yaml").write_text(f"{desk.SUITE}{proposed[1]}\n", encoding="utf-8")
    after = check(load(suite))
    assert (after.hints, after.findings) == ((), checked.findings)
    assert load(suite).suite.canary == proposed[1].removeprefix("canary: ")


@pytest.mark.parametrize("where", ["document", "fixture", "input", "user", "records", "nowhere"])
def test_check_warns_where_the_agent_is_given_the_canary(tmp_path: Path, where: str) -> None:
    """A document, a fixture, what a task says or lays over it: an agent that repeats it would seem to have read the suite."""
    task = desk.task("a-1")
    suite_text = SUITE + ("documents: [policy.md]\n" if where == "document" else "")
    task = {
        "input": task.replace("of Ann Example", f"of {CANARY}"),
        "user": f'{task}user: {{script: [{{say: "{CANARY}"}}]}}\n',
        "records": task.replace("fixture: base", f"fixture: {{with: {{tickets: [{{ticket_id: T-9, holder: {CANARY}, status: open}}]}}}}"),
    }.get(where, task)
    suite = desk.write(tmp_path / "suite", tasks={"a-1": task}, suite=suite_text)
    (suite / "policy.md").write_text(f"Rules. {CANARY}", encoding="utf-8")
    if where == "fixture":
        (suite / "fixtures" / "base.json").write_text(desk.FIXTURE.replace("Ann Example", CANARY), encoding="utf-8")
    found = [finding for finding in check(load(suite)).findings if finding.rule == "canary_given"]
    assert len(found) == (where != "nowhere")
    assert all(CANARY not in finding.message for finding in found)


def test_a_new_suite_has_a_fresh_canary(tmp_path: Path) -> None:
    """Two suites that are made from the same template share none."""
    made = [tmp_path / name for name in ("one", "two")]
    for folder in made:
        write_new(folder, "same")
    first, second = (load(folder).suite.canary for folder in made)
    assert first
    assert first != second
    assert check(load(made[0])).hints == ()
