"""Normal forms: equal values have equal forms, and nothing is guessed."""

from __future__ import annotations

from contextlib import suppress
from datetime import date as calendar_date
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base import normal_forms
from seatrial.base.normal_forms import AmbiguousDate

MONTHS = "January February March April May June July August September October November December"
DATES = st.dates(min_value=calendar_date(1000, 1, 1))
IDENTIFIERS = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("name", "spellings", "form"),
    [
        ("identifier", ["CLM-00123", "clm 00123", "Clm_00123", "CLM\u201300123"], "clm00123"),
        ("identifier", [7, "7"], "7"),
        (
            "date",
            ["2024-03-05", "2024/03/05", "20240305", "March 5, 2024", "5th of March, 2024", "5-Mar-2024", "Tue, Mar. 5 2024"],
            "2024-03-05",
        ),
        ("date", ["05/13/2024", "13/05/2024", "13.5.2024", "2024-05-13T00:00:00Z", "the 13 May 2024"], "2024-05-13"),
        ("date_dmy", ["05/03/2024", "2024-03-05", "5 March 2024"], "2024-03-05"),
        ("date_mdy", ["05/03/2024", "2024-05-03", "May 3 2024"], "2024-05-03"),
        ("datetime", ["2024-03-05T00:00:00Z", "2024-03-04T19:00:00-05:00", "March 5, 2024 at 12:00 am UTC"], "2024-03-05T00:00:00Z"),
        ("datetime", ["2024-03-05T15:30", "5 March 2024 3:30 PM"], "2024-03-05T15:30:00"),
        ("money", ["1,250.00", "$1,250", "1250", 1250, 1250.0, "USD 1250.00", "1.250,00", "1 250,00 EUR", "1'250.00"], "1250"),
        ("money", ["(1,250.50)", "-1250.5", "$-1,250.50", -1250.5], "-1250.5"),
        ("phone", ["+44 (0)20 7946 0018", "0044 20 7946 0018", "tel:+44-20-7946-0018"], "+442079460018"),
        ("phone", ["555-0199 ext. 12", "5550199x12"], "5550199;ext=12"),
        ("text", [" John  Smith ", "JOHN\tsmith"], "john smith"),
        ("json", ['{"a": [1]}', {"a": [1]}], {"a": [1]}),
    ],
)
def test_spellings_of_one_value_have_one_form(name: str, spellings: list[object], form: object) -> None:
    """Spellings of one value have one normal form."""
    assert [normal_forms.BUILT_IN[name](spelling) for spelling in spellings] == [form] * len(spellings)


@pytest.mark.parametrize("value", ["05/03/2024", "5.3.2024", "1-2-2024", "05/13/24", "5 March '24", "5/5/99"])
def test_a_date_that_reads_two_ways_is_ambiguous(value: str) -> None:
    """A date whose day and month could be swapped, or whose year has two digits, is ambiguous."""
    with pytest.raises(AmbiguousDate):
        normal_forms.date(value)


UNREADABLE: dict[str, list[object]] = {
    "date": ["2024-02-30", "March 2024", "yesterday", "Mon, 5 Mar 2024", 20240305, "", "2024-03-05T10:00:00Z", " " * 101, "99/99/2024"],
    "date_dmy": ["05/13/2024"],
    "datetime": ["2024-03-05", "2024-03-05T25:00", "0001-01-01T00:00:00+05:00", "2024-03-05 13:00 pm", "2024-03-05T10:00:00+25:00"],
    "money": ["1.250", "1,25,000", "five", True, float("nan"), 10**50, "(5", "EUR 5 USD", "5" * 90],
    "phone": ["call me", "12", -5550199],
    "identifier": [" - ", True, 1.5, 10**41],
    "text": [5, "x" * 1_000_001],
    "json": ["{", "[" * 100_000, "\ud800"],
}


