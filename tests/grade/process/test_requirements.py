"""Required calls: what meets them, and that the assignment is never greedy."""

import pytest
from msgspec import UNSET

from tests.grade._builders import Ask, Story, failed, raw, tool, updated
from tests.grade.process._judged import COVER, LOOK, ROUTE, judged, kinds, need, process, verdict


def test_a_call_meets_one_requirement_and_equal_requirements_are_counted():
    """The same call required twice must be made twice, whether it is written twice or with a count."""
    twice = process(need("a", "policy_lookup", LOOK), need("b", "policy_lookup", LOOK))
    counted = process(need("a", "policy_lookup", LOOK, count=2))
    once, both = Story("hi"), Story("hi")
    once.call("policy_lookup", LOOK)
    both.call("policy_lookup", LOOK), both.call("policy_lookup", LOOK)
    assert [verdict(contract, once) for contract in (twice, counted)] == ["fail", "fail"]
    assert [verdict(contract, both) for contract in (twice, counted)] == ["pass", "pass"]
    assert judged(twice, both).assignment == {"a": (0,), "b": (1,)}


def test_the_assignment_is_not_greedy():
    """A call that could meet two requirements meets the one that no other call can."""
    contract = process(
        need("any", "route", {"queue": {"$one_of": ["EU", "US"]}}), need("eu", "route", {"queue": {"$one_of": ["EU"]}}), extras="none"
    )
    story = Story("hi")
    story.call("route", {"queue": "EU"}), story.call("route", {"queue": "US"})
    assert judged(contract, story).assignment == {"any": (1,), "eu": (0,)}


def test_absent_arguments_match_any_and_empty_ones_match_none():
    """`with` left out accepts any arguments; `{}` accepts only a call without."""
    story = Story("hi")
    story.call("policy_search", {"query": "pipe"})
    assert verdict(process(need("a", "policy_search")), story) == "pass"
    assert verdict(process(need("a", "policy_search", {})), story) == "fail"


def test_one_of_several_tools_meets_a_requirement():
    """`call` may name several acceptable tools."""
    story = Story("hi")
    story.call("policy_search", LOOK)
    result = judged(process(need("a", ("policy_lookup", "policy_search"), LOOK), extras="none"), story)
    assert result.answer.verdict == "pass"
    assert result.requirements[0].call == "policy_lookup | policy_search"


@pytest.mark.parametrize("kind", ["malformed", "truncated", "empty", "lost_response"])
def test_a_write_without_a_good_answer_was_made_and_a_read_was_not(kind):
    """A committed write meets its requirement though its answer was lost or spoilt; a read does not, and may be tried again."""
    spoilt = failed(None, kind=kind)
    write, read, again = Story("hi"), Story("hi"), Story("hi")
    write.call("route", ROUTE, failure=spoilt, fault=kind, changes=(updated("claims/C-1017", queue="water_high"),))
    read.call("policy_lookup", LOOK, failure=spoilt, fault=kind)
    again.call("policy_lookup", LOOK, failure=spoilt, fault=kind), again.call("policy_lookup", LOOK)
    assert verdict(process(need("a", "route", ROUTE), extras="none"), write) == "pass"
    assert verdict(process(need("a", "policy_lookup", LOOK), extras="none"), read) == "fail"
    result = judged(process(need("a", "policy_lookup", LOOK), extras="none"), again)
    assert (result.answer.verdict, kinds(result)) == ("pass", ["retried", "met"])


def test_a_stale_read_is_met():
    """The agent cannot know that an answer is old."""
    story = Story("hi")
    story.call("policy_lookup", LOOK, {"policy_id": "HL-00418-C"}, fault="stale")
    assert verdict(process(need("a", "policy_lookup", LOOK)), story) == "pass"


def test_a_timed_out_write_counts_only_if_the_world_changed():
    """A time-out says nothing; the recorded changes do."""
    lost = failed(None, kind="timeout")
    made, missed = Story("hi"), Story("hi")
    made.call("route", ROUTE, failure=lost, changes=(updated("claims/C-1017", queue="water_high"),))
    missed.call("route", ROUTE, failure=lost)
    assert [verdict(process(need("a", "route", ROUTE)), story) for story in (made, missed)] == ["pass", "fail"]


