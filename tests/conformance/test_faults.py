"""What every fault must do; a new one is picked up by its file."""

import msgspec
import pytest
from msgspec import UNSET

from seatrial.base import catalogue
from seatrial.records.task import FaultSpec
from seatrial.records.trace import Effect
from tests.world.builders import Sea, a_task

KINDS = catalogue.built_in("fault")
CALLS = {
    "read": ("policy_lookup", {"policy_id": "P-1"}),
    "write": ("route", {"claim_id": "C-1", "queue": "q"}),
    "external": ("notify", {"to": "ann"}),
}
"""Effect → a call of such a tool."""


def fault_of(kind):
    return catalogue.load("fault", kind).FAULT


def played(kind=None, *, effect="read", seed=1, trial=0, times=1, **schedule):
    """Make one call a number of times and return observations, calls and changes."""
    name, arguments = CALLS[effect]
    faults = [{"tool": name, "kind": kind, **schedule}] if kind else []
    with Sea(a_task(faults=faults), seed=seed, trial=trial) as sea:
        seen = [sea.call(name, arguments) for _ in range(times)]
        return seen, sea.calls, sea.changed, sea.server.usage().seconds


def stripped(calls):
    return [msgspec.json.encode(msgspec.structs.replace(call, fault=None, seconds=0.0)) for call in calls]


@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_says_what_it_is(kind):
    """Module and class are documented; effects are known; seconds are no debt; a status is an HTTP one."""
    module = catalogue.load("fault", kind)
    fault = module.FAULT
    assert module.__doc__.startswith(f"`{kind}`")
    assert type(fault).__doc__
    assert set(fault.effects) <= set(Effect.__args__)
    spec = FaultSpec("x", kind)
    assert fault.seconds(spec) >= 0
    assert fault.status(spec) is None or 400 <= fault.status(spec) <= 599


@pytest.mark.parametrize("effect", CALLS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_that_fires_is_recorded_and_one_that_does_not_leaves_no_trace(kind, effect):
    """A fired fault stands in the record of its call; switched off, or on an effect it does not know, all is as without it."""
    _, without, changes, _ = played(effect=effect)
    for off in ({"rate": 0.0}, {"nth": (7,)}, {"when": msgspec.Raw(b'{"policy_id": "P-9"}')}):
        _, calls, found, seconds = played(kind, effect=effect, **off)
        assert (stripped(calls), found, seconds, calls[0].fault) == (stripped(without), changes, 0.0, None)
    _, calls, found, _ = played(kind, effect=effect)
    if effect in fault_of(kind).effects:
        assert calls[0].fault.kind == kind
    else:
        assert (stripped(calls), found, calls[0].fault) == (stripped(without), changes, None)


@pytest.mark.parametrize("effect", CALLS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_weather(kind, effect):
    """The draw knows seed, task, trial, tool and occurrence; another trial has another weather."""
    rounds = [
        played(kind, effect=effect, times=30, rate=0.5, seed=seed, trial=trial)[1] for seed, trial in ((1, 0), (1, 0), (2, 0), (1, 1))
    ]
    fired = [[call.fault is not None for call in calls] for calls in rounds]
    assert [msgspec.json.encode(call) for call in rounds[0]] == [msgspec.json.encode(call) for call in rounds[1]]
    if effect in fault_of(kind).effects:
        assert fired[0] not in (fired[2], fired[3])
        assert 5 < sum(fired[0]) < 25


@pytest.mark.parametrize("kind", KINDS)
def test_a_failure_that_a_fault_makes_is_worth_a_retry(kind):
    """What an injected fault spoils is transient by default, the agent is told why, and no value arrives as a good one."""
    seen, calls, _, _ = played(kind)
    if seen[0].ok:
        assert calls[0].failure is None
        return
    assert calls[0].failure.transient is True
    assert calls[0].failure.message
    assert seen[0].value is None
    assert seen[0].failure == calls[0].failure


@pytest.mark.parametrize("effect", ["write", "external"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_was_done_is_recorded_whatever_arrives(kind, effect):
    """A tool that ran has executed arguments and its changes in the record; one that did not run has neither."""
    _, without, changes, _ = played(effect=effect)
    _, calls, found, _ = played(kind, effect=effect)
    if calls[0].ran:
        assert found == changes
        assert calls[0].changes == without[0].changes
    else:
        assert found == {}
        assert calls[0].observation is UNSET


@pytest.mark.parametrize("kind", KINDS)
def test_declared_words_and_seconds_are_used(kind):
    """A message of the task's own is what the agent is told; declared seconds pass on the virtual clock only."""
    seen, calls, _, seconds = played(kind, message="our own words", seconds=12.0)
    assert seen[0].ok or seen[0].failure.message == "our own words"
    assert (seconds, calls[0].seconds, calls[0].fault.seconds) == (12.0, 12.0, 12.0)
