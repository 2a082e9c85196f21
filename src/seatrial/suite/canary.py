"""The canary: a string that stands in a suite's files and nowhere else. An agent that writes it has read them."""

from __future__ import annotations

import re

from seatrial.base.canonical import content_hash
from seatrial.suite.part import Part, shown

PATTERN = "^[A-Za-z0-9][A-Za-z0-9._:+=-]{15,199}$"
"""Regular expression of a canary."""
_CANARY = re.compile(PATTERN)


def read_canary(part: Part) -> str:
    """Return a canary, known to be long enough never to be written by chance, and spelled the same in JSON and in text.

    Args:
        part: The text.

    Raises:
        SuiteError: It is too short, or has signs that JSON or YAML may spell in another way.
    """
    text = part.text()
    if not _CANARY.fullmatch(text):
        part.fail(f"{shown(text)} is no canary: it takes 16 to 200 letters, digits and ._:+=-, best a fresh random word")
    return text


def canary_from(secret: object) -> str:
    """Return a canary that follows from something and cannot be guessed without it.

    Args:
        secret: Anything that has canonical JSON: fresh random digits, or all that a suite holds.
    """
    return f"canary-{content_hash(secret)}"
