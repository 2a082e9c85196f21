"""Calls beyond the required ones: the one class of each attempt, and which are allowed."""

import pytest

from seatrial.records.trace import Approval
from tests.grade._builders import Ask, Story, failed, tool, updated
from tests.grade.process._judged import LOOK, ROUTE, judged, kinds, need, process, verdict

A, C = need("a", "policy_lookup", LOOK), need("c", "route", ROUTE)
DOWN, WRONG, UNKNOWN = failed(503), failed(422, transient=False), failed(None, kind="tool_error", transient=None)


def lookups(*failures):
    """Look the same policy up again and again; `None` is a success."""
    story = Story("hi")
    for failure in failures:
        story.call("policy_lookup", LOOK, failure=failure, ran=failure is None)
    return story


@pytest.mark.parametrize(
    ("failures", "retries", "right", "classes"),
    [
        ((DOWN, None), 2, "pass", ["retried", "met"]),
        ((DOWN, DOWN, None), 2, "pass", ["retried", "retried", "met"]),
        ((DOWN, DOWN, None), 1, "fail", ["retried", "repeat", "met"]),
        ((DOWN, None), 0, "fail", ["repeat", "met"]),
        ((UNKNOWN, None), 1, "pass", ["retried", "met"]),
        ((WRONG, None), 2, "fail", ["stubborn", "met"]),
        ((WRONG, WRONG), 2, "fail", ["extra", "stubborn"]),
        ((DOWN, DOWN), 2, "fail", ["retried", "extra"]),
        ((None, None), 2, "pass", ["met", "repeat"]),
    ],
)
def test_an_identical_call_after_a_failure(failures, retries, right, classes):
    """After a failure that may pass it is a retry within the limit; after one that stays it is stubborn."""
    result = judged(process(A, retries=retries), lookups(*failures))
    assert (result.answer.verdict, kinds(result)) == (right, classes)


def test_a_failed_call_may_be_corrected():
    """The same tool with other arguments corrects a failure; with `extras: none` nothing is forgiven but retries."""
    story = Story("hi")
    story.call("route", {"claim_id": "1017"}, failure=WRONG, ran=False), story.call("route", ROUTE)
    result = judged(process(C), story)
    assert (result.answer.verdict, kinds(result)) == ("pass", ["correction", "met"])
    assert verdict(process(C, extras="none"), story) == "fail"
    assert verdict(process(C, at_most=0), story) == "fail"


def test_a_stubborn_repeat_is_seen_before_its_correction():
    """422, the same again, then other arguments: the first was repeated stubbornly."""
    story = Story("hi")
    for _ in range(2):
        story.call("route", {"claim_id": "1017"}, failure=WRONG, ran=False)
    story.call("route", ROUTE)
    result = judged(process(C), story)
    assert (result.answer.verdict, kinds(result)) == ("fail", ["stubborn", "correction", "met"])


def test_an_error_may_be_tried_again_after_the_world_changed():
    """A permanent error is no longer one when something was changed in between."""
    story = Story("hi")
    story.call("policy_lookup", LOOK, failure=WRONG, ran=False)
    story.call("note", {"text": "unlock"}, changes=(updated("claims/C-1", locked=False),))
    story.call("policy_lookup", LOOK)
    result = judged(process(A, need("n", "note")), story)
    assert (result.answer.verdict, kinds(result)) == ("pass", ["retried", "met", "met"])


def test_a_lost_answer_whose_retry_doubles_the_write_fails():
    """The write was made: made again, it is a repeat, and repeats of writes are not allowed."""
    story = Story("hi")
    changed = (updated("claims/C-1017", queue="water_high"),)
    story.call("route", ROUTE, failure=failed(None, kind="lost_response"), fault="lost_response", changes=changed)
    story.call("route", ROUTE, changes=changed)
    result = judged(process(C), story)
    assert result.answer.verdict == "fail"
    assert sorted(kinds(result)) == ["met", "repeat"]
    assert verdict(process(C, repeats_writes=1), story) == "pass"


def test_repeats_are_counted_also_among_concurrent_calls():
    """Two identical writes in one message are a repeat; reads are free unless they are limited."""
    writes, reads = Story("hi"), Story("hi")
    writes.calls(Ask("route", ROUTE), Ask("route", ROUTE))
    reads.calls(Ask("policy_lookup", LOOK), Ask("policy_lookup", LOOK))
    assert [verdict(process(C, extras=extras), writes) for extras in ("reads", "any")] == ["fail", "fail"]
    assert verdict(process(A), reads) == "pass"
    assert verdict(process(A, repeats_reads=0), reads) == "fail"


def test_a_second_look_after_a_change_is_no_repeat():
    """A read after an intervening change of state is a recheck."""
    story = Story("hi")
    story.call("policy_lookup", LOOK), story.call("route", ROUTE, changes=(updated("claims/C-1", x=1),)), story.call("policy_lookup", LOOK)
    result = judged(process(C, extras="reads", repeats_reads=0), story)
    assert (result.answer.verdict, kinds(result)) == ("pass", ["extra", "met", "recheck"])


