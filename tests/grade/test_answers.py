"""What the user was told."""

import pytest
from msgspec import Raw

from seatrial.base.canonical import canonical
from seatrial.base.errors import SuiteError
from seatrial.grade.answers import compile_answer, untold
from seatrial.records.trace import AgentMessage

SAID = "We paid $1327 on 3 May 2026 for policy HL-00418-C; 1,093.34 EUR are open. Your 100 points: water damage is covered."


def is_told(value, text=SAID, **options):
    return not untold(compile_answer(Raw(canonical(value))), [AgentMessage(1, text, **options)])


@pytest.mark.parametrize(
    "value",
    [
        1327,
        "1327",
        "$1,327.00",
        1093.34,
        "1,093.34",
        "€1093.34",
        "2026-05-03",
        "May 3, 2026",
        "HL-00418-C",
        "hl 00418 c",
        "water damage",
        "Covered",
        100,
    ],
)
def test_a_value_is_told_in_any_unambiguous_spelling(value):
    """Numbers, dates, identifiers and words count in every spelling that has one reading."""
    assert is_told(value)


@pytest.mark.parametrize("value", [327, "327", 10, "10", "$1093.34", "2026-05-04", "HL-00418", "00418", "cover", "damage water", "1.327"])
def test_a_part_or_another_value_is_not_told(value):
    """Substrings, another currency, another day and other words do not count."""
    assert not is_told(value)


@pytest.mark.parametrize("spelling", ["HL 00418 C", "hl00418c", "HL_00418_C", "HL–00418–C"])
def test_an_identifier_is_told_with_other_separators(spelling):
    """Case, spaces and dashes within an identifier are no difference."""
    assert is_told("HL-00418-C", f"Your policy {spelling}.")


@pytest.mark.parametrize("text", ['{"total":327}', "total:327", "claim #327", "**327**", "_327_", "(327)", "|327|", "~327."])
def test_a_number_is_told_between_the_marks_of_json_and_markdown(text):
    """Punctuation that joins no digits ends a number."""
    assert is_told(327, text)
    assert is_told("C-1", text.replace("327", "C-1"))


@pytest.mark.parametrize("text", ["12:327", "a_327", "__327__", "327_", "v1.327", "x327", "327/4", "300-327"])
def test_a_part_of_a_time_a_name_or_a_version_is_no_number(text):
    """Digits that belong to a longer token are not told; a lone underscore behind them is Markdown's only in a pair."""
    assert is_told(327, text) is (text == "327_")


def test_an_ambiguous_date_tells_nothing():
    """`03/05/2026` can be two days, so it tells neither."""
    assert not is_told("2026-05-03", "The loss of 03/05/2026 is covered.")
    assert is_told("2026-05-13", "The loss of 13/05/2026 is covered.")


def test_every_value_of_a_list_must_be_told():
    """A list holds several values; those that were not told are named."""
    missing = untold(compile_answer(Raw(b'["HL-00418-C", 55]')), [AgentMessage(1, SAID)])
    assert [words.shown for words in missing] == ["55"]


def test_matchers_of_an_answer():
    """`$one_of` needs one of its values, `$regex` a match."""
    assert is_told({"$one_of": ["flood", "covered"]})
    assert not is_told({"$one_of": ["flood", "fire"]})
    assert is_told({"$regex": r"policy hl.00418"})


def test_text_that_did_not_reach_the_user_tells_nothing():
    """A message that was not delivered is not said."""
    assert not is_told(1327, delivered=False)


@pytest.mark.parametrize("value", [True, None, {}, "", {"$one": [1]}, {"$one_of": []}, {"$regex": "("}, [[1]], "--"])
def test_a_value_that_no_text_can_tell_is_refused(value):
    """Booleans, null, objects, empty texts and broken matchers are errors of the contract."""
    with pytest.raises(SuiteError):
        compile_answer(Raw(canonical(value)))
