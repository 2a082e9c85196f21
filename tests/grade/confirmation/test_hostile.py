"""Hostile conversations: the work grows as the input does, and the answer stays right."""

import pytest

from tests.grade.confirmation._work import GROWING, LARGE, PAY, PLAN, SMALL, counted, many_turns, many_writes
from tests.grade.confirmation.dialogues import NO, OPEN, YES, outcomes


@pytest.mark.parametrize("kind", [make.__name__ for make in GROWING])
def test_the_work_grows_as_the_input_does(kind: str) -> None:
    """Four times the input takes at most about four times the work."""
    small, large = counted()[kind]
    assert large <= 1.15 * (LARGE // SMALL) * small


def test_a_hundred_thousand_turns_are_judged_right():
    """However long ago it began, the last proposal and its reply decide."""
    assert outcomes(*many_turns(50_000)) == [YES]
    assert outcomes(*many_turns(50_000)[:-2], "U: no", PAY) == [NO]


def test_a_megabyte_in_a_turn_is_judged_right():
    """A refusal behind a megabyte of yes is a refusal; so is one before it."""
    much = "Yes, please go ahead. " * 50_000
    assert outcomes("U: hi", PLAN, f"U: {much}No, stop.", PAY) == [NO]
    assert outcomes("U: hi", PLAN, f"U: No, stop. {much}", PAY) == [OPEN]
    assert outcomes("U: hi", PLAN, f"U: {'please ' * 150_000}", PAY) == [NO]
    assert outcomes("U: hi", f"A: {'It is HB-10000. ' * 65_000}\n{PLAN[3:]}", "U: Yes.", PAY) == [YES]


def test_a_thousand_identical_writes_have_one_yes():
    """The first is confirmed, no other."""
    assert outcomes(*many_writes(1_000)) == [YES] + [NO] * 999
