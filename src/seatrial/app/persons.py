"""Who answers for something, and why: names and reasons that people type, checked and written in one way."""

from __future__ import annotations

from seatrial.base.errors import UsageError
from seatrial.records.label import reviewer_key

MOST_NAME = 200
"""Characters of a name, which every report repeats."""
MOST_REASON = 10_000
"""Characters of a reason."""


def named(name: str, needs: str) -> str:
    """Return a name on one line.

    Args:
        name: The name as typed.
        needs: What is said where it is missing: what needs it, and how it is given.

    Raises:
        UsageError: It holds nothing that can be seen, or is too long.
    """
    if not reviewer_key(name):
        raise UsageError(needs)
    if len(name) > MOST_NAME:
        raise UsageError(f"a name of {len(name):,} characters is too long; the limit is {MOST_NAME}")
    return " ".join(name.split())


def reasoned(reason: str, needs: str = "", *, what: str = "reason") -> str:
    """Return a reason without blanks around it.

    Args:
        reason: The reason as typed.
        needs: What is said where it is missing; empty: it may be.
        what: What it is called.

    Raises:
        UsageError: It is missing and may not be, or it is too long.
    """
    if needs and not reviewer_key(reason):
        raise UsageError(needs)
    if len(reason) > MOST_REASON:
        raise UsageError(f"a {what} of {len(reason):,} characters is too long; the limit is {MOST_REASON:,}")
    return reason.strip()
