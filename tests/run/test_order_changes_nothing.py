"""The order in which trials run and end changes nothing, and two candidates meet the same weather."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.records.trace import FiredFault, ToolCall, encode
from tests._suites import desk
from tests._suites.sailing import grades, sail, traces

AGENTS = '''
import asyncio
import time


def restless(task, tools, user):
    """Do things in an order and at a pace of its own chance."""
    for _ in range(task.random.randrange(1, 6)):
        time.sleep(task.random.random() / 500)
        tools.call(task.random.choice(["look", "look", "close"]), {"ticket_id": task.random.choice(["T-1", "T-2", "T-9"])})
    return str(task.random.random())


async def restless_async(task, tools, user):
    """The same on the loop."""
    for _ in range(task.random.randrange(1, 6)):
        await asyncio.sleep(task.random.random() / 500)
        await tools.call(task.random.choice(["look", "look", "close"]), {"ticket_id": task.random.choice(["T-1", "T-2", "T-9"])})
    return str(task.random.random())


def careful(task, tools, user):
    """Look six times."""
    for _ in range(6):
        tools.call("look", {"ticket_id": "T-1"})


def hasty(task, tools, user):
    """Close twice, then look four times at something else."""
    for tool in ("close", "look", "look", "close", "look", "look"):
        tools.call(tool, {"ticket_id": "T-2"})
'''
WEATHER = "[{tool: look, kind: error, status: 503, rate: 0.4}, {tool: close, kind: timeout, rate: 0.3}]"


def suite(folder: Path) -> Path:
    """A suite of six stormy tasks."""
    tasks = {f"a-{n}": desk.task(f"a-{n}", faults=WEATHER) for n in range(6)}
    return desk.write(folder / "suite", AGENTS, tasks=tasks)


@pytest.mark.parametrize("agent", ["restless", "restless_async"])
def test_concurrency_and_repetition_change_no_byte(tmp_path: Path, agent: str) -> None:
    """With 1 and with 32 trials in flight, alone or beside another agent, every trace and every grade is the same, byte for byte."""
    folder = suite(tmp_path)
    sail(folder, f"agents:{agent}", output=tmp_path / "one.seatrial", concurrency=1, trials=4)
    sail(folder, f"agents:{agent}", output=tmp_path / "many.seatrial", concurrency=32, trials=4)
    both = sail(folder, "agents:careful", f"agents:{agent}", output=tmp_path / "both", concurrency=7, trials=4)
    paths = [tmp_path / "one.seatrial", tmp_path / "many.seatrial", both.paths[1]]
    first, *others = [{key: encode(trace) for key, trace in traces(path).items()} for path in paths]
    assert len(first) == 24
    assert [other == first for other in others] == [True, True]
    assert [grades(path) == grades(paths[0]) for path in paths[1:]] == [True, True]


def test_two_agents_meet_the_same_faults(tmp_path: Path) -> None:
    """Whatever else they do, the nth call of a tool in a trial meets the same fault for both candidates."""
    result = sail(suite(tmp_path), "agents:careful", "agents:hasty", output=tmp_path / "both", trials=4)
    first, second = (_weather(path) for path in result.paths)
    shared = first.keys() & second.keys()
    assert len(shared) == 6 * 4 * 4
    assert {key: first[key] for key in shared} == {key: second[key] for key in shared}
    assert any(first[key] for key in shared)
    assert not all(first[key] for key in shared)


def test_another_seed_is_another_weather(tmp_path: Path) -> None:
    """The draw depends on the run's seed."""
    folder = suite(tmp_path)
    for seed in (0, 1):
        sail(folder, "agents:careful", output=tmp_path / f"{seed}.seatrial", seed=seed, trials=4)
    assert _weather(tmp_path / "0.seatrial") != _weather(tmp_path / "1.seatrial")


def _weather(path: Path) -> dict[tuple[str, int, str, int], FiredFault | None]:
    """Return the fault of every executed call by task, trial, tool and occurrence."""
    found: dict[tuple[str, int, str, int], FiredFault | None] = {}
    for (task, trial), trace in traces(path).items():
        counts: dict[str, int] = {}
        for step in trace.steps:
            if isinstance(step, ToolCall):
                counts[step.tool] = counts.get(step.tool, 0) + 1
                found[task, trial, step.tool, counts[step.tool]] = step.fault
    return found
