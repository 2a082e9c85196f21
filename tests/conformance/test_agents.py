"""What every agent adapter must do; a new adapter is picked up by its file."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest

from seatrial.agents import make_agent
from seatrial.base import catalogue
from seatrial.base.errors import UsageError
from seatrial.records.trace import Status, encode
from tests._suites import desk
from tests._suites.sailing import sail, traces

ADAPTERS = catalogue.built_in("agent")
TARGETS = {"python": "agents:good", "replayed": "replayed:path.json"}
"""Adapters that need more than their name."""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """The desk with a path to be played."""
    folder = desk.write(tmp_path / "suite")
    (folder / "path.json").write_text(json.dumps([{"call": "look", "with": {"ticket_id": "T-1"}}, {"answer": "Seen."}]), encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", ADAPTERS)
def test_an_adapter_makes_an_agent_from_a_target_and_a_folder(name: str, suite: Path) -> None:
    """An adapter documents itself and its `make(target, folder)`, and what it makes has a hashed candidate and an asynchronous run."""
    module = catalogue.load("agent", name)
    assert module.__doc__
    assert inspect.getdoc(module.make)
    assert list(inspect.signature(module.make).parameters) == ["target", "folder"]
    agent = make_agent(TARGETS.get(name, name), suite)
    assert agent.candidate.name
    assert agent.candidate.hash == make_agent(TARGETS.get(name, name), suite).candidate.hash
    assert inspect.iscoroutinefunction(agent.run)


@pytest.mark.parametrize("name", ADAPTERS)
def test_an_adapter_ends_its_trials_the_same_way_twice(name: str, suite: Path, tmp_path: Path) -> None:
    """Every trial ends by the agent's own word, and a second run is the same byte for byte."""
    for run in ("1", "2"):
        sail(suite, TARGETS.get(name, name), output=tmp_path / f"{run}.seatrial", concurrency=4)
    first, second = (traces(tmp_path / f"{run}.seatrial") for run in ("1", "2"))
    assert {trace.status for trace in first.values()} <= {Status.COMPLETED, Status.REFUSED}
    assert {key: encode(trace) for key, trace in first.items()} == {key: encode(trace) for key, trace in second.items()}


@pytest.mark.parametrize(
    "target", ["", ":", "agents:", ":good", "no such:thing", "../agents.py:good", "a\x00b:c", "agents:good:bad", "x" * 5000]
)
def test_a_hostile_target_is_a_usage_error(target: str, suite: Path) -> None:
    """Whatever stands behind --agent, it is an agent or a usage error."""
    with pytest.raises(UsageError):
        make_agent(target, suite)
