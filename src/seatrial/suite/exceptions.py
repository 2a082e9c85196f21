"""Accepted exceptions: how a rule was narrowed, why, by whom and when. A record of a decision; it changes no verdict by itself."""

from __future__ import annotations

from seatrial.records.risk import AcceptedException
from seatrial.suite.part import Part
from seatrial.suite.scope import Scope, plug_ins

KEYS = {
    "rule": "The rule that was narrowed.",
    "what": "What is allowed now, in one sentence: the `except`, `allow` or other argument that says so to the rule.",
    "why": "Why it is right.",
    "by": "Who accepted it.",
    "on": "When, YYYY-MM-DD.",
}
"""Keys of an accepted exception and what they mean; all are needed."""


def read_exceptions(part: Part, scope: Scope) -> tuple[AcceptedException, ...]:
    """Read the accepted exceptions of a suite.

    Args:
        part: The list.
        scope: What the world offers.

    Raises:
        SuiteError: A key is missing, unknown, empty or wrong, or there is no such rule.
    """
    return tuple(_exception(item, scope) for item in part.items())


def _exception(part: Part, scope: Scope) -> AcceptedException:
    part.mapping(KEYS)
    part.need(KEYS, "an accepted exception")
    rule = part["rule"].choice(scope.definition.invariants | plug_ins("invariant"), "invariant")
    return AcceptedException(rule, part["what"].text(), part["why"].text(), part["by"].text(), part["on"].day())
