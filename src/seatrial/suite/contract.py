"""Contracts: what a task expects, read from YAML or from Python."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Raw, structs

from seatrial.base.canonical import canonical
from seatrial.records.contract import ENDS, PROVENANCE, Alternative, Budget, Contract, Provenance
from seatrial.suite import outcome as outcome_part
from seatrial.suite import process as process_part
from seatrial.suite.definition import SuiteDefinition
from seatrial.suite.matchers import check_expected
from seatrial.suite.part import Part, checked, shown
from seatrial.suite.place import Place
from seatrial.suite.scope import Scope

EXPECT_KEYS = {
    "ends": "How the trial must end: completed, refusal, escalation or fails_closed.",
    "outcome": "The right end state.",
    "process": "The allowed paths.",
    "when_fault": "What is right instead when a fault outlasted the retries: {process, outcome}.",
    "budget": "Ceilings of one trial.",
    "any_of": "Several ways to be right, by name, in place of process and outcome.",
    "reference": "Calls of the reference path; absent: the required calls in an order that the contract allows.",
    "provenance": "Whose argument values need a source: off, writes or all.",
}
"""Keys of what a task expects and what they mean."""
ALTERNATIVE_KEYS = {key: EXPECT_KEYS[key] for key in ("process", "outcome", "reference")}
"""Keys of one way to be right."""
REFERENCE_KEYS = {
    "call": "Tool to call.",
    "with": "Its arguments; {$from: id.path} takes a value from an earlier answer.",
    "id": "Name under which later steps take from this call's answer.",
    "together": "Calls proposed in one message.",
    "say": "What to tell the user, waiting for the reply.",
    "answer": "Last words to the user.",
    "refuse": "true: the agent ends by declining.",
}
"""Keys of a step of a reference path and what they mean."""
BUDGET_KEYS = {
    "calls": "Attempted calls, retries after injected faults left out.",
    "tokens": "Tokens of all model calls.",
    "usd": "Money for model calls, in US dollars.",
    "seconds": "Virtual seconds.",
}
"""Keys of a budget and what they mean."""


def load_contract(mapping: Mapping[str, object], *, definition: SuiteDefinition, where: Place | None = None) -> Contract:
    """Read a contract on its own, without a suite.

    Args:
        mapping: What a task has under `expect`, or only the process (`required`, `order`, `extras`, ..., or a `preset`).
        definition: What may be named in it.
        where: Where the mapping stands; `None`: it comes from Python.

    Returns:
        The contract; provenance is `off` when the mapping does not say.

    Raises:
        SuiteError: The contract is wrong, with file, line, value and the nearest right name as far as known.
    """
    part = checked(Part(dict(mapping), where or Place()))
    return read_expect(part, Scope(definition))


def read_expect(part: Part, scope: Scope, *, provenance: Provenance = "off") -> Contract:
    """Read what a task expects.

    Args:
        part: The mapping: the whole expectation, or only a process.
        scope: The names that may be used.
        provenance: Whose values need a source when the mapping does not say.

    Returns:
        The contract without invariants.

    Raises:
        SuiteError: The contract is wrong.
    """
    part = _whole(part.mapping())
    part.mapping(EXPECT_KEYS)
    return Contract(
        alternatives=_alternatives(part, scope),
        ends=part.chosen("ends", ENDS, "end", ENDS[0]),
        when_fault=part.read("when_fault", lambda each: _when_fault(each, scope), None),
        budget=part.read("budget", read_budget, Budget()),
        provenance=part.chosen("provenance", PROVENANCE, "kind of provenance", provenance),
    )


def read_budget(part: Part, base: Budget | None = None) -> Budget:
    """Read ceilings; those that are not given stay as they are in `base`, and null means not set."""
    part.mapping(BUDGET_KEYS)
    given = {key: _ceiling(value, whole=key in ("calls", "tokens")) for key, value in part.entries()}
    return structs.replace(base or Budget(), **given)


def read_reference(part: Part, scope: Scope) -> tuple[Raw, ...]:
    """Read the steps of a reference path as canonical JSON objects, for example `{"call": ..., "with": {...}}`."""
    return tuple(Raw(canonical(_reference_step(item, scope))) for item in part.items())


def _reference_step(part: Part, scope: Scope) -> dict[str, object]:
    part.mapping(REFERENCE_KEYS)
    if sum(key in part.value for key in ("call", "together", "say", "answer", "refuse")) != 1:
        part.fail("a step of the reference path is one of `call`, `together`, `say`, `answer`, `refuse`")
    step: dict[str, object] = dict(part.value)
    if (together := part.get("together")) is not None:
        step["together"] = [_reference_step(item, scope) for item in together.items()]
    for key in ("say", "answer", "id"):
        part.read(key, Part.text, "")
    part.read("refuse", Part.flag, False)
    if (call := part.get("call")) is not None:
        step["call"] = scope.tool(call, scope.process.aliases)
        _check_reference_arguments(part.get("with"), str(step["call"]), scope)
    return step


def _check_reference_arguments(part: Part | None, tool: str, scope: Scope) -> None:
    for name, value in part.entries() if part is not None else ():
        if scope.arguments([tool]) is not None:
            scope.argument(Part(name, value.place, value.path), [tool])
        check_expected(value, frozenset({"$from"}))


def _whole(part: Part) -> Part:
    """Return a bare process as an expectation that holds nothing else."""
    value: dict[str, object] = part.value
    if not value.keys() & (process_part.KEYS.keys() - EXPECT_KEYS.keys()):
        return part
    beside = {key: value[key] for key in value if key in ("budget", "ends", "provenance", "reference", "when_fault")}
    if "any_of" in value:
        key = next(iter(value.keys() & process_part.KEYS.keys()))
        part[key].fail(f"`{key}` cannot stand beside `any_of`; put it into the alternatives")
    if "process" in value or "outcome" in value:
        key = next(iter(value.keys() & (process_part.KEYS.keys() - EXPECT_KEYS.keys())))
        part[key].fail(f"`{key}` belongs under `process`")
    process = {key: value[key] for key in value if key not in beside}
    return Part({"process": process, **beside}, _lifted(part), part.path)


def _lifted(part: Part) -> Place:
    """Return the place of a bare process with its lines also under `process`, where its values now stand."""
    from dataclasses import replace

    depth = len(part.path)
    below = {(*path[:depth], "process", *path[depth:]): line for path, line in part.place.lines.items() if path[:depth] == part.path}
    return replace(part.place, lines={**part.place.lines, **below})


def _alternatives(part: Part, scope: Scope) -> tuple[Alternative, ...]:
    several = part.get("any_of")
    if several is None:
        return (_alternative(part, scope, ""),)
    for key in ("process", "outcome", "reference"):
        if (beside := part.get(key)) is not None:
            beside.fail(f"`{key}` cannot stand beside `any_of`; put it into the alternatives")
    if not isinstance(several.value, dict):
        several.fail("every alternative needs a name: write any_of: {name: {process: ..., outcome: ...}}")
    found = tuple(_named(name, each, scope) for name, each in several.entries())
    if not found:
        several.fail("`any_of` needs at least one alternative")
    for question in ("process", "outcome"):
        if len({getattr(each, question) is None for each in found}) == 2:
            several.fail(f"some alternatives have `{question}` and some have not; an alternative names process and outcome together")
    return found


def _named(name: str, part: Part, scope: Scope) -> Alternative:
    if not name.strip():
        part.fail("an alternative needs a name that is not empty")
    part.mapping(ALTERNATIVE_KEYS)
    alternative = _alternative(part, scope, name)
    if alternative.process is None and alternative.outcome is None:
        part.fail("an alternative needs `process` and `outcome`")
    return alternative


def _alternative(part: Part, scope: Scope, name: str) -> Alternative:
    return Alternative(
        name=name,
        process=part.read("process", lambda each: process_part.read_process(each, scope), None),
        outcome=part.read("outcome", lambda each: outcome_part.read_outcome(each, scope), None),
        reference=part.read("reference", lambda each: read_reference(each, scope), ()),
    )


def _when_fault(part: Part, scope: Scope) -> Alternative:
    part.mapping(ALTERNATIVE_KEYS)
    if not part.value:
        part.fail("`when_fault` needs `process` or `outcome`")
    return _alternative(part, scope, "when_fault")


def _ceiling(part: Part, *, whole: bool) -> float | None:
    if part.value is None:
        return None
    ceiling = part.integer(1) if whole and isinstance(part.value, int) and part.number() > 0 else part.number()
    if ceiling <= 0 or (whole and not isinstance(ceiling, int)):
        part.fail(f"a ceiling is {'a whole number above 0' if whole else 'a number above 0'}, got {shown(part.value)}; null means not set")
    return ceiling
