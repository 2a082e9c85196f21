"""Invariants by name: `no_forbidden_call`, or `{no_forbidden_call: {tools: [delete_claim]}}`, or with an id of its own."""

from __future__ import annotations

from msgspec import Raw

from seatrial.base.canonical import canonical
from seatrial.records.contract import InvariantSpec
from seatrial.suite.part import Part
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
    if isinstance(part.value, str):
        return InvariantSpec(rule=_rule(part, part.value, scope))
    if part.get("rule") is not None:
        part.mapping(KEYS)
        return InvariantSpec(
            rule=_rule(part["rule"], part["rule"].text(), scope),
            arguments=part.read("arguments", lambda each: each.mapping().raw(), Raw(b"{}")),
            id=part.read("id", Part.text, ""),
        )
    entries = list(part.entries())
    if len(entries) != 1:
        part.fail("an invariant is its name, or {name: {arguments}}, or {rule: name, arguments: {...}, id: ...}")
    name, arguments = entries[0]
    value = arguments.value if arguments.value is not None else {}
    return InvariantSpec(
        rule=_rule(arguments, name, scope), arguments=Raw(canonical(Part(value, arguments.place, arguments.path).mapping().value))
    )


def _rule(part: Part, name: str, scope: Scope) -> str:
    return Part(name, part.place, part.path).choice(scope.definition.invariants | plug_ins("invariant"), "invariant")
