"""Whose fault it is: what a suite's own code breaks is never laid at the candidate's door, and its call is on record."""

import asyncio

import pytest

from seatrial.base.errors import AgentError, BudgetExceeded, SimulatorError, SuiteError, UsageError, WorldError
from seatrial.suite.fixtures import FixtureData
from seatrial.world import Documents, ProposedCall, ToolError, ToolServer, WorldDefinition, probe, tool
from seatrial.world.calls import TrialStopped
from tests.world.builders import FIXTURE, Sea, a_task


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("no text")


class UnprintableEnd(BaseException):
    def __str__(self):
        raise SystemExit


class Odd(ToolError):
    def __init__(self):
        self.message, self.status, self.kind, self.transient = {"a": 1}, "404", 5, "yes"


class Empty(ToolError):
    def __init__(self):
        pass


class Hostile(ToolError):
    @property
    def message(self):
        raise SystemExit

    @message.setter
    def message(self, value):
        pass


RAISED = {}


@tool(effect="write")
def break_down(state, how: str) -> dict:
    """Write, and raise."""
    state["claims"]["C-1"]["status"] = "broken"
    raise RAISED[how]


@probe
def broken_probe(state):
    raise SystemExit(3)


def called(error):
    """Return the trial after one call of a tool that raises, what the call raised, and its observation."""
    RAISED["so"] = error
    definition = WorldDefinition(state=Documents(), tools={"break_down": break_down}, probes={"broken_probe": broken_probe})
    sea = Sea(definition=definition, fixture=FixtureData(records={"claims": {"C-1": {"status": "new"}}}))
    try:
        return sea, None, sea.call("break_down", {"how": "so"})
    except BaseException as found:  # noqa: BLE001 - what is raised is what is tested
        return sea, found, None


ENDS = {
    "SystemExit": SystemExit(3),
    "KeyboardInterrupt": KeyboardInterrupt(),
    "GeneratorExit": GeneratorExit(),
    "CancelledError": asyncio.CancelledError(),
    "UnprintableEnd": UnprintableEnd(),
    "AgentError": AgentError("not the agent"),
    "UsageError": UsageError("wrong"),
    "SuiteError": SuiteError("wrong"),
    "BudgetExceeded": BudgetExceeded("calls", 1, 1),
    "WorldError": WorldError("down"),
}


@pytest.mark.parametrize("name", ENDS)
def test_what_no_agent_can_answer_for_is_the_worlds_fault(name):
    """The trial ends with a WorldError that names the tool; the call is recorded and nothing of it stays written."""
    sea, found, _ = called(ENDS[name])
    assert isinstance(found, WorldError)
    assert "break_down" in str(found)
    assert name in str(found) or name == "WorldError"
    assert [(call.tool, call.failure.kind) for call in sea.calls] == [("break_down", "tool_error")]
    assert sea.changed == {}


ANSWERED = {
    "a number": (ToolError(5), ("tool_error", "5", None, False)),
    "nothing": (ToolError(None), ("tool_error", "None", None, False)),
    "no text": (ToolError(""), ("tool_error", "ToolError", None, False)),
    "another status": (ToolError("x", status=409), ("status", "x", 409, False)),
    "told transient": (ToolError("x", status=409, transient=True), ("status", "x", 409, True)),
    "told permanent": (ToolError("x", status=503, transient=False), ("status", "x", 503, False)),
    "huge status": (ToolError("x", status=10**30), ("status", "x", None, False)),
    "odd fields": (Odd(), ("tool_error", "{'a': 1}", None, False)),
    "no fields": (Empty(), ("tool_error", "Empty", None, False)),
    "unprintable": (Unprintable(), ("tool_error", "Unprintable", None, False)),
    "unprintable inside": (ToolError(Unprintable()), ("tool_error", "Unprintable", None, False)),
    "stop": (StopIteration("x"), ("tool_error", "StopIteration: x", None, False)),
    "surrogates": (ValueError("\ud800"), ("tool_error", "ValueError: \\ud800", None, False)),
}


@pytest.mark.parametrize("case", ANSWERED)
def test_what_a_tool_raises_is_an_answer_whatever_is_in_it(case):
    """Kind, message, status and class are read from any error; what has no text is told by its class."""
    error, expected = ANSWERED[case]
    sea, found, observation = called(error)
    failure = observation.failure
    assert found is None
    assert (failure.kind, failure.message, failure.status, failure.transient) == expected
    assert [call.failure for call in sea.calls] == [failure]


def test_an_error_that_breaks_when_it_is_read_is_the_worlds_fault():
    """Also then the call is on record."""
    sea, found, _ = called(Hostile("x"))
    assert isinstance(found, WorldError)
    assert [call.failure.kind for call in sea.calls] == ["tool_error"]


def test_the_harness_goes_on_its_own_way():
    """A broken user and a trial that is over are not the tool's."""
    for error in (SimulatorError("the user broke"), TrialStopped()):
        _, found, _ = called(error)
        assert found is error


def test_a_probe_that_ends_the_program_is_an_error_of_the_world():
    """It is recorded as a probe that could not be taken."""
    sea, _, _ = called(ToolError("x"))
    with pytest.raises(WorldError, match="'broken_probe' raised SystemExit: 3"):
        sea.world.probe("broken_probe")


def test_a_normaliser_that_ends_the_program_is_the_worlds_fault():
    """What it cannot read it may say with an exception; an end of the program is none of the agent's doing."""

    def ends(value):
        raise SystemExit

    @tool(effect="read", normalise={"x": "ends"})
    def look(x: str) -> str:
        """Look."""
        return x

    with Sea(normalisers={"ends": ends}) as sea:
        origin = sea.world.origin
        world = type(origin)(a_task(), origin.state, {"look": look}, {}, origin.normalisers, "h").open(seed=1, trial=0)
        server = ToolServer(world, a_task(), (look.spec,), sea.ledger, seed=1, trial=0)
        with pytest.raises(WorldError, match="look: SystemExit"):
            server.call([ProposedCall("look", {"x": "y"})])
        assert [call.tool for call in sea.calls] == ["look"]
        world.close()
    assert FIXTURE.records
