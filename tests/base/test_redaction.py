"""Redaction replaces what is sensitive, everywhere, by equal pseudonyms for equal values."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base.redaction import Redactor

KEY = b"0123456789abcdef"


def redacted(record: object, **options: object) -> str:
    return Redactor(KEY, **options).record(msgspec.json.encode(record)).decode()


def test_a_sensitive_field_is_hidden_in_fields_and_in_free_text() -> None:
    """A value of a sensitive field is replaced in its field and wherever else it stands as a whole word."""
    text = redacted(
        {
            "steps": [
                {"step": "user", "text": "my number is 078-05-1120."},
                {"step": "call", "tool": "f", "proposed": {"ssn": "078-05-1120"}},
            ]
        },
        fields=["SSN"],
    )
    assert "078-05-1120" not in text
    assert text.count(Redactor(KEY).pseudonym("078-05-1120")) == 2


def test_structure_is_never_redacted() -> None:
    """A field name counts only within payloads: the record's own keys keep their values."""
    assert '"tool":"refund"' in redacted({"tool": "refund", "proposed": {"tool": "secret-tool"}}, fields=["tool"])


def test_a_value_within_a_longer_word_stays() -> None:
    """Only whole words are replaced in text: `Ann` does not break `Annual`."""
    assert "Annual" in redacted({"text": "Annual fee", "proposed": {"name": "Ann"}}, fields=["name"])


def test_patterns_are_replaced_in_every_text() -> None:
    """Every match of a pattern is replaced, in user text and in observations alike."""
    text = redacted({"text": "write to a@b.example", "observation": {"note": "a@b.example"}}, patterns=[r"\S+@\S+\.\w+"])
    assert "@" not in text


def test_two_keys_give_two_pseudonyms() -> None:
    """Without the key a pseudonym says nothing."""
    assert Redactor(KEY).pseudonym("x") != Redactor(KEY[::-1]).pseudonym("x")
    assert Redactor(KEY).fingerprint != Redactor(KEY[::-1]).fingerprint


@pytest.mark.parametrize("options", [{"key": b"short"}, {"key": KEY, "patterns": ["("]}])
def test_a_bad_key_or_pattern_is_refused(options: dict) -> None:
    """A key under 16 bytes and a broken pattern are errors, not silence."""
    with pytest.raises(ValueError, match=r"16 bytes|regular expression"):
        Redactor(options.pop("key"), **options)


@given(st.text(alphabet=st.characters(categories=["L", "N"]), min_size=3, max_size=12), st.text(max_size=20), st.text(max_size=20))
def test_no_whole_word_of_a_sensitive_value_survives(value: str, before: str, after: str) -> None:
    """Whatever stands around it, a sensitive value that is a word of its own is gone."""
    text = redacted({"text": f"{before} {value} {after}", "proposed": {"secret": value}}, fields=["secret"])
    inner = msgspec.json.decode(text)["text"]
    assert f" {value} " not in f" {inner} ".replace("redacted-", "")
