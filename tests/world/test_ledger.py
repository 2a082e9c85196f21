"""The record of a trial's steps."""

from msgspec import Raw

from seatrial.records.trace import TokenUsage
from seatrial.world import Ledger, ProposedCall
from tests.world.builders import Sea


def test_numbers_rise_whatever_is_recorded():
    """Every step has its own number, in the order in which things happened."""
    ledger = Ledger()
    ledger.user_turn("hello")
    ledger.agent_message("hi")
    ledger.model_call("m-1", usage=TokenUsage(input=1), usd=0.1)
    ledger.permission(7, allowed=False, reason="no")
    ledger.probe("count", 3)
    ledger.probe("broken", error="why")
    numbers = [step.sequence for step in ledger.steps]
    assert numbers == sorted(set(numbers))
    assert [type(step).__name__ for step in ledger.steps] == [
        "UserTurn", "AgentMessage", "ModelCall", "PermissionDecision", "Probe", "Probe",
    ]  # fmt: skip
    assert bytes(ledger.steps[4].value) == bytes(Raw(b"3"))


def test_a_watcher_sees_each_step_once_when_it_is_complete():
    """A call is shown when its answer is delivered."""
    seen = []
    with Sea(watch=seen.append) as sea:
        (handle,) = sea.server.propose([ProposedCall("notify", {"to": "a"})])
        sea.server.execute(handle)
        assert seen == []
        sea.server.deliver([handle])
        sea.server.deliver([handle])
        assert [step.delivered_at for step in seen] == [sea.calls[0].delivered_at]
