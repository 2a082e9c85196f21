"""Plain functions share threads over the trials, and none of them can tell."""

from __future__ import annotations

import gc
import threading
from pathlib import Path

import pytest

from seatrial.agents import make_agent
from seatrial.records.trace import AgentMessage, Status, Trace
from tests._suites import desk
from tests._suites.sailing import sail, traces

AGENTS = """
import contextvars
import sys
import threading

LOCAL = threading.local()
VARIABLE = contextvars.ContextVar("variable", default="unset")
TURN = threading.Lock()
COUNT = []


def keeps_local_data(task, tools, user):
    was = getattr(LOCAL, "kept", "unset")
    LOCAL.kept = "set"
    tools.look(ticket_id="T-1")
    return was + LOCAL.kept


def keeps_context(task, tools, user):
    was = VARIABLE.get()
    VARIABLE.set("set")
    return was + VARIABLE.get()


def keeps_profile(task, tools, user):
    was = "unset" if sys.getprofile() is None else "set"
    sys.setprofile(lambda *_: None)
    return was + "set"


def raises_with_local_data(task, tools, user):
    was = getattr(LOCAL, "kept", "unset")
    LOCAL.kept = "set"
    raise ValueError(was + "set")


def hangs_now_and_then(task, tools, user):
    with TURN:
        COUNT.append(1)
        mine = len(COUNT)
    while mine % 4 == 0:
        pass
    tools.look(ticket_id="T-1")
    return "fine"
"""


def sailed(folder: Path, agent: str, **options: object) -> list[Trace]:
    """Run an agent twelve times and return the traces."""
    suite = desk.write(folder / "suite", AGENTS)
    sail(suite, f"agents:{agent}", output=folder / "run.seatrial", trials=6, **options)
    return list(traces(folder / "run.seatrial").values())


def said(trace: Trace) -> str:
    """What the agent said last."""
    return next((step.text for step in reversed(trace.steps) if isinstance(step, AgentMessage)), trace.status_reason)


@pytest.mark.parametrize("agent", ["keeps_local_data", "keeps_context", "keeps_profile", "raises_with_local_data"])
@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_trial_finds_nothing_of_another_in_its_thread(tmp_path: Path, agent: str, concurrency: int) -> None:
    """Thread-local data, context variables and profile functions are as in a new thread, whatever ran before."""
    assert {said(trace).removeprefix("ValueError: ") for trace in sailed(tmp_path, agent, concurrency=concurrency)} == {"unsetset"}


def test_an_interruption_hits_the_trial_that_it_is_meant_for(tmp_path: Path) -> None:
    """Trials that hang are given up, and every other one, before and after, is whole."""
    found = sailed(tmp_path, "hangs_now_and_then", concurrency=3, timeout=0.5)
    assert sorted(trace.status for trace in found) == [Status.COMPLETED] * 9 + [Status.TIMEOUT] * 3
    assert {(said(trace), len(trace.calls)) for trace in found if trace.status is Status.COMPLETED} == {("fine", 1)}


def test_threads_end_with_their_agent(tmp_path: Path) -> None:
    """When the agent is gone, no thread of it waits for more."""
    before = set(threading.enumerate())
    sailed(tmp_path, "keeps_context", concurrency=4)
    gc.collect()
    for one in set(threading.enumerate()) - before:
        one.join(timeout=10)
        assert not one.is_alive()


def test_an_agent_that_never_ran_has_no_thread(tmp_path: Path) -> None:
    """To make an agent starts nothing."""
    before = threading.active_count()
    make_agent("agents:keeps_context", desk.write(tmp_path, AGENTS))
    assert threading.active_count() <= before
