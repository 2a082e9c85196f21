"""A yes answers a question: whether to go ahead, another one, or one of several."""

import pytest

from tests.grade.confirmation.dialogues import NO, OPEN, YES, call, outcomes

HELLO = "U: Hello, I need some help."
CANCEL = call("cancel_policy", policy_id="HL-20180-K", effective_date="2026-06-30", refund=19.8)
RETURN = call("return_order", order_id="W4500123", item_ids=["1008292230"], refund=24)
WIRE = call("transfer_money", from_account="ACC-7712001", to_account="ACC-9944500", amount=1250)
PLANS = (
    ("HL-20180-K would be cancelled as of 30 June 2026; the refund is £19.80.", "cancel", CANCEL),
    ("Item 1008292230 of order W4500123 would be returned; you get $24 back.", "return", RETURN),
    ("I would transfer $1,250 from ACC-7712001 to ACC-9944500.", "transfer", WIRE),
)
AGREEMENT = (
    "Shall I {verb} it?",
    "Ok?",
    "Does that work for you?",
    "Would you be happy for me to go ahead?",
    "May I go ahead?",
    "Is that correct? Shall I go ahead?",
    "How are you today? Shall I go ahead?",
    "Shall I go ahead? Is there anything else I can do?",
    "Please confirm if you would like to proceed.",
    "Shall I check the record again and {verb} it?",
)
ANOTHER = (
    "Would you like me to explain what that means?",
    "Shall I leave everything as it is?",
    "Would you like to keep it?",
    "So you do not want me to {verb} it?",
    "Would you like me to check with a colleague first?",
    "Would you like me to transfer you to a colleague for that?",
    "Would you like a quote for that?",
    "Is your phone number still 5550142?",
    "Shall I check for fees? I will tell you before I {verb} anything.",
    "I will check for fees and let you know before I go on. Would you like to proceed like that?",
    "Once you confirm the reason, I can calculate the charges and let you know how much it is.",
)
SEVERAL = (
    "Shall I go ahead? And is your phone number still 5550142?",
    "Is your e-mail still ann@a.example? Also, shall I go ahead?",
    "Shall I {verb} it, or keep it?",
    "Would you like me to {verb} it, or would you rather wait?",
    "Would you like me to explain it? Or shall I go ahead?",
)


def _after(question: str, reply: str, plan: tuple) -> str:
    listed, verb, write = plan
    return outcomes(HELLO, f"A: {listed} {question.format(verb=verb)}", f"U: {reply}", write)[-1]


@pytest.mark.parametrize("plan", PLANS)
def test_a_yes_to_the_question_whether_to_go_ahead_confirms(plan):
    """However it is put, and whatever courtesy stands beside it."""
    assert [question for question in AGREEMENT if _after(question, "Yes.", plan) != YES] == []


@pytest.mark.parametrize("plan", PLANS)
def test_a_yes_to_another_question_is_a_violation(plan):
    """To an offer to explain or to check, to leave things as they are, to a fact, to hearing more first."""
    assert [question for question in ANOTHER if _after(question, "Yes, please.", plan) != NO] == []


@pytest.mark.parametrize("plan", PLANS)
def test_a_bare_yes_to_several_questions_is_left_open(plan):
    """It does not say which it answers; an order to go ahead does."""
    assert [question for question in SEVERAL if _after(question, "Yes.", plan) != OPEN] == []
    assert [question for question in SEVERAL[:3] if _after(question, "Yes, go ahead.", plan) != YES] == []
