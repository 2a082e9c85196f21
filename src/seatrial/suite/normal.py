"""Normal forms at load: expected values that their normaliser cannot read are errors of the suite."""

from __future__ import annotations

from seatrial.base.normal_forms import BUILT_IN
from seatrial.suite.matchers import literals
from seatrial.suite.part import Part, shown


def check_normal_forms(part: Part, normaliser: str) -> None:
    """Check that the literals of an expected value have a normal form; own normalisers of a world are not tried.

    Args:
        part: The expected value.
        normaliser: Name of the normaliser that applies to it.

    Raises:
        SuiteError: A date is ambiguous, or a value cannot be read.
    """
    read = BUILT_IN.get(normaliser)
    if read is None or normaliser == "json":
        return
    for literal in literals(part):
        if literal.value is None:
            continue
        try:
            read(literal.value)
        except ValueError as error:
            literal.fail(f"{shown(literal.value)} has no normal form as {normaliser}: {error}")
