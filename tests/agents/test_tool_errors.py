"""What an agent catches when a call fails, and whose fault it is when a tool breaks."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.records.trace import Status, ToolCall
from seatrial.suite import write_new
from tests._suites import desk
from tests._suites.sailing import grades, sail, traces

AGENTS = """
from seatrial import ToolError


def plain(task, tools, user):
    try:
        tools.look(ticket_id="T-9")
    except ToolError as error:
        return f"{error.kind} {error.status} {error.transient}"
    return "fine"


async def awaiting(task, tools, user):
    try:
        await tools.look(ticket_id="T-9")
    except ToolError as error:
        return f"{error.kind} {error.status} {error.transient}"
    return "fine"


def mistaken(task, tools, user):
    seen = []
    for name, arguments in (("look", {"x": 1}), ("lok", {})):
        try:
            getattr(tools, name)(**arguments)
        except ToolError as error:
            seen.append(f"{error.kind} {error.transient}")
    return ", ".join(seen)
"""
FAILURES = {
    "": "status 404 False",
    "kind: error": "status 503 True",
    "kind: error, status: 404": "status 404 False",
    "kind: error, status: 429": "status 429 True",
    "kind: timeout": "timeout None True",
    "kind: lost_response": "lost_response None True",
}


def said(folder: Path, agent: str, fault: str = "") -> str:
    """Return the last words of an agent in a suite of one task."""
    suite = desk.write(
        folder / "suite", AGENTS, tasks={"a-1": desk.task("a-1", faults=f"[{{tool: look, {fault}, nth: [1]}}]" if fault else "[]")}
    )
    result = sail(suite, f"agents:{agent}", output=folder / "run.seatrial", trials=1)
    (trace,) = traces(result.paths[0]).values()
    return trace.steps[-1].text


@pytest.mark.parametrize("fault", FAILURES)
def test_an_error_says_whether_trying_again_can_help(tmp_path: Path, fault: str) -> None:
    """Kind, status and class are those of the record, for agents that await and for those that do not."""
    expected = FAILURES[fault]
    assert [said(tmp_path / agent, agent, fault) for agent in ("plain", "awaiting")] == [expected, expected]


def test_an_agents_own_mistakes_are_no_transient_ones(tmp_path: Path) -> None:
    """Arguments that do not fit, and a tool that is not there."""
    assert said(tmp_path, "mistaken") == "invalid_arguments False, unknown_tool False"


@pytest.mark.parametrize("kind", ["error", "timeout", "malformed", "truncated", "empty", "lost_response"])
def test_the_written_suites_agent_outlasts_every_transient_fault(tmp_path: Path, kind: str) -> None:
    """Whatever way the rules fail to answer at first, the careful agent of `seatrial new` asks again."""
    suite = tmp_path / "suite"
    write_new(suite, "suite")
    tasks = suite / "tasks" / "refunds.yaml"
    text = tasks.read_text(encoding="utf-8")
    assert "kind: error, status: 503" in text
    tasks.write_text(text.replace("kind: error, status: 503", f"kind: {kind}"), encoding="utf-8")
    result = sail(suite, "agents:careful", output=tmp_path / "run.seatrial", trials=1)
    assert {grade.strict for grade in grades(result.paths[0]).values()} == {"pass"}


BREAKS = '''
from seatrial import Database, Documents, ToolError, tool

STATE = Documents()


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError


@tool(effect="read")
def look(ticket_id: str) -> dict:
    """Look up one ticket."""
    import asyncio

    raise {error}


@tool(effect="write")
def close(state, ticket_id: str) -> dict:
    """Close one ticket."""
    state["tickets"][ticket_id]["status"] = "closed"
    return {{}}
'''


@pytest.mark.parametrize("error", ["SystemExit(1)", "KeyboardInterrupt", "GeneratorExit", "asyncio.CancelledError"])
@pytest.mark.parametrize("agent", ["plain", "awaiting"])
def test_a_tool_that_ends_the_program_is_not_the_candidates_fault(tmp_path: Path, error: str, agent: str) -> None:
    """The trial is lost to the world, by the tool's name, and its call is in the trace."""
    world = BREAKS.format(error=error)
    suite = desk.write(tmp_path / "suite", AGENTS, tasks={"a-1": desk.task("a-1")}, world=world)
    result = sail(suite, f"agents:{agent}", output=tmp_path / "run.seatrial", trials=1)
    (trace,) = traces(result.paths[0]).values()
    assert trace.status is Status.INFRA_ERROR
    assert "'look' raised" in trace.status_reason
    assert [step.tool for step in trace.steps if isinstance(step, ToolCall)] == ["look"]


@pytest.mark.parametrize("error", ["ToolError(5)", "Unprintable()"])
def test_an_error_without_a_text_reaches_the_agent_as_any_other(tmp_path: Path, error: str) -> None:
    """The agent may go on; it is told the class when there is nothing else to tell."""
    suite = desk.write(tmp_path / "suite", AGENTS, tasks={"a-1": desk.task("a-1")}, world=BREAKS.format(error=error))
    result = sail(suite, "agents:plain", output=tmp_path / "run.seatrial", trials=1)
    (trace,) = traces(result.paths[0]).values()
    assert trace.status is Status.COMPLETED
    assert trace.steps[-1].text == "tool_error None False"
