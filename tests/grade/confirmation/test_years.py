"""A day that a plan shows without its year is that of the year which was told elsewhere, or which the clock gives."""

import pytest

from tests.grade.confirmation.dialogues import NO, OPEN, YES, call, outcomes

HELLO, GO = "U: Hello, I need some help.", "U: Yes, please."
PLAN = "A: I'd move your appointment AP-99120 to July 21. OK for you?"
FREE = call("get_free_days", answer={"free": ["2031-07-14", "2031-07-21"]})
OTHERS = call("get_free_days", answer={"free": ["2031-07-14", "2031-07-20"]})
BORN = call("get_patient", answer={"born": "1970-07-21"})


def _moved(year: int) -> object:
    return call("reschedule_appointment", appointment_id="AP-99120", date=f"{year}-07-21")


@pytest.mark.parametrize("told", [FREE, OTHERS, "A: We have Monday, 2031-07-21."])
@pytest.mark.parametrize(("year", "said"), [(2031, YES), (2030, OPEN), (2032, OPEN)])
def test_the_year_of_the_full_days_that_were_told_counts(told: object, year: int, said: str):
    """In an answer or an earlier turn: of that very day, or where there is none, of any."""
    assert outcomes(HELLO, told, "U: And then?", PLAN, GO, _moved(year)) == [said]


@pytest.mark.parametrize(("year", "said"), [(2026, YES), (2025, OPEN), (2027, OPEN)])
def test_where_no_day_was_told_in_full_the_clock_counts(year: int, said: str):
    """The task's clock says 2026."""
    assert outcomes(HELLO, PLAN, GO, _moved(year)) == [said]


def test_a_date_of_birth_is_not_the_year_of_the_plan():
    """A day of another decade that falls on the same day of the year leaves the plan as it was."""
    assert outcomes(BORN, HELLO, PLAN, GO, _moved(2026)) == [YES]


def test_a_year_that_the_plan_or_the_reply_says_needs_nothing_else():
    """`July 21, 2031`, in a list with others; another year is a violation."""
    plan = "A: I'd move your appointment AP-99120 to July 21, 2031. OK for you?"
    assert outcomes(FREE, HELLO, plan, GO, _moved(2031)) == [YES]
    assert outcomes(FREE, HELLO, plan, GO, _moved(2032)) == [NO]