def test_a_requirement_may_ask_for_an_error():
    """`status` asks for any error, or for an error of one status."""
    story = Story("hi")
    story.call("policy_lookup", LOOK, failure=failed(404, transient=False), ran=False)
    assert verdict(process(need("a", "policy_lookup", LOOK, status="error")), story) == "pass"
    assert verdict(process(need("a", "policy_lookup", LOOK, status=404)), story) == "pass"
    assert verdict(process(need("a", "policy_lookup", LOOK, status=409)), story) == "fail"


def test_calls_of_the_user_and_out_of_scope_are_not_judged():
    """Only the agent's calls count, and only of the agents in scope."""
    story = Story("hi")
    story.calls(Ask("delete_claim", {"claim_id": "C-1017"}, by="user"), Ask("policy_lookup", LOOK))
    assert verdict(process(need("a", "policy_lookup", LOOK), extras="none"), story) == "pass"
    assert verdict(process(need("a", "policy_lookup", LOOK), extras="none", scope=("agent/helper",)), story) == "fail"
    assert verdict(process(need("a", "policy_lookup", LOOK), extras="none", scope=("agent",)), story) == "pass"


def test_prefix_and_aliases_are_resolved():
    """A called name is brought to the tool's name by alias and prefix; the case of a name matters."""
    story = Story("hi")
    story.call("claims__policy_lookup", LOOK), story.call("cover", COVER)
    wanted = (need("a", "policy_lookup", LOOK), need("b", "coverage_rules", COVER))
    options = {"extras": "none", "tool_prefix": "claims__", "aliases": {"cover": "coverage_rules"}}
    assert verdict(process(*wanted, **options), story) == "pass"
    assert verdict(process(*wanted, extras="none"), story) == "fail"


def test_an_optional_call_may_be_missing():
    """An optional call that is made is met, one that is not made is fine, and one made once too often is an extra."""
    contract = process(need("a", "policy_lookup", LOOK), need("b", "note", {"text": "ok"}, optional=True), extras="none")
    without, once, twice = Story("hi"), Story("hi"), Story("hi")
    for story, notes in ((without, 0), (once, 1), (twice, 2)):
        story.call("policy_lookup", LOOK)
        for _ in range(notes):
            story.call("note", {"text": "ok"})
    assert [verdict(contract, story) for story in (without, once, twice)] == ["pass", "pass", "fail"]
    assert judged(contract, without).requirements[1].status == "optional_unmet"


def test_defaults_are_filled_in_on_both_sides():
    """An argument that equals its default may be written or left out, in the contract and in the call."""
    tools = (tool("policy_search", defaults=raw({"limit": 10})),)
    short, long, other = Story("hi"), Story("hi"), Story("hi")
    short.call("policy_search", {"query": "x"})
    long.call("policy_search", {"query": "x", "limit": 10})
    other.call("policy_search", {"query": "x", "limit": 5})
    for expected in ({"query": "x"}, {"query": "x", "limit": 10}):
        contract = process(need("a", "policy_search", expected))
        assert [verdict(contract, story, tools=tools) for story in (short, long, other)] == ["pass", "pass", "fail"]


def test_own_normalisers_work_by_their_function_or_by_recorded_forms():
    """A suite's own normaliser is applied when its function is given; without it the forms recorded with the call count."""
    tools = (tool("policy_lookup", normalisers={"policy_id": "plate"}),)
    contract = process(need("a", "policy_lookup", {"policy_id": "hl418"}))
    story = Story("hi")
    story.call("policy_lookup", {"policy_id": "HL 418"})
    assert verdict(contract, story, tools=tools) == "fail"
    assert verdict(contract, story, tools=tools, normalisers={"plate": lambda value: value.replace(" ", "").lower()}) == "pass"
    call = story.steps[-1]
    import msgspec

    story.steps[-1] = msgspec.structs.replace(call, normalised=raw({"policy_id": "hl418"}))
    assert verdict(contract, story, tools=tools) == "pass"


