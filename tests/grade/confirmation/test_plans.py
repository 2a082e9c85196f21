"""How a plan may be written down, and a yes to a part of it."""

import pytest

from tests.grade.confirmation.dialogues import NO, YES, Call, call, outcomes

HELLO, GO = "U: Hello, this is HC-1. I need some help.", "U: Yes, please."
CANCEL = call("cancel_policy", policy_id="HL-20180-K", effective_date="2026-06-30", refund=1019.8)
IBAN = call("change_payout_account", policy_id="HL-20180-K", iban="GB48HARB20410980113526")
MOVE = call("update_address", order_id="W4500123", address="14 Station Street, Apt 3", city="Leeds", zip="LS1 4AP")
MAIL = call("change_email", customer_id="HC-1", email="ann.porter@posthaus.example")
PHONE = call("change_phone", customer_id="HC-1", phone="+442079460958")
WIRE = call("transfer_money", from_account="4471882001", to_account="9944500112", amount=12500.5)
SHOWN = (
    (
        CANCEL,
        (
            "Certainly! Here is a summary:\n\n**Cancellation**\n- **Policy:** HL-20180-K\n- **Effective date:** June 30, "
            "2026\n- **Refund:** $1,019.80\n\nPlease confirm that you would like me to proceed. \U0001f60a"
        ),
    ),
    (
        CANCEL,
        (
            "Please review:\n\n| Field | Value |\n|---|---|\n| Policy | HL-20180-K |\n| Cancelled on | 30/06/2026 |\n| "
            "Refund | £1,019.80 |\n\nShall I proceed with the cancellation?"
        ),
    ),
    (
        CANCEL,
        (
            "I'm so sorry to hear that, and I completely understand how frustrating this must be. I can cancel policy "
            "HL-20180-K with effect from 30th June 2026, and you'd receive a refund of GBP 1019.80. Would you be happy for "
            "me to go ahead?"
        ),
    ),
    (
        CANCEL,
        (
            "Dear Ms Porter,\n\nWe would cancel your policy HL-20180-K as of 30 June 2026. You will be refunded 1,019.80 "
            "GBP.\n\nCould you kindly confirm that we may proceed?\n\nKind regards,\nHarbour"
        ),
    ),
    (CANCEL, "Cancel HL-20180-K on 2026-06-30, refund $1019.80 \u2013 ok?"),
    (CANCEL, "I would cancel HL-20180-K as of the 30th of June; refund CHF 1'019.80. Shall I?"),
    (IBAN, "Payouts for HL-20180-K would go to IBAN GB48 HARB 2041 0980 1135 26. May I change the payout account?"),
    (IBAN, "Payouts for HL-20180-K would go to gb48-harb-2041-0980-1135-26. May I change the account?"),
    (IBAN, "Payouts for HL-20180-K would go to \u2022\u2022\u2022\u2022 3526. May I change the payout account?"),
    (MOVE, "The new address of order W4500123 would be:\n\n14 Station Street\nApt 3\nLeeds\nLS1 4AP\n\nShall I update it?"),
    (MOVE, "I'd update the address of W4500123 to 14 STATION ST., APARTMENT 3, LEEDS LS14AP. Shall I?"),
    (MAIL, "I'd change your e-mail to Ann.Porter@Posthaus.example. Shall I?"),
    (
        call("change_email", customer_id="HC-1", email=" ANN.PORTER@posthaus.example "),
        "I'd change your e-mail to ann.porter@posthaus.example. Shall I?",
    ),
    (PHONE, "I'd change your phone number to +44 20 7946 0958. OK?"),
    (WIRE, "I will transfer USD 12,500.50 from account 4471 882 001 to account 9944500112. Is that OK?"),
    (WIRE, "I will transfer 12.500,50 \u20ac from account 4471882001 to account 9944500112. Is that OK?"),
)
"""Plans that show every value of the call, in many forms."""
NOT_SHOWN = (
    (CANCEL, "I would cancel HL-20180-K as of the 20th of June; the refund is £1,019.80. Shall I go ahead?"),
    (CANCEL, "I would cancel HL-20180-K as of tomorrow; the refund is £1,019.80. Shall I go ahead?"),
    (CANCEL, "I would cancel HL-20180-K as of 30 June 2026; the refund is £10,198.00. Shall I go ahead?"),
    (CANCEL, "I would cancel HL-20180-K as of 30 June 2026; the refund will be told by e-mail. Shall I go ahead?"),
    (IBAN, "Payouts for HL-20180-K would go to \u2022\u2022\u2022\u2022 3527. May I change the payout account?"),
    (IBAN, "Payouts for HL-20180-K would go to GB48 HARB 2041 0980 1135 27. May I change the account?"),
    (MOVE, "I'd update the address of order W4500123 to 41 Station Street, Apt 3, Leeds, LS1 4AP. Shall I?"),
    (MOVE, "I'd update the address of order W4500123 to 14 Station Street, Apt 3, York, LS1 4AP. Shall I?"),
    (MAIL, "I'd change your e-mail to anne.porter@posthaus.example. Shall I?"),
    (MAIL, "I'd change your e-mail to ann.porter@posthaus.example.org. Shall I?"),
    (WIRE, "I will transfer USD 12,500.05 from account 4471882001 to account 9944500112. Is that OK?"),
    (WIRE, "I will transfer USD 12,500.50 from account 9944500112 to account 4471882001. Is that OK?"),
)
"""Plans with one value that is not the call's."""
FIRST, SECOND = (call("cancel_policy", policy_id=code) for code in ("HL-20180-K", "HL-20199-K"))
BOTH = "I would 1) cancel HL-20180-K and 2) cancel HL-20199-K. Shall I go ahead?"
ADDRESS = call("change_address", policy_id="HL-20180-K", address="9 Sexton Row")
EMAIL = call("change_email", policy_id="HL-20180-K", email="ann@a.example")
MIXED = "I would make these changes to HL-20180-K:\n1. Address: 9 Sexton Row\n2. E-mail: ann@a.example\n\nShall I update both?"
PARTS = (
    (BOTH, "Yes to the first, not the second.", SECOND),
    (BOTH, "Only HL-20180-K please.", SECOND),
    (BOTH, "Just the first one.", SECOND),
    (BOTH, "Yes to number 1.", SECOND),
    (BOTH, "Yes, cancel HL-20180-K.", SECOND),
    (BOTH, "Yes, but keep HL-20199-K.", SECOND),
    (BOTH, "Yes, except HL-20199-K.", SECOND),
    (BOTH, "Yes for the first one, the second I need to think about.", SECOND),
    (BOTH, "Yes, one of them.", SECOND),
    (BOTH, "Neither.", FIRST),
    (BOTH, "Not both.", FIRST),
    (MIXED, "Only the address, please.", EMAIL),
    (MIXED, "Yes, only the address.", EMAIL),
    (MIXED, "Yes, change the address.", EMAIL),
    (MIXED, "Go ahead with the address.", EMAIL),
    (MIXED, "Yes, update my address but leave the e-mail.", EMAIL),
    ("I would cancel HL-20180-K. Shall I go ahead?", "Yes, and also cancel HL-20199-K.", SECOND),
    ("I would change the address of HL-20180-K to 9 Sexton Row. Shall I?", "Yes, and also change my e-mail to ann@a.example.", EMAIL),
)
"""A yes to a part of a plan, or to more than was in it, and the write that it does not cover."""


