"""Values within text: whole tokens, numbers, days, offsets."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.grade import tokens

TEXT = "you paid $1327 for hl-00418-c, on 03/05/2026. that is 100, or eur 1,250.00; -5 usd. range 3-9 at 3:27, water/flood, img_12.jpg"


@pytest.mark.parametrize("token", ["hl-00418-c", "water", "flood", "100", "1327", "03/05/2026", "usd", "img_12.jpg", "eur 1,250.00"])
def test_a_whole_token_is_found(token):
    """A token is found wherever nothing continues it: beside spaces, signs, the end of a sentence."""
    assert tokens.find(TEXT, token) >= 0


@pytest.mark.parametrize("token", ["327", "10", "00", "c", "00418", "hl-00418", "250", "03", "12", "img_12", "27", "pai", ""])
def test_a_part_of_a_token_is_not_found(token):
    """A part of a number, an identifier, a date, a time or a file name is no token."""
    assert tokens.find(TEXT, token) == -1


def test_numbers_are_read_with_their_currency_and_sign():
    """Thousands separators, decimals, signs and currencies are read; ranges, times and parts of identifiers are not."""
    found = {(amount.value, amount.currency) for amount in tokens.amounts(TEXT)}
    assert found == {("1327", "USD"), ("100", ""), ("1250", "EUR"), ("-5", "USD")}


@pytest.mark.parametrize("written", ["3 may 2026", "may 3, 2026", "3rd of may 2026", "2026-05-03", "2026-05-03t10:00", "may 3rd, 2026"])
def test_a_day_is_read_in_every_form_that_has_one_reading(written):
    """ISO and worded days are certain."""
    assert list(tokens.days(f"on {written}.")) == [tokens.Day(5, 3, 2026)]


def test_a_day_that_can_be_read_in_two_ways_is_not_certain():
    """`03/05/2026` gives both readings, neither certain; `13/05/2026` gives one; without a year it is still a day."""
    assert {(day.month, day.day, day.certain) for day in tokens.days("03/05/2026")} == {(5, 3, False), (3, 5, False)}
    assert list(tokens.days("13/05/2026")) == [tokens.Day(5, 13, 2026)]
    assert list(tokens.days("on may 3 we saw")) == [tokens.Day(5, 3)]


@pytest.mark.parametrize(
    ("words", "offset"),
    [
        ("yesterday evening", -1),
        ("the day before yesterday", -2),
        ("two days ago", -2),
        ("in 3 weeks", 21),
        ("last saturday", -2),
        ("today", 0),
    ],
)
def test_words_of_an_offset_are_counted_in_days(words, offset):
    """Words that speak of another day give its distance from the base, here a Monday."""
    assert offset in tokens.offset_days(words, date(2026, 5, 4))


def test_yesterday_within_another_phrase_does_not_count_alone():
    """`the day before yesterday` is two days back and not one."""
    assert tokens.offset_days("the day before yesterday", date(2026, 5, 4)) == {-2}


def test_no_words_give_no_offset():
    """A text without a word of time gives none."""
    assert tokens.offset_days("the kitchen is wet", date(2026, 5, 4)) == frozenset()


@given(
    st.text('ab7 ,:-.@/+_\\"{é', max_size=4),
    st.text("ab7-", min_size=1, max_size=3),
    st.text('ab7 ,:-.@/+_\\"}é', max_size=4),
    st.booleans(),
)
def test_a_token_that_is_whole_in_bytes_is_whole_in_the_text(before, token, after, signed):
    """The quick test on bytes never says yes where the text says no, and says the same where all is ASCII."""
    data, start = f"{before}{token}{after}\n".encode(), len(before.encode())
    text = f"{before}{token}{after}\n"
    whole = tokens.is_whole(text, len(before), len(before) + len(token)) and not (signed and before.endswith("-"))
    quick = tokens.is_whole_bytes(data, start, start + len(token), signed=signed)
    assert quick == whole if text.isascii() else quick <= whole
