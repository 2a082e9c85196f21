"""The stubs of the world were held against production within so many days: what they answer is what production answers."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from msgspec import Meta, Struct

from seatrial.base.wording import count
from seatrial.gate.evidence import Evidence
from seatrial.records.decision import RuleResult

NAME = "stubs_checked"


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """How old the check may be."""

    within_days: Annotated[int, Meta(ge=0, le=100_000)]
    """Most days between the check and the decision."""


def evaluate(evidence: Evidence, arguments: Arguments) -> RuleResult:
    """Hold the age of the last check of the stubs against what is asked for; it never fails a run, stubs can be checked again.

    Args:
        evidence: The day of the check and that of the decision are looked at.
        arguments: How old the check may be.

    Returns:
        Inconclusive when nothing says when the stubs were checked, when that day is yet to come or too long ago; else pass.
    """
    check = evidence.stubs_checked
    if check is None:
        reason = "the suite does not say when its stubs were held against production: `stubs_checked: {on: YYYY-MM-DD, by: NAME}`"
        return RuleResult(NAME, "inconclusive", reason, limit=float(arguments.within_days))
    days = _days(check.on, evidence.today)
    said = f"the stubs were held against production on {check.on} by {check.by}"
    if days is None or days < 0:
        why = "the day of the decision is not known" if days is None else f"that day is yet to come on {evidence.today}"
        return RuleResult(NAME, "inconclusive", f"{said}, but {why}", limit=float(arguments.within_days))
    reason = f"{said}, {count(days, 'day')} before the decision"
    if days > arguments.within_days:
        reason += f"; at most {count(arguments.within_days, 'day')} are asked for: check them again, and write the day into suite.yaml"
        return RuleResult(NAME, "inconclusive", reason, limit=float(arguments.within_days))
    return RuleResult(NAME, "pass", reason, limit=float(arguments.within_days))


def _days(before: str, after: str) -> int | None:
    """Return the days from one day to another; `None`: one of them is no day."""
    try:
        return (date.fromisoformat(after[:10]) - date.fromisoformat(before[:10])).days
    except ValueError:
        return None
