"""Names and words: what may be an id, which right name is near, and how messages say it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base import wording
from seatrial.base.names import is_identifier, nearest


@pytest.mark.parametrize("name", ["water-017", "7", "a.b:c@d+e=f-g_h", "A" * 128])
def test_an_id_is_letters_digits_and_a_few_marks(name: str) -> None:
    """An id starts with a letter or a digit and has up to 128 characters that are safe in names of files."""
    assert is_identifier(name)


@pytest.mark.parametrize("name", ["", "A" * 129, ".hidden", "-x", "a/b", "a\\b", "a b", "a\n", "../up", "a..b", "ä", "a\x00"])
def test_what_could_be_a_path_or_hide_is_no_id(name: str) -> None:
    """Paths, hidden names, white space, control characters and other alphabets are refused."""
    assert not is_identifier(name)


def test_the_nearest_name_is_offered_only_when_it_is_near() -> None:
    """A slip of the pen finds its name, a stranger finds none."""
    assert nearest("polcy_lookup", ["route", "policy_lookup"]) == "policy_lookup"
    assert nearest("xyz", ["route", "policy_lookup"]) is None
    assert nearest("route", []) is None


def test_an_error_asks_what_was_meant() -> None:
    """The question follows the sentence after a blank, and is not asked when no name is near."""
    assert wording.did_you_mean("rout", ["route"]) == " Did you mean 'route'?"
    assert wording.did_you_mean("rout", ["route"], what="tool") == " Did you mean tool 'route'?"
    assert wording.did_you_mean("xyz", ["route"]) == ""


def test_numbers_stand_with_their_noun() -> None:
    """One is singular, all else is plural, thousands are grouped."""
    assert [wording.count(number, "trial") for number in (0, 1, 1200)] == ["0 trials", "1 trial", "1,200 trials"]


def test_long_lists_end_with_how_many_more() -> None:
    """The first names stand, the rest is counted."""
    assert wording.listed(["a", "b", "c"], 2) == "a, b and 1 more"
    assert wording.listed(["a", "b"], 2) == "a, b"
    assert wording.listed([], 2) == ""


@given(st.text(), st.integers(1, 30))
def test_a_clipped_text_is_one_line_that_fits(text: str, length: int) -> None:
    """A clipped text has no line break, is no longer than asked, and is the whole line when that fits."""
    found = wording.clipped(text, length)
    line = " ".join(text.split())
    assert len(found) <= length
    assert len(found.splitlines()) <= 1
    assert found == line or (found.endswith("…") and len(line) > length)
