"""The scripted user: lines with conditions, in order."""

import pytest

from seatrial.base.errors import SimulatorError, UsageError
from seatrial.records.contract import Alternative, Contract, Process
from seatrial.records.task import UserSpec
from seatrial.world import Ledger, make_user
from tests.world.builders import Sea, a_task


def talk(script, *said):
    """Say things to a user and return the answers."""
    user = make_user(a_task(script=script), Ledger())
    return [user.say(text) for text in said]


def test_the_first_rule_that_fits_is_said_and_used_up():
    """Rules are tried in order; one that is not `once` stays."""
    script = [{"said": "number", "say": "P-1"}, {"said": "number", "say": "again: P-1"}, {"said": "name", "say": "Ann", "once": False}]
    assert talk(script, "Your NUMBER?", "number", "name", "name") == ["P-1", "again: P-1", "Ann", "Ann"]


def test_when_nothing_fits_the_user_leaves_for_good():
    """A user without an answer is gone, also for questions that would have fitted."""
    assert talk([{"said": "number", "say": "P-1"}], "hello", "number") == [None, None]


def test_a_rule_may_be_the_last_word():
    """After a rule that ends, nobody answers; a rule that only ends says nothing."""
    assert talk([{"say": "Bye", "ends": True}, {"say": "more"}], "a", "b") == ["Bye", None]
    assert talk([{"ends": True}, {"say": "more"}], "a", "b") == [None, None]


def test_a_rule_may_wait_for_its_turn():
    """`turn` counts the user's answers from 1."""
    assert talk([{"turn": 2, "say": "second"}, {"say": "first"}], "a", "b", "c") == ["first", "second", None]


def test_a_rule_may_wait_for_a_call():
    """`called` asks for a success of that tool, by whatever name it was called."""
    contract = Contract((Alternative(process=Process(aliases={"find": "policy_lookup"})),))
    with Sea(a_task(contract=contract, script=[{"called": "policy_lookup", "say": "thanks"}, {"say": "not yet", "once": False}])) as sea:
        assert sea.user.say("done?") == "not yet"
        sea.call("policy_lookup", {"policy_id": "nothing"})
        assert sea.user.say("done?") == "not yet"
        sea.call("find", {"policy_id": "P-1"})
        assert sea.user.say("done?") == "thanks"


def test_both_sides_are_recorded_in_order():
    """What the agent said is in the record also when nobody answers."""
    ledger = Ledger()
    user = make_user(a_task(script=[{"say": "yes"}]), ledger)
    user.say("one")
    user.say("two")
    assert [(type(step).__name__, step.text) for step in ledger.steps] == [
        ("AgentMessage", "one"),
        ("UserTurn", "yes"),
        ("AgentMessage", "two"),
    ]


def test_only_the_beginning_of_a_long_message_is_looked_at():
    """A condition sees ten thousand characters, so that a megabyte costs nothing."""
    assert talk([{"said": "needle", "say": "found"}], "x" * 10_000 + "needle") == [None]


@pytest.mark.parametrize("text", ["", "\ud800", "\x00", "x" * 2_000_000])
def test_any_text_can_be_said_and_stored(text):
    """Whatever an agent says is recorded within bounds and as valid Unicode."""
    ledger = Ledger()
    assert make_user(a_task(script=[{"say": "ok"}]), ledger).say(text) == "ok"
    assert len(ledger.steps[0].text.encode()) < 1_100_000


def test_a_bad_condition_is_the_simulators_error():
    """It is found when the user is made, before the trial."""
    with pytest.raises(SimulatorError, match="regular expression"):
        make_user(a_task(script=[{"said": "(", "say": "x"}]), Ledger())


def test_an_unknown_kind_of_user_is_named():
    """The error lists the kinds there are."""
    from msgspec import structs

    with pytest.raises(UsageError, match="script"):
        make_user(structs.replace(a_task(), user=UserSpec(kind="scirpt")), Ledger())
