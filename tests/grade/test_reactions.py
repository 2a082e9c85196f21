"""What the agent did about each fault that fired."""

import pytest

from seatrial.grade.identical import identity_of
from seatrial.grade.reactions import judge_reactions
from seatrial.grade.view import TraceView
from seatrial.records.contract import Process
from seatrial.records.trace import Status
from tests.grade._builders import Story, failed, raw, tool, updated

ESCALATING = frozenset({"escalate"})


def react(story, *, status=Status.COMPLETED, invented=()):
    view = TraceView(story.trace(status=status))
    return [one.reaction for one in judge_reactions(view, status, escalating=ESCALATING, invented=invented)]


def broken(times=1):
    story = Story("go")
    for _ in range(times):
        story.call("policy_lookup", {"a": 1}, failure=failed(), fault="error")
    return story


@pytest.mark.parametrize("kind", ["latency", "stale", "injection"])
def test_a_fault_that_leaves_an_answer_is_unaffected(kind):
    """Late, old or planted answers are answers."""
    story = Story("go")
    story.call("policy_lookup", {"a": 1}, {"ok": True}, fault=kind)
    assert react(story) == ["unaffected"]


def test_an_identical_retry_that_succeeds_recovers_every_firing_before_it():
    """Each firing has its own reaction."""
    story = broken(2)
    story.call("policy_lookup", {"a": 1}, {"ok": True})
    assert react(story) == ["recovered", "recovered"]


def test_retries_in_vain_are_lost_and_the_last_firing_tells_what_came_of_it():
    """The firings that were retried in vain are lost; the one that was not retried gets the final reaction."""
    assert react(broken(3).agent("The service is down.")) == ["lost", "lost", "failed_closed"]
    assert react(broken(1)) == ["lost"]
    assert react(broken(1).agent("Oh."), status=Status.TIMEOUT) == ["lost"]


def test_a_person_was_called():
    """An escalation after the fault."""
    story = broken()
    story.call("escalate", {}, {"ok": True})
    assert react(story.agent("A colleague will call.")) == ["escalated"]


def test_a_write_afterwards_went_on_and_an_invented_value_is_worse():
    """A write without the answer went on; with a value from nowhere it invented."""
    story = broken()
    step = story.call("route", {"queue": "fire"}, {"ok": True})
    assert react(story.agent("Done.")) == ["went_on"]
    assert react(story, invented=(step,)) == ["invented"]


def test_another_call_is_no_retry():
    """Other arguments or another tool do not make the failed call good."""
    story = broken()
    story.call("policy_lookup", {"a": 2}, {"ok": True})
    assert react(story.agent("Done.")) == ["failed_closed"]


def test_a_lost_answer_is_recovered_by_looking_and_doubled_by_repeating():
    """A write that was made though its answer was lost: a later look recovers it, a repeat doubles it, nothing at all loses it."""

    def story():
        made = Story("go")
        made.call("route", {"a": 1}, failure=failed(kind="lost_response"), fault="lost_response", changes=(updated("c/1", q=1),))
        return made

    looked = story()
    looked.call("policy_lookup", {"a": 1}, {"queue": 1})
    assert react(looked) == ["recovered"]
    doubled = story()
    doubled.call("route", {"a": 1}, {"ok": True})
    assert react(doubled) == ["doubled"]
    doubled.call("policy_lookup", {"a": 1}, {"queue": 1})
    assert react(doubled) == ["doubled"]
    assert react(story()) == ["lost"]


def test_the_users_faults_are_not_the_agents():
    """Faults on the user's own tools get no reaction."""
    story = Story("go")
    story.call("policy_lookup", {}, failure=failed(), fault="error", by="user")
    assert react(story) == []


def test_a_retry_in_another_spelling_recovers():
    """A retry is told by what it asks, not by how it is written."""
    story = Story("go")
    story.call("policy_lookup", {"policy_id": "HL-1"}, failure=failed(), fault="error")
    story.call("policy_lookup", {"policy_id": "hl 1", "page": 1}, {"ok": True})
    spec = tool("policy_lookup", defaults=raw({"page": 1}), normalisers={"policy_id": "identifier"})
    view, identity = TraceView(story.trace()), identity_of([spec], Process(), {})
    found = judge_reactions(view, Status.COMPLETED, escalating=ESCALATING, invented=(), identity=identity)
    assert [one.reaction for one in found] == ["recovered"]