def test_a_missing_requirement_says_which_call_came_nearest_and_where_it_differs():
    """The reason names the requirement, the nearest call, and the paths of the arguments that differ."""
    story = Story("hi")
    story.call("coverage_rules", {"policy_id": "HL-00418-C", "loss_type": "fire"})
    result = judged(process(need("coverage", "coverage_rules", COVER)), story)
    (row,) = result.requirements
    assert (row.status, row.nearest) == ("missing", 3)
    assert [(each.path, each.expected, each.actual) for each in row.differences] == [("loss_type", '"water"', '"fire"')]
    assert "coverage" in result.answer.reason
    assert "loss_type" in result.answer.reason
    assert result.answer.evidence == (3,)


def test_a_missing_requirement_whose_call_failed_says_so():
    """A call with the right arguments that failed is named with its failure."""
    story = Story("hi")
    story.call("policy_lookup", LOOK, failure=failed(503, message="down"), ran=False)
    assert "down" in judged(process(need("a", "policy_lookup", LOOK)), story).answer.reason


def test_credit_is_the_share_of_right_arguments_and_never_depends_on_order():
    """Credit is the mean share of expected leaves under the best assignment, whatever the order of requirements and calls."""
    wanted = [need("a", "route", {"x": 1, "y": 1}), need("b", "route", {"x": 2, "y": 2})]
    asks = [Ask("route", {"x": 2, "y": 1}), Ask("route", {"x": 2, "y": 2})]
    found = set()
    for contract in (process(*wanted), process(*reversed(wanted))):
        for order in (asks, asks[::-1]):
            story = Story("hi")
            story.calls(*order)
            found.add(judged(contract, story).credit)
    assert found == {0.75}


def test_credit_is_one_on_pass_and_none_when_nothing_is_required():
    """A trace that passes has full credit; an empty contract has none to give."""
    story = Story("hi")
    assert judged(process(extras="any"), story).credit is None
    story.call("policy_lookup", LOOK)
    assert judged(process(need("a", "policy_lookup", LOOK)), story).credit == 1.0


def test_an_empty_contract_is_no_vacuous_pass():
    """`required: []` with `extras: none` allows no call at all."""
    story = Story("hi")
    assert verdict(process(extras="none"), story) == "pass"
    story.call("policy_lookup", LOOK)
    assert verdict(process(extras="none"), story) == "fail"


def test_null_is_missing_only_where_it_is_said():
    """An argument of null equals one that is left out only with `null_is_missing`."""
    story = Story("hi")
    story.call("policy_lookup", LOOK | {"as_of": None})
    assert verdict(process(need("a", "policy_lookup", LOOK)), story) == "fail"
    assert verdict(process(need("a", "policy_lookup", LOOK, null_is_missing=True)), story) == "pass"


def test_only_the_named_arguments_are_compared():
    """`compare` leaves all other arguments out, on both sides."""
    story = Story("hi")
    story.call("coverage_rules", {"policy_id": "HL-00418-C", "loss_type": "fire"})
    assert verdict(process(need("a", "coverage_rules", COVER, compare=("policy_id",))), story) == "pass"
    assert verdict(process(need("a", "coverage_rules", COVER, compare=("loss_type",))), story) == "fail"


def test_the_normalisers_that_took_part_are_recorded():
    """The result names argument and normaliser."""
    tools = (tool("policy_lookup", normalisers={"policy_id": "identifier"}),)
    story = Story("hi")
    story.call("policy_lookup", {"policy_id": "hl 00418 c"})
    result = judged(process(need("a", "policy_lookup", LOOK)), story, tools=tools)
    assert (result.answer.verdict, result.normalised) == ("pass", ("policy_id: identifier",))


def test_unset_is_not_an_argument():
    """A requirement without arguments is not one with none."""
    assert need("a", "route").with_ is UNSET
