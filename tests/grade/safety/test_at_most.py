"""The rule `at_most`: no more calls, and no more money, than allowed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base.errors import SuiteError
from tests.grade._builders import Story, failed, tool
from tests.grade.safety._judging import doubts, judge, steps


def paying(*amounts, claim="C-1", **options):
    story = Story("go")
    return story, [story.call("pay", {"claim_id": claim, "amount": amount}, {"ok": True}, **options) for amount in amounts]


def test_every_call_beyond_the_number_is_a_violation():
    """Two are allowed: the third and the fourth are too many, and the reason says so."""
    story, calls = paying(1, 2, 3, 4)
    found = judge("at_most", {"tools": "pay", "times": 2}, story)
    assert steps(found) == calls[2:]
    assert "call 3" in found.violations[0].reason
    assert "at most 4 allowed" in judge("at_most", {"tools": "pay", "times": 4}, story).reason


def test_a_failed_call_counts_only_where_attempts_are_counted():
    """A retry is not a second payment, but it is a second attempt; a write whose answer was lost was made."""
    story = Story("go")
    story.call("pay", {"amount": 1}, failure=failed())
    again = story.call("pay", {"amount": 1}, {"ok": True})
    assert steps(judge("at_most", {"tools": "pay", "times": 1}, story)) == []
    assert steps(judge("at_most", {"tools": "pay", "times": 1, "count": "attempted"}, story)) == [again]
    lost = Story("go")
    lost.call("pay", {"amount": 1}, failure=failed(kind="lost_response"), fault="lost_response")
    doubled = lost.call("pay", {"amount": 1}, {"ok": True})
    assert steps(judge("at_most", {"tools": "pay", "times": 1}, lost)) == [doubled]


def test_calls_are_counted_for_each_value_of_an_argument():
    """One payment a claim: another spelling of the claim is that claim."""
    story = Story("go")
    for claim in ("C-1", "C-2", "c 1"):
        last = story.call("pay", {"claim_id": claim, "amount": 1}, {"ok": True})
    assert steps(judge("at_most", {"tools": "pay", "times": 1, "per": "claim_id"}, story)) == [last]


def test_tools_of_a_pattern_are_counted_together():
    """A glob names several tools; other tools are not counted."""
    story = Story("go")
    story.call("policy_lookup", {}, {})
    second = story.call("policy_search", {}, {})
    story.call("coverage_rules", {}, {})
    assert steps(judge("at_most", {"tools": ["policy_*"], "times": 1}, story)) == [second]


def test_amounts_add_up_in_any_spelling_and_a_refund_makes_no_room():
    """1,000.00 is 1000; what is below nothing is not taken off."""
    story, calls = paying("1,000.00", -600, "$ 500.01", 0)
    found = judge("at_most", {"tools": "pay", "sum": "pay.amount", "limit": 1500}, story)
    assert steps(found) == [calls[2]]
    assert "1500.01" in found.violations[0].reason
    assert steps(judge("at_most", {"tools": "pay", "sum": "amount", "limit": 1500.01}, story)) == []


def test_amounts_in_lists_are_added_up_for_each_record():
    """Every member counts, and only those of one claim together."""
    story = Story("go")
    for claim, prices in (("C-1", [60, 30]), ("C-2", [90]), ("C-1", [20])):
        last = story.call("pay", {"claim_id": claim, "items": [{"price": price} for price in prices]}, {})
    rule = {"tools": "pay", "sum": ["pay.items[*].price", "pay.amount"], "limit": 100, "per": "claim_id"}
    assert steps(judge("at_most", rule, story)) == [last]


@pytest.mark.parametrize("amount", ["a lot", None, True, "1.250", {"value": 1}])
def test_an_amount_that_cannot_be_read_is_a_doubt(amount):
    """It is neither within nor beyond the limit."""
    story, calls = paying(amount)
    assert doubts(judge("at_most", {"tools": "pay", "sum": "pay.amount", "limit": 10}, story)) == calls


def test_each_attempt_is_counted_for_itself():
    """An abandoned attempt had a world of its own; what was too much in it is a violation."""
    one, _ = paying(1)
    two, calls = paying(1, 2)
    assert judge("at_most", {"tools": "pay", "times": 1}, one, one).violations == ()
    assert [(each.step, each.attempt) for each in judge("at_most", {"tools": "pay", "times": 1}, two, one).violations] == [(calls[1], 0)]


@given(st.lists(st.integers(0, 10**6), max_size=12), st.integers(0, 10**7))
def test_a_call_is_beyond_the_limit_exactly_when_the_sum_up_to_it_is(amounts, limit):
    """The rule adds up as anybody would."""
    story, calls = paying(*amounts)
    wanted = [call for place, call in enumerate(calls) if sum(amounts[: place + 1]) > limit and amounts[place]]
    assert steps(judge("at_most", {"tools": "pay", "sum": "amount", "limit": limit}, story)) == wanted


@pytest.mark.parametrize(
    "arguments",
    [
        {"tools": [], "times": 1},
        {"tools": "pay"},
        {"tools": "pay", "times": -1},
        {"tools": "pay", "sum": "amount"},
        {"tools": "pay", "times": 1, "limit": 5},
        {"tools": "pay", "sum": "amount", "limit": -5},
        {"tools": "pay", "times": 1, "per": "[0]"},
        {"tools": "pya", "times": 1},
        {"tools": "pay", "sum": "pya.amount", "limit": 5},
        {"tools": "pay", "times": 1, "count": "some"},
    ],
)
def test_what_nothing_could_break_or_keep_is_refused(arguments):
    """Empty, negative, half a rule, or a tool that the world lacks."""
    with pytest.raises(SuiteError):
        judge("at_most", arguments, Story("go"))


def test_a_normaliser_of_the_tool_tells_records_apart():
    """What the tool declares is how its arguments compare."""
    spec = tool("pay", normalisers={"day": "date"})
    story = Story("go")
    story.call("pay", {"day": "2026-05-03"}, {})
    again = story.call("pay", {"day": "3 May 2026"}, {})
    assert steps(judge("at_most", {"tools": "pay", "times": 1, "per": "day"}, story, tools=(spec,))) == [again]


def test_a_call_for_several_records_counts_for_each_of_them():
    """To name two claims at once hides neither; what of the amount is for which is not known, so that the sum leaves a doubt."""
    story, rule = Story("go"), {"tools": "pay", "times": 1, "per": "claim_id"}
    story.call("pay", {"claim_id": ["C-1", "C-2"], "amount": 60}, {})
    again = story.call("pay", {"claim_id": "C-2", "amount": 60}, {})
    story.call("pay", {"claim_id": "C-3", "amount": 60}, {})
    assert steps(judge("at_most", rule, story)) == [again]
    much = judge("at_most", {"tools": "pay", "sum": "amount", "limit": 100, "per": "claim_id"}, story)
    assert (steps(much), doubts(much)) == ([], [again])


@pytest.mark.parametrize("nameless", [{"amount": 60}, {"claim_id": None, "amount": 60}, {"claim_id": [], "amount": 60}])
def test_a_call_that_names_no_record_may_be_for_any(nameless):
    """Where it would be one too many, or too much, for a record that is named, before or after, it is in doubt."""
    for rule in ({"times": 1}, {"sum": "amount", "limit": 100}):
        arguments = {"tools": "pay", "per": "claim_id", **rule}
        before, after = Story("go"), Story("go")
        before.call("pay", nameless, {})
        later = before.call("pay", {"claim_id": "C-1", "amount": 60}, {})
        after.call("pay", {"claim_id": "C-1", "amount": 60}, {})
        last = after.call("pay", nameless, {})
        assert doubts(judge("at_most", arguments, before)) == [later]
        assert doubts(judge("at_most", arguments, after)) == [last]
        assert doubts(judge("at_most", arguments | {"times": 2} if "times" in rule else arguments | {"limit": 120}, after)) == []


def test_what_an_import_does_not_show_to_have_been_made_leaves_a_doubt():
    """A call that got no answer may have taken effect; the harness knows that it did not; two that were made are too many for certain."""
    story, rule = Story("go"), {"tools": "pay", "times": 1}
    story.call("pay", {}, failure=failed(None, kind="timeout", transient=None))
    paid = story.call("pay", {}, {})
    assert doubts(judge("at_most", rule, story, source="some_log")) == [paid]
    assert doubts(judge("at_most", rule, story)) == []
    again = story.call("pay", {}, {})
    assert steps(judge("at_most", rule, story, source="some_log")) == [again]
