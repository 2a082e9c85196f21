"""The budget question."""

import pytest

from seatrial.grade.budget import count_calls, judge_budget
from seatrial.grade.view import TraceView
from seatrial.records.contract import Budget
from seatrial.records.grade import Verdict
from seatrial.records.trace import Status, Usage
from tests.grade._builders import Story, failed


def judge(story, *, status=Status.COMPLETED, usage=None, reason="", **ceilings):
    trace = story.trace(status=status, usage=usage or Usage(), status_reason=reason)
    return judge_budget(Budget(**ceilings), trace, TraceView(trace))


def calls(count):
    story = Story("go")
    for _ in range(count):
        story.call("policy_lookup")
    return story


def test_no_ceiling_is_not_applicable():
    """What is not limited is not asked."""
    assert judge(calls(3)).verdict is Verdict.NOT_APPLICABLE


@pytest.mark.parametrize(("count", "verdict"), [(2, Verdict.PASS), (3, Verdict.PASS), (4, Verdict.FAIL)])
def test_calls_count_attempts(count, verdict):
    """At the ceiling is within it; the reason shows used and limit."""
    answer = judge(calls(count), calls=3)
    assert answer.verdict is verdict
    assert f"calls {count} of 3" in answer.reason


def test_refused_and_failed_attempts_count_and_the_users_calls_do_not():
    """Any call that the agent proposed counts, ran or not."""
    story = calls(1)
    story.call("pay", ran=False, failure=failed(kind="refused", transient=False))
    story.call("pay", by="user")
    assert count_calls(TraceView(story.trace())) == 2


def test_a_retry_after_an_injected_fault_is_free():
    """Retries that a fault called for do not count; retries of the agent's own failures do."""
    story = Story("go")
    first = story.call("policy_lookup", {"a": 1}, failure=failed(), fault="error")
    second = story.call("policy_lookup", {"a": 1}, failure=failed(), fault="error", retry_of=first)
    story.call("policy_lookup", {"a": 1}, {"ok": 1}, retry_of=second)
    own = story.call("policy_lookup", {"a": 2}, failure=failed())
    story.call("policy_lookup", {"a": 2}, {"ok": 1}, retry_of=own)
    assert count_calls(TraceView(story.trace())) == 3


@pytest.mark.parametrize("ceiling", ["tokens", "usd", "seconds"])
def test_other_ceilings_hold(ceiling):
    """Tokens, money and seconds are compared with what the trial used."""
    assert judge(calls(1), usage=Usage(**{ceiling: 10}), **{ceiling: 10}).verdict is Verdict.PASS
    assert judge(calls(1), usage=Usage(**{ceiling: 11}), **{ceiling: 10}).verdict is Verdict.FAIL


@pytest.mark.parametrize("ceiling", ["tokens", "usd"])
def test_unknown_use_is_undetermined_and_never_zero(ceiling):
    """What is not known does not pass; another ceiling that is broken still fails."""
    assert judge(calls(2), **{ceiling: 10}).verdict is Verdict.UNDETERMINED
    assert judge(calls(2), calls=1, **{ceiling: 10}).verdict is Verdict.FAIL


def test_a_trial_stopped_at_a_ceiling_fails_with_the_reason():
    """The status `budget_exceeded` fails the budget even where this task sets no ceiling."""
    answer = judge(calls(2), status=Status.BUDGET_EXCEEDED, reason="calls: limit 2, used 2", calls=2)
    assert answer.verdict is Verdict.FAIL
    assert "limit 2" in answer.reason
    assert judge(calls(2), status=Status.BUDGET_EXCEEDED).verdict is Verdict.FAIL


def test_what_the_harness_charged_counts():
    """The recorded number of charged calls is a fact; where there is none the calls are counted."""
    assert judge(calls(4), usage=Usage(calls=3), calls=3).verdict is Verdict.PASS
