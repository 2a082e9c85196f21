"""Order: happens-before over concurrent calls, contexts and hand-overs; issue order; user turns; arrivals."""

import msgspec
import pytest

from seatrial.base.errors import SuiteError
from tests.grade._builders import Ask, Story
from tests.grade.process._judged import COVER, LOOK, ROUTE, judged, need, process, verdict

A, B, C = need("a", "policy_lookup", LOOK), need("b", "coverage_rules", COVER), need("c", "route", ROUTE)


def test_a_call_follows_another_only_after_its_answer():
    """Calls of one message are concurrent: `<` fails between them, `then` looks at their position."""
    together, apart = Story("hi"), Story("hi")
    together.calls(Ask("policy_lookup", LOOK), Ask("coverage_rules", COVER))
    apart.call("policy_lookup", LOOK), apart.call("coverage_rules", COVER)
    assert [verdict(process(A, B, order="a < b"), story) for story in (together, apart)] == ["fail", "pass"]
    assert [verdict(process(A, B, order="a then b"), story) for story in (together, apart)] == ["pass", "pass"]


def test_an_answer_that_never_arrived_is_followed_by_nothing():
    """A call whose answer was not delivered precedes no call by `<`, and by `then` as any other."""
    story = Story("hi")
    story.call("policy_lookup", LOOK, delivered=False), story.call("coverage_rules", COVER)
    assert verdict(process(A, B, order="a < b"), story) == "fail"
    assert verdict(process(A, B, order="a then b"), story) == "pass"


def test_repeated_calls_are_assigned_so_that_the_order_holds():
    """Of several identical calls the assignment takes those that keep the order."""
    contract = process(A, B, need("a2", "policy_lookup", LOOK), order="a < b,b < a2")
    story = Story("hi")
    story.call("policy_lookup", LOOK), story.call("coverage_rules", COVER), story.call("policy_lookup", LOOK)
    assert judged(contract, story).assignment == {"a": (0,), "b": (1,), "a2": (2,)}


def test_a_write_before_its_check_is_not_healed_by_a_second_one():
    """Every executed write that could meet the right of `<` must follow a call that meets the left."""
    contract = process(B, C, order="b < c", extras="any", repeats_writes=5)
    early, late = Story("hi"), Story("hi")
    early.call("route", ROUTE), early.call("coverage_rules", COVER), early.call("route", ROUTE)
    late.call("coverage_rules", COVER), late.call("route", ROUTE), late.call("route", ROUTE)
    result = judged(contract, early)
    assert (result.answer.verdict, verdict(contract, late)) == ("fail", "pass")
    assert "follows no call" in result.answer.reason
    assert result.order[0].status == "violated"


def test_a_read_before_its_left_side_is_healed():
    """A read may be made again: only the assigned call must follow."""
    contract = process(A, B, order="a < b")
    story = Story("hi")
    story.call("coverage_rules", COVER), story.call("policy_lookup", LOOK), story.call("coverage_rules", COVER)
    assert verdict(contract, story) == "pass"


def test_a_write_that_meets_another_requirement_is_free_of_the_first_ones_order():
    """The same write may be required before and after a check."""
    contract = process(C, B, need("c2", "route", ROUTE), order="c < b,b < c2")
    story = Story("hi")
    story.call("route", ROUTE), story.call("coverage_rules", COVER), story.call("route", ROUTE)
    assert verdict(contract, story) == "pass"


def test_a_missing_optional_call_frees_its_own_pairs_and_keeps_the_closure():
    """With `a < b`, `b < c` and b optional and missing, a must still precede c."""
    contract = process(A, need("b", "coverage_rules", COVER, optional=True), need("c", "policy_search"), order="a < b,b < c")
    right, wrong = Story("hi"), Story("hi")
    right.call("policy_lookup", LOOK), right.call("policy_search")
    wrong.call("policy_search"), wrong.call("policy_lookup", LOOK)
    assert [verdict(contract, story) for story in (right, wrong)] == ["pass", "fail"]
    assert [row.status for row in judged(contract, right).order] == ["vacuous", "vacuous"]


def test_a_call_after_a_user_turn():
    """`user.2 < c` asks that the call was issued after the second thing the user said; every such write must be."""
    contract = process(C, order="user.2 < c", extras="any", repeats_writes=5)
    late, early, both = Story("hi"), Story("hi"), Story("hi")
    late.user("yes").call("route", ROUTE)
    early.call("route", ROUTE)
    early.user("yes")
    both.call("route", ROUTE)
    both.user("yes").call("route", ROUTE)
    assert [verdict(contract, story) for story in (late, early, both)] == ["pass", "fail", "fail"]
    assert "user turn 2" in judged(contract, early).answer.reason


