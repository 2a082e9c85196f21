"""What was read once is remembered by its words: the next trial with the same words costs a fraction, and gets the same answer."""

from tests.grade.confirmation._work import BEFORE, PAY, counted
from tests.grade.confirmation._work import OF_THE_THIRTIETH as PLAN
from tests.grade.confirmation.dialogues import NO, YES, Call, outcomes


def test_the_next_trial_with_the_same_words_costs_a_fraction():
    """Neither the proposal nor the reply is read again, also where something was said before them."""
    first, second = counted()["repeated"]
    assert second * 3 < first


def test_another_call_after_the_same_words_is_judged_by_itself():
    """Words alone do not decide: what the call carries is compared."""
    other = Call("pay_claim", {"claim_id": "C-1044", "amount": 900, "account": "HB-77120"})
    assert outcomes("U: hi", PLAN, "U: Yes.", PAY) == [YES]
    assert outcomes("U: hi", PLAN, "U: Yes.", other) == [NO]


def test_writes_that_are_all_remembered_are_judged_as_the_first_time():
    """Two changes under one yes, the same change twice, and one after the agent had spoken again: seen before or not, the answer is one."""
    plan = "A: I will pay $250.00 to account HB-77120 for claim C-1044 and close it. Shall I proceed?"
    close = Call("close_claim", {"claim_id": "C-1044"})
    for _ in range(2):
        assert outcomes("U: hi", plan, "U: Yes.", PAY, close) == [YES, YES]
        assert outcomes("U: hi", plan, "U: Yes.", PAY, close, PAY) == [YES, YES, NO]
        assert outcomes("U: hi", plan, "U: Yes.", PAY, "A: And close it?", close) == [YES, NO]
        assert outcomes("U: hi", plan, "U: No.", PAY, close) == [NO, NO]


def test_what_was_said_before_counts_though_the_rest_is_the_same():
    """The same proposal, reply and call are confirmed whatever other talk came before them."""
    for before in (BEFORE, "A: Claim C-1044 is about a pipe.", "A: Anything else?"):
        assert outcomes("U: hi", before, "U: And now?", PLAN, "U: Yes.", PAY) == [YES]
