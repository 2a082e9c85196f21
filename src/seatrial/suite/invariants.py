"""Invariants by name: `no_forbidden_call`, or `{no_forbidden_call: {tools: [delete_claim]}}`, or with an id of its own."""

from __future__ import annotations

from seatrial.records.contract import InvariantSpec
from seatrial.suite.part import Part
from seatrial.suite.rule_arguments import check_arguments
from seatrial.suite.scope import Scope, plug_ins

KEYS = {"rule": "Name of the invariant.", "arguments": "Its arguments.", "id": "Name in reports; the rule's when absent."}
"""Keys of the long form of an invariant and what they mean."""


def read_invariants(part: Part, scope: Scope) -> tuple[InvariantSpec, ...]:
    """Read a list of invariants.

    Args:
        part: The list.
        scope: The names that may be used.

    Raises:
        SuiteError: A rule is not known.
    """
    return tuple(_invariant(item, scope) for item in part.items())


def _invariant(part: Part, scope: Scope) -> InvariantSpec:
    name, arguments, called = _written(part)
    rule = name.choice(scope.definition.invariants | plug_ins("invariant"), "invariant")
    given = arguments.mapping().raw()
    if rule not in scope.definition.invariants:
        check_arguments(arguments, rule, scope)
    return InvariantSpec(rule=rule, arguments=given, id=called)


def _written(part: Part) -> tuple[Part, Part, str]:
    """Return the name of a rule, its arguments, and its name in reports, whichever way they were written."""
    if isinstance(part.value, str):
        return part, Part({}, part.place, part.path), ""
    if part.get("rule") is not None:
        part.mapping(KEYS)
        return part["rule"], part.get("arguments") or Part({}, part.place, part.path), part.read("id", Part.text, "")
    entries = list(part.entries())
    if len(entries) != 1:
        part.fail("an invariant is its name, or {name: {arguments}}, or {rule: name, arguments: {...}, id: ...}")
    name, arguments = entries[0]
    given = arguments if arguments.value is not None else Part({}, arguments.place, arguments.path)
    return Part(name, arguments.place, arguments.path), given, ""
