"""The allowance says no before the call that would cross a ceiling."""

import pytest

from seatrial.base.clock import VirtualClock
from seatrial.base.errors import BudgetExceeded
from seatrial.records.contract import Budget
from seatrial.records.trace import TokenUsage
from seatrial.world.budget import MAX_FREE_RETRIES, Allowance
from tests.world.builders import Sea, a_task


def allowance(clock=None, **ceilings):
    return Allowance(Budget(**ceilings), clock or VirtualClock())


def test_a_ceiling_of_calls_lets_exactly_so_many_through():
    """The call after the last is refused, with ceiling, limit and used, and every further one too."""
    spent = allowance(calls=2)
    spent.attempt(b"a")
    spent.attempt(b"b")
    for _ in range(2):
        with pytest.raises(BudgetExceeded) as refused:
            spent.attempt(b"c")
        assert (refused.value.ceiling, refused.value.limit, refused.value.used) == ("calls", 2, 2)
    assert spent.usage().calls == 2


def test_no_ceiling_is_no_limit():
    """A ceiling that is not set refuses nothing."""
    spent = allowance()
    for _ in range(5000):
        spent.attempt(b"a")
    spent.model_call(TokenUsage(input=10**9, output=10**9), 10**6)


def test_a_retry_after_an_injected_fault_is_free_and_only_that():
    """An identical call that follows an injected failure is not charged; another call is."""
    task = a_task(faults=[{"tool": "policy_lookup", "kind": "error", "first": 2}])
    with Sea(task) as sea:
        for _ in range(3):
            sea.call("policy_lookup", {"policy_id": "P-1"})
        assert sea.server.usage().calls == 1
        sea.call("policy_lookup", {"policy_id": "P-1"})
        sea.call("policy_lookup", {"policy_id": "P-2"})
        assert sea.server.usage().calls == 3


def test_a_fault_that_never_ends_does_not_make_retries_free_for_ever():
    """An agent that repeats one call without end reaches its ceiling."""
    task = a_task(faults=[{"tool": "policy_lookup", "kind": "error"}], budget=Budget(calls=3))
    with Sea(task) as sea:
        for _ in range(3 + MAX_FREE_RETRIES):
            sea.call("policy_lookup", {"policy_id": "P-1"})
        with pytest.raises(BudgetExceeded):
            sea.call("policy_lookup", {"policy_id": "P-1"})
        assert len(sea.calls) == 3 + MAX_FREE_RETRIES


def test_a_models_tokens_and_money_are_summed_and_unknown_is_not_zero():
    """Classes add up; one exchange of unknown usage leaves the sum unknown, and none at all too."""
    spent = allowance()
    assert (spent.usage().tokens, spent.usage().usd) == (None, None)
    spent.model_call(TokenUsage(input=10, cache_read=5, output=1), 0.25)
    assert (spent.usage().tokens, spent.usage().usd, spent.usage().model_calls) == (16, 0.25, 1)
    spent.model_call(TokenUsage(input=10), None)
    assert (spent.usage().tokens, spent.usage().usd, spent.usage().model_calls) == (None, None, 2)


@pytest.mark.parametrize(("ceilings", "usd", "ceiling"), [({"tokens": 15}, 0.1, "tokens"), ({"usd": 0.15}, 0.1, "usd")])
def test_a_models_ceiling_stops_the_exchange_that_crosses_it_and_what_follows(ceilings, usd, ceiling):
    """Reaching the ceiling is allowed, crossing it is not, and after that no call is made."""
    spent = allowance(**ceilings)
    spent.model_call(TokenUsage(input=8, output=2), usd)
    with pytest.raises(BudgetExceeded, match=ceiling):
        spent.model_call(TokenUsage(input=8, output=2), usd)
    with pytest.raises(BudgetExceeded, match=ceiling):
        spent.attempt(b"a")


def test_virtual_seconds_that_would_cross_the_ceiling_are_not_waited_for():
    """A timeout that would outlast the budget ends the trial before the call, and the clock stays."""
    task = a_task(faults=[{"tool": "notify", "kind": "timeout"}], budget=Budget(seconds=20))
    with Sea(task) as sea:
        with pytest.raises(BudgetExceeded, match="seconds"):
            sea.call("notify", {"to": "a"})
        assert sea.server.usage().seconds == 0
        assert sea.calls == []


def test_time_that_passed_elsewhere_counts():
    """The clock may be moved by others; past the ceiling no call is made."""
    clock = VirtualClock()
    spent = allowance(clock, seconds=10)
    clock.advance(10)
    spent.attempt(b"a")
    clock.advance(0.5)
    with pytest.raises(BudgetExceeded):
        spent.attempt(b"a")
