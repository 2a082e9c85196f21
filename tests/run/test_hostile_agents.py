"""Whatever an agent does ends its own trial, with the right status, and harms no other."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from seatrial.records.trace import Status, ToolCall, Trace
from tests._suites import desk
from tests._suites.sailing import sail, traces
from tests.cli.program import seatrial

AGENTS = '''
import asyncio
import json
import sys
import threading
import time

from seatrial import Refused


def _only_on(hostile):
    """Make an agent that is hostile in one trial and good in all others."""
    def agent(task, tools, user):
        if FIRST.acquire(blocking=False):
            return hostile(task, tools, user)
        return good(task, tools, user)
    return agent


def _only_on_async(hostile):
    async def agent(task, tools, user):
        if FIRST.acquire(blocking=False):
            return await hostile(task, tools, user)
        await tools.look(ticket_id="T-1")
        await tools.close(ticket_id="T-1")
        return "Closed."
    return agent


FIRST = threading.Lock()


def _raises(error):
    def hostile(task, tools, user):
        raise error
    return _only_on(hostile)


def _raises_async(error):
    async def hostile(task, tools, user):
        await tools.look(ticket_id="T-1")
        raise error
    return _only_on_async(hostile)


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("no text")


raises = _raises(ValueError("broken"))
raises_stop_iteration = _raises(StopIteration("x"))
raises_keyboard_interrupt = _raises(KeyboardInterrupt())
raises_system_exit = _raises(SystemExit(3))
raises_generator_exit = _raises(GeneratorExit())
raises_cancelled = _raises(asyncio.CancelledError())
raises_unprintable = _raises(Unprintable())
raises_surrogates = _raises(ValueError("\\ud800"))
raises_async = _raises_async(ValueError("broken"))
raises_stop_iteration_async = _raises_async(StopIteration("x"))
raises_keyboard_interrupt_async = _raises_async(KeyboardInterrupt())
raises_system_exit_async = _raises_async(SystemExit(3))
raises_generator_exit_async = _raises_async(GeneratorExit())
raises_cancelled_async = _raises_async(asyncio.CancelledError())


@_only_on
def recurses(task, tools, user):
    return recurses_on(0)


def recurses_on(n):
    return recurses_on(n + 1)


@_only_on
def returns_number(task, tools, user):
    return 3


@_only_on
def returns_coroutine(task, tools, user):
    async def inner():
        return "x"
    return inner()


@_only_on
def returns_bad_refusal(task, tools, user):
    return Refused(7)


@_only_on
def says_number(task, tools, user):
    user.say(7)


@_only_on
def reports_nonsense(task, tools, user):
    tools.report_model_call("m", input=-1)


@_only_on
def reports_infinity(task, tools, user):
    tools.report_model_call("m", usd=float("inf"))


@_only_on_async
async def exits_in_a_child(task, tools, user):
    async def child():
        sys.exit(4)
    await asyncio.gather(child())


@_only_on
def reports_a_fortune(task, tools, user):
    tools.report_model_call("m", usd=1e308)


@_only_on
def reports_a_library(task, tools, user):
    tools.report_model_call("m", input=10**15)


@_only_on_async
async def stops_the_loop(task, tools, user):
    asyncio.get_running_loop().stop()


@_only_on_async
async def closes_the_loop(task, tools, user):
    asyncio.get_running_loop().close()


@_only_on_async
async def stops_the_loop_later(task, tools, user):
    loop = asyncio.get_running_loop()
    loop.call_soon(loop.stop)
    await asyncio.sleep(0.01)
    raise ValueError("still here")


@_only_on_async
async def cancels_everybody(task, tools, user):
    for one in asyncio.all_tasks():
        one.cancel()
    await asyncio.sleep(0)


@_only_on_async
async def cancels_itself(task, tools, user):
    asyncio.current_task().cancel()
    await asyncio.sleep(0)


@_only_on
def calls_for_ever(task, tools, user):
    while True:
        tools.call("look", {"ticket_id": "T-2"})


@_only_on_async
async def calls_for_ever_async(task, tools, user):
    while True:
        await tools.call("look", {"ticket_id": "T-2"})


@_only_on
def calls_and_swallows(task, tools, user):
    while True:
        try:
            tools.call("look", {"ticket_id": "T-2"})
        except BaseException:
            continue


@_only_on_async
async def calls_and_swallows_async(task, tools, user):
    while True:
        try:
            await tools.call("look", {"ticket_id": "T-2"})
        except BaseException:
            continue


@_only_on
def loops(task, tools, user):
    tools.look(ticket_id="T-1")
    while True:
        pass


@_only_on
def loops_and_swallows(task, tools, user):
    while True:
        try:
            json.dumps([1])
        except BaseException:
            continue


@_only_on
def sleeps(task, tools, user):
    time.sleep(4)


@_only_on
def is_stuck_in_a_tool(task, tools, user):
    tools.stuck()


@_only_on_async
async def loops_async(task, tools, user):
    await tools.look(ticket_id="T-1")
    while True:
        pass


@_only_on_async
async def loops_in_a_child(task, tools, user):
    async def child():
        while True:
            pass
    await asyncio.gather(child())


@_only_on_async
async def loops_and_swallows_async(task, tools, user):
    while True:
        try:
            json.dumps([1])
        except BaseException:
            continue


@_only_on_async
async def waits_for_ever(task, tools, user):
    await asyncio.Event().wait()


@_only_on_async
async def waits_and_swallows(task, tools, user):
    while True:
        try:
            await asyncio.sleep(0.01)
        except BaseException:
            continue


@_only_on_async
async def is_stuck_in_a_tool_async(task, tools, user):
    await tools.stuck()
'''
RAISING = (
    "raises",
    "raises_stop_iteration",
    "raises_keyboard_interrupt",
    "raises_system_exit",
    "raises_generator_exit",
    "raises_cancelled",
    "raises_unprintable",
    "raises_surrogates",
    "raises_async",
    "raises_stop_iteration_async",
    "raises_keyboard_interrupt_async",
    "raises_system_exit_async",
    "raises_generator_exit_async",
    "raises_cancelled_async",
    "recurses",
    "returns_number",
    "returns_coroutine",
    "returns_bad_refusal",
    "says_number",
    "reports_nonsense",
    "reports_infinity",
    "exits_in_a_child",
    "cancels_itself",
    "reports_a_fortune",
    "reports_a_library",
    "stops_the_loop",
    "closes_the_loop",
    "stops_the_loop_later",
    "cancels_everybody",
)
CALLING = ("calls_for_ever", "calls_for_ever_async", "calls_and_swallows", "calls_and_swallows_async")
HANGING = (
    "loops",
    "loops_and_swallows",
    "sleeps",
    "is_stuck_in_a_tool",
    "loops_async",
    "loops_in_a_child",
    "loops_and_swallows_async",
    "waits_for_ever",
    "waits_and_swallows",
    "is_stuck_in_a_tool_async",
)


def run(folder: Path, agent: str, *, timeout: float = 60.0) -> tuple[Trace, list[Trace]]:
    """Run an agent that misbehaves in the first of four trials; return that trial and the others."""
    suite = desk.write(folder / "suite", AGENTS)
    result = sail(suite, f"agents:{agent}", output=folder / "run.seatrial", timeout=timeout, concurrency=2)
    gc.collect()
    assert result.ran == 4
    stored = list(traces(folder / "run.seatrial").values())
    hostile = [trace for trace in stored if trace.status is not Status.COMPLETED]
    assert len(hostile) == 1, [trace.status for trace in stored]
    return hostile[0], [trace for trace in stored if trace is not hostile[0]]


def _are_whole(others: list[Trace]) -> None:
    assert [len(trace.calls) for trace in others] == [2, 2, 2]
    assert all(len(trace.changes) == 1 for trace in others)


@pytest.mark.parametrize("agent", RAISING)
def test_what_an_agent_raises_or_returns_amiss_is_its_own_error(tmp_path: Path, agent: str) -> None:
    """Anything raised, even what ends a program, and anything returned that is no ending, is `agent_error` of that trial alone."""
    hostile, others = run(tmp_path, agent)
    assert hostile.status is Status.AGENT_ERROR
    assert hostile.status_reason
    _are_whole(others)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a coroutine that ignores its own end says so
@pytest.mark.parametrize("agent", CALLING)
def test_endless_calls_end_at_the_budget(tmp_path: Path, agent: str) -> None:
    """An agent that never stops calling is stopped by its budget, whatever it catches, and no call goes beyond it."""
    hostile, others = run(tmp_path, agent)
    assert hostile.status is Status.BUDGET_EXCEEDED
    assert "12 calls" in hostile.status_reason
    assert hostile.usage.calls == 12
    _are_whole(others)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a coroutine that ignores its own end says so
@pytest.mark.parametrize("agent", HANGING)
def test_an_agent_that_does_not_come_back_is_given_up(tmp_path: Path, agent: str) -> None:
    """A loop without calls, a tool that hangs, and a wait for nothing end as `timeout`; the other trials are whole."""
    hostile, others = run(tmp_path, agent, timeout=0.5)
    assert hostile.status is Status.TIMEOUT
    _are_whole(others)


def test_the_record_holds_what_was_done_before_the_agent_was_lost(tmp_path: Path) -> None:
    """A trial that is given up keeps the calls that were made and knows its end state."""
    hostile, _ = run(tmp_path, "loops", timeout=0.5)
    assert [step.tool for step in hostile.steps if isinstance(step, ToolCall)] == ["look"]
    assert not hostile.changes_unknown


@pytest.mark.parametrize(("agent", "told"), [("reports_a_fortune", "usd is 1e+308"), ("reports_a_library", "input is 1e+15")])
def test_a_report_that_no_exchange_can_come_to_names_the_value(tmp_path: Path, agent: str, told: str) -> None:
    """Tokens and prices are bounded where they are recorded, so that no sum of them can overflow."""
    hostile, _ = run(tmp_path, agent)
    assert told in hostile.status_reason


@pytest.mark.parametrize("agent", ["raises", "raises_async", "recurses"])
def test_where_an_agent_raised_is_kept_without_the_machine(tmp_path: Path, agent: str) -> None:
    """The last frames of the agent's own code, innermost last: no folder, no frame of the harness, the same in a second run."""
    first, second = (run(tmp_path / name, agent)[0].traceback for name in ("one", "two"))
    assert first == second
    assert 1 <= len(first) <= 8
    assert all(line.startswith("agents.py:") for line in first)
    assert first[-1].endswith(" in recurses_on" if agent == "recurses" else ".hostile")
    assert not any("/" in line or "seatrial" in line for line in first)


LEFTOVERS = """
import asyncio
import threading
import time


def leaves_a_thread(task, tools, user):
    def work():
        time.sleep(0.05)
        tools.look(ticket_id="T-1")
    threading.Thread(target=work).start()


async def leaves_a_task(task, tools, user):
    async def work():
        try:
            await asyncio.sleep(5)
        finally:
            await tools.look(ticket_id="T-1")
    asyncio.create_task(work())
    await asyncio.sleep(0)
"""


@pytest.mark.parametrize("agent", ["leaves_a_thread", "leaves_a_task"])
def test_what_an_agent_leaves_behind_ends_without_a_word(tmp_path: Path, agent: str) -> None:
    """A thread or a task that is stopped because its trial is over prints no traceback, also after the run."""
    desk.write(tmp_path / "suite", LEFTOVERS)
    result = seatrial("run", "suite", "--agent", f"agents:{agent}", "-o", "run.seatrial", folder=tmp_path)
    assert result.stderr == ""
    assert "agent_error" not in result.stdout