@pytest.mark.parametrize("name", sorted(UNREADABLE))
def test_what_cannot_be_read_is_refused(name: str) -> None:
    """What a normal form cannot read raises ValueError, whatever it is."""
    for value in UNREADABLE[name]:
        with pytest.raises(ValueError):  # noqa: PT011 - the type is the contract
            normal_forms.BUILT_IN[name](value)


def test_the_currency_stands_beside_the_amount() -> None:
    """The currency is read apart from the amount, and is empty when none is named."""
    assert [normal_forms.currency(value) for value in ("$5", "EUR 5", "5 gbp", "5", 5)] == ["USD", "EUR", "GBP", "", ""]
    assert normal_forms.money("USD 5") == normal_forms.money("EUR 5")


@given(IDENTIFIERS, st.sampled_from([" ", "-", "_", "  "]))
def test_separators_and_case_do_not_change_an_identifier(parts: str, separator: str) -> None:
    """An identifier's form does not depend on case or on separators between its characters."""
    assert normal_forms.identifier(separator.join(parts).upper()) == normal_forms.identifier(parts.upper())


@given(st.text(max_size=40))
def test_forms_of_text_are_fixed_points(value: str) -> None:
    """The normal form of a normal form is itself."""
    form = normal_forms.text(value)
    assert normal_forms.text(form) == form


@given(DATES)
def test_every_spelling_of_a_date_gives_it_back(day: calendar_date) -> None:
    """ISO, worded and declared numeric spellings of a date all give its ISO form, and the undeclared numeric one never another date."""
    month = MONTHS.split(" ")[day.month - 1]
    for spelling in (day.isoformat(), f"{month} {day.day}, {day.year:04}", f"{day.day} {month[:3]} {day.year:04}"):
        assert normal_forms.date(spelling) == day.isoformat()
    numeric = f"{day.day}/{day.month}/{day.year:04}"
    assert normal_forms.date_dmy(numeric) == normal_forms.date_mdy(f"{day.month}/{day.day}/{day.year:04}") == day.isoformat()
    if day.day > 12 or day.day == day.month:
        assert normal_forms.date(numeric) == day.isoformat()
    else:
        with pytest.raises(AmbiguousDate):
            normal_forms.date(numeric)


@given(
    st.datetimes(min_value=datetime(1000, 1, 2), max_value=datetime(9999, 12, 30)),  # noqa: DTZ001 - hypothesis asks for naive bounds
    st.integers(-14 * 60, 14 * 60),
    st.integers(-14 * 60, 14 * 60),
)
def test_instants_are_equal_across_offsets_and_never_equal_naive_ones(moment: datetime, one: int, other: int) -> None:
    """One instant has one form in every offset, and a moment without an offset has another."""
    instant = moment.replace(tzinfo=timezone(timedelta(minutes=one)))
    elsewhere = instant.astimezone(timezone(timedelta(minutes=other)))
    assert normal_forms.datetime(instant.isoformat()) == normal_forms.datetime(elsewhere.isoformat())
    assert normal_forms.datetime(moment.isoformat()) != normal_forms.datetime(instant.isoformat())


@given(st.decimals(-(10**12), 10**12, places=2))
def test_amounts_are_exact_in_both_conventions(amount: Decimal) -> None:
    """An amount has one exact form written plainly, with English groups, and with European groups."""
    english = f"{amount:,.2f}"
    european = english.translate(str.maketrans(",.", ".,"))
    forms = {normal_forms.money(spelling) for spelling in (f"{amount:f}", english, european)}
    assert len(forms) == 1
    assert Decimal(forms.pop()) == amount


@given(
    st.one_of(st.text(max_size=30), st.integers(), st.floats(), st.none(), st.lists(st.integers(), max_size=2)),
    st.sampled_from(sorted(normal_forms.BUILT_IN)),
)
def test_a_form_is_a_value_or_a_value_error(value: object, name: str) -> None:
    """No input makes a normal form raise anything but ValueError."""
    with suppress(ValueError):
        normal_forms.BUILT_IN[name](value)
