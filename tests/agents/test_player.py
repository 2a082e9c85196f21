"""The agents that play a path: what fails transiently is tried again, and nothing is written on an answer that never came."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seatrial.records.trace import AgentMessage, Status, ToolCall, Trace
from tests._suites import desk
from tests._suites.sailing import grades, sail, traces

PATH = [{"call": "look", "with": {"ticket_id": "T-1"}}, {"call": "close", "with": {"ticket_id": "T-1"}}]


def played(folder: Path, faults: str, *, agent: str = "reference", retries: int = 2, path: list[dict[str, object]] = PATH) -> Trace:
    """Play a path on one task under some faults and return the trace."""
    text = desk.task("a-1", faults=faults).replace("    extras: reads\n", f"    extras: reads\n    retries: {retries}\n")
    suite = desk.write(folder / "suite", tasks={"a-1": text})
    (suite / "path.json").write_text(json.dumps(path), encoding="utf-8")
    sail(suite, agent, output=folder / "run.seatrial", trials=1)
    return traces(folder / "run.seatrial")["a-1", 0]


def tools(trace: Trace) -> list[str]:
    """The tools that were called, in order."""
    return [step.tool for step in trace.steps if isinstance(step, ToolCall)]


@pytest.mark.parametrize("agent", ["reference", "replayed:path.json"])
@pytest.mark.parametrize("kind", ["error", "timeout", "malformed", "empty", "lost_response"])
def test_a_read_that_fails_transiently_is_made_again(tmp_path: Path, agent: str, kind: str) -> None:
    """Identically, as often as the contract allows; then the path goes on and the trial is strict."""
    trace = played(tmp_path, f"[{{tool: look, kind: {kind}, first: 2}}]", agent=agent)
    assert tools(trace) == ["look", "look", "look", "close"]
    assert grades(tmp_path / "run.seatrial")["a-1", 0].strict == "pass"


@pytest.mark.parametrize("agent", ["reference", "replayed:path.json"])
@pytest.mark.parametrize("retries", [0, 1, 2])
def test_when_trying_again_does_not_help_nothing_is_written(tmp_path: Path, agent: str, retries: int) -> None:
    """After the last retry the path ends there, and the user is told."""
    trace = played(tmp_path, "[{tool: look, kind: error, status: 503, first: 9}]", agent=agent, retries=retries)
    assert tools(trace) == ["look"] * (1 + retries)
    assert trace.changes == ()
    assert (trace.status, isinstance(trace.steps[-1], AgentMessage)) == (Status.COMPLETED, True)


def test_a_write_whose_answer_was_lost_is_not_doubled(tmp_path: Path) -> None:
    """It was made: only a write that did not happen is tried again."""
    assert tools(played(tmp_path / "lost", "[{tool: close, kind: lost_response, first: 1}]")) == ["look", "close"]
    assert tools(played(tmp_path / "down", "[{tool: close, kind: error, status: 503, first: 1}]")) == ["look", "close", "close"]


def test_a_permanent_failure_is_not_tried_again(tmp_path: Path) -> None:
    """Trying again cannot help; the path goes on as it is written."""
    path = [{"call": "look", "with": {"ticket_id": "T-404"}}, *PATH]
    assert tools(played(tmp_path, "[]", agent="replayed:path.json", path=path)) == ["look", "look", "close"]


def test_a_path_that_tries_again_itself_is_played_as_written(tmp_path: Path) -> None:
    """When the next step is the same call, the player adds none of its own."""
    trace = played(tmp_path, "[{tool: look, kind: timeout, first: 1}]", agent="replayed:path.json", path=[PATH[0], *PATH])
    assert tools(trace) == ["look", "look", "close"]


def test_of_one_message_only_what_failed_is_made_again(tmp_path: Path) -> None:
    """The calls that were answered are not repeated."""
    message = {"together": [PATH[0], {"call": "look", "with": {"ticket_id": "T-2"}}]}
    trace = played(tmp_path, "[{tool: look, kind: timeout, nth: [2]}]", agent="replayed:path.json", path=[message, PATH[1]])
    assert [json.loads(bytes(step.proposed))["ticket_id"] for step in trace.calls] == ["T-1", "T-2", "T-2", "T-1"]