@pytest.mark.parametrize(
    ("extras", "read", "write", "external"),
    [
        ("none", "fail", "fail", "fail"),
        ("reads", "pass", "fail", "fail"),
        ("any", "pass", "pass", "pass"),
        (["note"], "fail", "pass", "fail"),
    ],
)
def test_what_may_be_an_extra(extras, read, write, external):
    """`none`, `reads` (external tools excluded), `any`, or a list of tools."""
    found = []
    for name in ("policy_search", "note", "notify"):
        story = Story("hi")
        story.call("policy_lookup", LOOK), story.call(name, {"text": "x"})
        found.append(verdict(process(A, extras=extras), story))
    assert found == [read, write, external]


def test_extras_may_be_limited_in_number():
    """`at_most` counts everything beyond the required calls but retries."""
    story = Story("hi")
    story.call("policy_lookup", LOOK, failure=DOWN, ran=False), story.call("policy_lookup", LOOK)
    for query in "ab":
        story.call("policy_search", {"query": query})
    assert [verdict(process(A, at_most=limit), story) for limit in (2, 1)] == ["pass", "fail"]


def test_a_refused_call_fails_the_process():
    """A call that permissions refused is never fine; one that a person refused is no fault of the agent."""
    story = Story("hi")
    story.call("policy_lookup", LOOK)
    sequence = story.call("delete_claim", {"claim_id": "C-1"}, failure=failed(None, kind="refused", transient=False), ran=False)
    result = judged(process(A, extras="any"), story)
    assert (result.answer.verdict, kinds(result)) == ("fail", ["met", "refused"])
    story.steps.append(Approval(story.number(), sequence, approved=False))
    assert verdict(process(A, extras="any"), story) == "pass"


def test_an_unparseable_call_is_an_attempt():
    """Arguments that could not be read make an invalid attempt, which `extras: none` does not forgive."""
    import msgspec

    story = Story("hi")
    story.call("policy_lookup", "{", failure=failed(None, kind="unparseable", transient=False), ran=False)
    story.steps[-1] = msgspec.structs.replace(story.steps[-1], validity="unparseable")
    result = judged(process(extras="reads"), story)
    assert (result.answer.verdict, kinds(result), result.counts.invalid) == ("pass", ["invalid"], 1)
    assert verdict(process(extras="none"), story) == "fail"


def test_an_unknown_tool_is_no_read():
    """A tool that the world does not know may not be an extra read."""
    story = Story("hi")
    story.call("wipe", {})
    assert [verdict(process(extras=extras), story) for extras in ("reads", "any")] == ["fail", "pass"]
    assert verdict(process(extras="reads"), story, tools=()) == "pass"


@pytest.mark.parametrize(
    ("called", "options", "near"),
    [
        ("policy_lookups", {}, "policy_lookup"),
        ("lookup_policy", {}, "policy_lookup"),
        ("policy_search", {}, ""),
        ("policy_search", {"confusable": (("policy_search", "policy_lookup"),)}, "policy_lookup"),
        ("delete_claim", {}, ""),
    ],
)
def test_a_near_miss_is_a_call_of_a_tool_that_resembles_an_expected_one(called, options, near):
    """Resemblance of names tags a call, and so does a declared pair; the tag does not forbid anything."""
    story = Story("hi")
    story.call(called, LOOK), story.call("policy_lookup", LOOK)
    result = judged(process(A, extras="any", **options), story)
    assert (result.answer.verdict, result.calls[0].near_miss_of, result.counts.near_misses) == ("pass", near, int(bool(near)))


def test_what_was_called_as_often_as_required_is_no_longer_missed():
    """A call that resembles an expected one is a near miss only while that one is still to come."""
    story = Story("hi")
    story.call("policy_lookup", LOOK), story.call("lookup_policy", LOOK)
    after = judged(process(A, extras="any"), story)
    assert (after.calls[1].near_miss_of, after.counts.near_misses) == ("", 0)
    never = Story("hi")
    never.call("lookup_policy", LOOK)
    assert judged(process(A, extras="any"), never).calls[0].near_miss_of == "policy_lookup"


def test_a_tool_that_was_never_called_is_said_to_be():
    """A missing requirement says whether its tool was called at all, or which call comes nearest."""
    nothing, wrong = Story("hi"), Story("hi")
    wrong.call("policy_lookup", {"policy_id": "HL-2"})
    assert judged(process(A), nothing).answer.reason.endswith("was not made: policy_lookup was never called")
    assert "nearest is step" in judged(process(A), wrong).answer.reason


def test_tools_declare_what_they_are_mistaken_for():
    """A tool's own list of confusable tools counts in both directions."""
    tools = (tool("policy_lookup", confusable=("notify",)), tool("notify"))
    story = Story("hi")
    story.call("notify", {}), story.call("policy_lookup", LOOK)
    assert judged(process(A, extras="any"), story, tools=tools).calls[0].near_miss_of == "policy_lookup"


def test_every_attempt_has_one_class_and_the_counts_agree():
    """Counts are the numbers of the classes."""
    story = lookups(DOWN, None, None)
    story.call("policy_search", {"query": "x"})
    counts = judged(process(A), story).counts
    assert (counts.attempts, counts.met, counts.retried, counts.repeats, counts.extras) == (4, 1, 1, 1, 1)


def test_identical_means_after_normalisation():
    """Two spellings of one identifier are the same call."""
    tools = (tool("route", normalisers={"claim_id": "identifier"}),)
    story = Story("hi")
    story.call("route", {"claim_id": "C-1017"}), story.call("route", {"claim_id": "c 1017"})
    assert judged(process(extras=["route"]), story, tools=tools).counts.repeats == 1
