"""What was read once is remembered by its words: the next trial with the same words costs a fraction, and gets the same answer."""

from tests.grade.confirmation.dialogues import NO, YES, Call, outcomes
from tests.grade.confirmation.test_hostile import PAY, work

BEFORE = "A: I found claim C-1044 of the thirtieth. It is open."
PLAN = "A: I will pay $250.00 to account HB-77120 for claim C-1044 of the thirtieth. Shall I proceed?"


def test_the_next_trial_with_the_same_words_costs_a_fraction():
    """Neither the proposal nor the reply is read again, also where something was said before them."""
    dialogue = ("U: hi", BEFORE, "U: And now?", PLAN, "U: Yes, thirtieth.", PAY)
    work(("U: hi", "A: I will pay $1.00 to account HB-77120 for claim C-1044. Is that right?", "U: Yes.", PAY))  # reads the lexicon
    first = work(dialogue)
    assert work(dialogue) * 3 < first


def test_another_call_after_the_same_words_is_judged_by_itself():
    """Words alone do not decide: what the call carries is compared."""
    other = Call("pay_claim", {"claim_id": "C-1044", "amount": 900, "account": "HB-77120"})
    assert outcomes("U: hi", PLAN, "U: Yes.", PAY) == [YES]
    assert outcomes("U: hi", PLAN, "U: Yes.", other) == [NO]


def test_what_was_said_before_counts_though_the_rest_is_the_same():
    """The same proposal, reply and call are confirmed whatever other talk came before them."""
    for before in (BEFORE, "A: Claim C-1044 is about a pipe.", "A: Anything else?"):
        assert outcomes("U: hi", before, "U: And now?", PLAN, "U: Yes.", PAY) == [YES]
