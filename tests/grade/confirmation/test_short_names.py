"""Identifiers of two or three characters are seen where they stand as a word; plain numbers that short are left open."""

import pytest

from tests.grade.confirmation.dialogues import NO, OPEN, YES, call, outcomes

HELLO, GO = "U: Hello, I need some help.", "U: Yes, please."
PLAN = "A: I'd cancel claim {} and tell claim C-1044's adjuster. Shall I go ahead?"
LISTED = call("get_claims", answer={"claims": [{"claim_id": "C-0"}, {"claim_id": "C-1"}, {"claim_id": "C-1044"}]})


@pytest.mark.parametrize("code", ["C-0", "c_0"])
def test_a_short_identifier_beside_a_longer_one_is_shown(code: str):
    """`C-0` stands in the plan, whatever else of its shape does."""
    assert outcomes(LISTED, HELLO, PLAN.format(code), GO, call("cancel_claim", claim_id="C-0")) == [YES]


def test_another_short_identifier_is_not_the_one_shown():
    """`C-1` is not `C-0`."""
    assert outcomes(LISTED, HELLO, PLAN.format("C-0"), GO, call("cancel_claim", claim_id="C-1")) == [NO]


def test_a_short_identifier_in_one_word_is_shown_as_a_word():
    """`A7` is `A7`, and not a part of `A70`."""
    plan = "A: I'd cancel desk {} in room R-2044. Shall I go ahead?"
    assert outcomes(HELLO, plan.format("A7"), GO, call("cancel_desk", desk_id="A7")) == [YES]
    assert outcomes(HELLO, plan.format("A70"), GO, call("cancel_desk", desk_id="A7")) != [YES]


def test_a_number_of_a_few_digits_beside_a_longer_one_is_left_open():
    """Whether a `7` in a plan is the seventh desk or a count cannot be told."""
    desks = call("get_desks", answer={"desks": [{"desk_id": "7"}, {"desk_id": "10442"}]})
    plan = "A: I'd cancel desk 7 beside desk 10442. Shall I go ahead?"
    assert outcomes(desks, HELLO, plan, GO, call("cancel_desk", desk_id="7")) == [OPEN]