@pytest.mark.parametrize(("write", "plan"), SHOWN)
def test_a_value_is_shown_in_whatever_form(write: Call, plan: str):
    """Lists, tables, letters, currencies, dates in words, spaces, masks, abbreviations and case make no difference."""
    assert outcomes(HELLO, f"A: {plan}", GO, write) == [YES]


@pytest.mark.parametrize(("write", "plan"), NOT_SHOWN)
def test_another_value_is_never_confirmed(write: Call, plan: str):
    """One digit, letter, name, day, or end of a transfer off is another value."""
    assert outcomes(HELLO, f"A: {plan}", GO, write) != [YES]


@pytest.mark.parametrize(("plan", "reply", "write"), PARTS)
def test_a_yes_to_a_part_covers_no_more(plan: str, reply: str, write: Call):
    """What the yes leaves out, or adds, is not confirmed."""
    assert outcomes(HELLO, f"A: {plan}", f"U: {reply}", write) != [YES]


@pytest.mark.parametrize(
    ("plan", "reply", "writes"),
    [
        (BOTH, "Yes to both.", (FIRST, SECOND)),
        (BOTH, "Yes, all of them.", (FIRST, SECOND)),
        (BOTH, "Yes, cancel HL-20180-K.", (FIRST,)),
        (MIXED, "Yes, both please.", (ADDRESS, EMAIL)),
        (MIXED, "Yes, change the address.", (ADDRESS,)),
    ],
)
def test_a_yes_covers_what_it_names(plan: str, reply: str, writes: tuple[Call, ...]):
    """The whole plan, or the part that it speaks of."""
    assert outcomes(HELLO, f"A: {plan}", f"U: {reply}", *writes) == [YES] * len(writes)


def test_a_yes_to_anything_else_is_none_to_what_was_said_to_be_done():
    """The write came before the question."""
    plan = "A: I have cancelled HL-20180-K; the refund is £1,019.80. Is there anything else?"
    assert outcomes(HELLO, plan, "U: Yes.", CANCEL) == [NO]


def test_an_amount_belongs_to_the_record_that_it_stands_with():
    """Of two refunds in one plan, the one is not the other's, whichever way they are listed."""
    own, crossed = (call("refund_order", order_id="W4500123", amount=amount) for amount in (49.9, 12))
    for plan in ("I'd refund $49.90 for W4500123 and $12.00 for W4500777.", "Refunds:\n- W4500123: $49.90\n- W4500777: $12.00\n"):
        assert outcomes(HELLO, f"A: {plan} Shall I?", GO, own) == [YES]
        assert outcomes(HELLO, f"A: {plan} Shall I?", GO, crossed) != [YES]


def test_the_day_that_is_moved_is_not_the_new_one():
    """`From July 14 to July 21` shows the 21st."""
    plan = "A: I'd move appointment AP-99120 from July 14 to July 21. OK for you?"
    old, new = (call("reschedule_appointment", appointment_id="AP-99120", date=f"2026-07-{day}") for day in (14, 21))
    assert outcomes(HELLO, plan, GO, old) != [YES]
    assert outcomes(HELLO, plan, GO, new) == [YES]
