"""Values that were redacted still grade: a pseudonym is its own normal form, whatever reads the value that it stands for."""

from __future__ import annotations

import pytest

from seatrial.base.catalogue import built_in
from seatrial.grade.normalisers import resolve

ONE, OTHER = "redacted-0123456789ab", "redacted-ba9876543210"


@pytest.mark.parametrize("name", built_in("normaliser"))
def test_a_pseudonym_has_a_normal_form_of_its_own_under_every_normaliser(name: str) -> None:
    """Equal pseudonyms are equal and different ones differ, alone or within a text, and none is an error."""
    normaliser = resolve(name)
    for wrap in ("{}", "about {} there"):
        one, other = wrap.format(ONE), wrap.format(OTHER)
        assert normaliser.normalise(one) == normaliser.normalise(one)
        assert normaliser.form(one) != normaliser.form(other)
    assert normaliser.compatible is None or normaliser.compatible(ONE, ONE)
