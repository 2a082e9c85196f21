"""What a suite, its world and the graders must agree on: names of normalisers, arguments of rules."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping

import msgspec

from seatrial.base.errors import SuiteError, UsageError
from seatrial.base.names import nearest
from seatrial.gate import RuleUse, read_arguments
from seatrial.records.contract import InvariantSpec
from seatrial.suite import Suite
from seatrial.suite.part import Part
from seatrial.suite.place import Place
from seatrial.suite.scope import plug_ins
from seatrial.world import WorldDefinition


def check_own_names(definition: WorldDefinition) -> None:
    """Check the names by which a world brings functions of its own and uses normalisers.

    Args:
        definition: The world.

    Raises:
        SuiteError: A tool names an unknown normaliser, or an own function hides a built-in one; file and line are in its text.
    """
    _refuse_hidden("normaliser", definition.normalisers, definition.file)
    _refuse_hidden("invariant", definition.invariants, definition.file)
    _check_normalisers(definition)


def check_rule_arguments(suite: Suite, definition: WorldDefinition, top: Part) -> None:
    """Check the arguments of rules, which neither the suite nor its world can check alone.

    Args:
        suite: The suite.
        definition: Its world.
        top: The content of `suite.yaml`.

    Raises:
        SuiteError: The arguments of an own invariant or of a gate rule are wrong; file and line are in its text.
    """
    _check_invariants(suite, definition)
    if (gate := top.get("gate")) is not None:
        check_gate(gate)


def check_gate(gate: Part) -> None:
    """Check the arguments of the rules of a gate policy.

    Args:
        gate: The mapping of rules to their arguments, the names of the rules checked.

    Raises:
        SuiteError: The arguments of a rule are wrong; file and line are in its text.
    """
    for name, arguments in gate.entries():
        if arguments.value == []:
            arguments.fail("an empty list of arguments would ask nothing; leave the rule out, or fill the list")
        for one in arguments.one_or_more():
            try:
                read_arguments(RuleUse(name, (one if one.value is not None else Part({}, one.place)).raw()))
            except UsageError as error:
                one.fail(str(error))


def _refuse_hidden(kind: str, functions: Mapping[str, Callable[..., object]], file: str) -> None:
    for name in functions:
        if name in plug_ins(kind):
            message = f"the {kind} {name!r} has the name of a built-in one, which it would hide; give it another name"
            raise SuiteError(message, file=file, line=_line(functions[name]))


def _check_normalisers(definition: WorldDefinition) -> None:
    known = plug_ins("normaliser") | frozenset(definition.normalisers)
    for tool in definition.tools.values():
        for argument, name in tool.spec.normalisers.items():
            if name not in known:
                message = (
                    f"{tool.name}: normalise names {name!r} for {argument}, which is no normaliser; known: {', '.join(sorted(known))}."
                )
                raise SuiteError(message, file=definition.file, line=_line(tool), nearest=nearest(name, known))


def _check_invariants(suite: Suite, definition: WorldDefinition) -> None:
    _bind(suite.invariants, definition, Place(str(suite.folder / "suite.yaml")))
    for task in suite.tasks:
        _bind(task.contract.invariants, definition, suite.places.get(task.id, Place()))


def _bind(specs: Iterable[InvariantSpec], definition: WorldDefinition, place: Place) -> None:
    for spec in specs:
        own = definition.invariants.get(spec.rule)
        if own is None:
            continue
        try:
            inspect.signature(getattr(own, "function", own)).bind(None, **msgspec.json.decode(spec.arguments))
        except TypeError as error:
            message = f"the arguments of the suite's own invariant {spec.rule!r} do not fit its function: {error}"
            raise SuiteError(message, file=place.file, line=place.line) from error


def _line(own: object) -> int | None:
    """Return the line of a world's own function; `None`: not known."""
    code = getattr(inspect.unwrap(getattr(own, "function", own)), "__code__", None)  # type: ignore[arg-type]
    return code.co_firstlineno if code is not None else None