def test_another_context_knows_an_answer_only_through_a_hand_over():
    """An answer delivered to one agent is not known to another until a hand-over passes it on."""
    contract = process(A, B, order="a < b")
    without, given, early = Story("hi"), Story("hi"), Story("hi")
    for story in (without, given, early):
        if story is early:
            story.handoff("agent", "helper")
        story.call("policy_lookup", LOOK)
        if story is given:
            story.handoff("agent", "helper")
        story.call("coverage_rules", COVER, context="helper")
    assert [verdict(contract, story) for story in (without, given, early)] == ["fail", "pass", "fail"]


def inferred(story, at):
    """Make the call at a position one whose message was not seen: it has only its arrival."""
    call = story.steps[at]
    story.steps[at] = msgspec.structs.replace(call, inferred=True, issued_at=call.sequence, message=None)
    return story


def test_order_on_arrivals_is_undetermined_unless_it_is_accepted():
    """A pair that rests on an arrival is undetermined, certainly broken ones fail, and `order_by: arrival` accepts arrivals."""
    story = Story("hi")
    story.call("policy_lookup", LOOK), story.call("coverage_rules", COVER)
    inferred(story, -1)
    result = judged(process(A, B, order="a < b"), story)
    assert (result.answer.verdict, result.order[0].status) == ("undetermined", "undetermined")
    assert verdict(process(A, B, order="a < b", order_by="arrival"), story) == "pass"
    wrong = Story("hi")
    wrong.call("coverage_rules", COVER), wrong.call("policy_lookup", LOOK)
    assert verdict(process(A, B, order="a < b"), inferred(wrong, -2)) == "fail"


def test_the_first_user_turn_precedes_every_call():
    """Nothing is issued before the task's input, so `user.1` is certain even for an arrival."""
    story = Story("hi")
    story.call("policy_lookup", LOOK)
    assert verdict(process(A, order="user.1 < a"), inferred(story, -1)) == "pass"


def test_a_value_must_come_from_the_call_assigned_to_its_source():
    """`$from` binds to the answer of the call that meets the source, in the same assignment, and implies its order."""
    source = need("find", "policy_search", {"query": "pipe"})
    pay = need("pay", "pay", {"payee": {"$from": "find.rows[*].account"}})
    right, wrong, early = Story("hi"), Story("hi"), Story("hi")
    right.call("policy_search", {"query": "pipe"}, {"rows": [{"account": "A-1"}, {"account": "A-9"}]})
    right.call("pay", {"payee": "A-9"})
    wrong.call("policy_search", {"query": "pipe"}, {"rows": [{"account": "A-1"}]})
    wrong.call("pay", {"payee": "A-9"})
    early.calls(Ask("policy_search", {"query": "pipe"}, {"rows": [{"account": "A-9"}]}), Ask("pay", {"payee": "A-9"}))
    assert [verdict(process(source, pay), story) for story in (right, wrong, early)] == ["pass", "fail", "fail"]
    assert "find" in judged(process(source, pay), wrong).answer.reason


def test_a_source_is_chosen_so_that_its_value_fits():
    """Of two calls that could be the source, the one whose answer holds the value is assigned."""
    source, pay = need("find", "policy_search"), need("pay", "pay", {"payee": {"$from": "find.account"}})
    story = Story("hi")
    story.call("policy_search", {"query": "a"}, {"account": "A-1"}), story.call("policy_search", {"query": "b"}, {"account": "A-9"})
    story.call("pay", {"payee": "A-1"})
    assert judged(process(source, pay), story).assignment == {"find": (0,), "pay": (2,)}


@pytest.mark.parametrize("order", ["a < b,b < a", "a then a", "x < b", "a < x"])
def test_an_order_that_cannot_be_is_refused(order):
    """A cycle and an unknown id are errors of the contract."""
    with pytest.raises(SuiteError):
        judged(process(A, B, order=order), Story("hi"))


def test_steps_out_of_sequence_are_read_in_issue_order():
    """The order of the list of steps means nothing; numbers do."""
    story = Story("hi")
    story.call("policy_lookup", LOOK), story.call("coverage_rules", COVER)
    story.steps[1:] = story.steps[:0:-1]
    assert judged(process(A, B, order="a < b"), story).assignment == {"a": (1,), "b": (0,)}
