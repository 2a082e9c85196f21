"""Tasks, read from YAML, JSON lines or Python."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from msgspec import Raw, structs

from seatrial.base.names import is_identifier
from seatrial.base.normal_forms import datetime
from seatrial.records.contract import PROVENANCE, Budget, Contract, InvariantSpec, Process, Provenance
from seatrial.records.task import KINDS, SPLITS, STAKES, FixtureUse, Task, UserSpec
from seatrial.suite.ceilings import call_ceiling
from seatrial.suite.contract import read_budget, read_expect
from seatrial.suite.definition import SuiteDefinition
from seatrial.suite.faults import read_faults
from seatrial.suite.invariants import read_invariants
from seatrial.suite.part import Part, listed, shown
from seatrial.suite.scope import Scope
from seatrial.suite.user import read_user

KEYS = {
    "id": "Id of the task: letters, digits and ._:@+=-.",
    "kind": "capability or regression.",
    "split": "dev or holdout.",
    "slices": "Name to value, for reports by slice.",
    "stakes": "routine, write or regulated: decides the number of trials.",
    "critical": "Whether the task has a bar of its own.",
    "adversarial": "Whether the task tries to make the agent break a rule.",
    "input": "What the user says first.",
    "fixture": "Name of the fixture, or {use, with}: records laid over it.",
    "tools": "Permitted tools; absent: all.",
    "caller": "Who speaks: collection to keys of the records that are theirs.",
    "now": "The world's clock at the start, ISO 8601.",
    "user": "The simulated user.",
    "invariants": "Rules added to the suite's.",
    "provenance": "Whose argument values need a source: off, writes or all.",
    "constants": "Values that need no source.",
    "derived": "Derivations that count as a source.",
    "expect": "What the task expects: its contract.",
    "faults": "Injected failures of tools.",
    "history": "Notes on how the task came to be what it is.",
    "holes": "Mutants that may pass, each with why, by whom and when: [{mutant, why, by, on}].",
}
"""Keys of a task and what they mean."""
DERIVATIONS = ("sum", "difference", "count", "date_offset", "lookup", "total")
"""The ways in which a value may be derived."""
_SLICE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")


@dataclass(frozen=True)
class TaskDefaults:
    """What holds for a task that does not say otherwise.

    Args:
        definition: What the world offers.
        process: The process of a silent contract.
        budget: The suite's ceilings.
        provenance: Whose values need a source.
        presets_too: Whether `provenance` also holds for presets, because the suite says it in so many words.
        invariants: The suite's invariants.
        slices: Slices that the suite declares, name to values (empty: any value); `None`: any slice.
        documents: Hash of the documents.
        now: The world's clock at the start.
        constants: Values that need no source.
        derived: Derivations that count as a source.
    """

    definition: SuiteDefinition
    process: Process
    budget: Budget = field(default_factory=Budget)
    provenance: Provenance = "off"
    presets_too: bool = False
    invariants: tuple[InvariantSpec, ...] = ()
    slices: Mapping[str, tuple[str, ...]] | None = None
    documents: str = ""
    now: str = "2026-01-01T00:00:00Z"
    constants: tuple[Raw, ...] = ()
    derived: tuple[Raw, ...] = ()

    @cached_property
    def scope(self) -> Scope:
        """The names that a task may use which permits all tools."""
        return Scope(self.definition, self.process)


def read_task(part: Part, defaults: TaskDefaults) -> Task:
    """Read one task.

    Args:
        part: The mapping.
        defaults: What holds when it is silent.

    Returns:
        The task, without the hash of its fixture.

    Raises:
        SuiteError: A key, name or value is wrong.
    """
    name = task_id(part)
    part = Part(part.value, replace(part.place, label=f"task {name!r}"), part.path).mapping(KEYS)
    for key in ("input", "expect"):
        if part.get(key) is None:
            part.fail(f"a task needs `{key}`")
    scope = _scope(part, defaults)
    faults = part.read("faults", lambda each: read_faults(each, scope), ())
    return Task(
        id=name,
        kind=part.chosen("kind", KINDS, "kind of task", KINDS[0]),
        split=part.chosen("split", SPLITS, "split", SPLITS[0]),
        slices=part.read("slices", lambda each: _slices(each, defaults.slices), {}),
        stakes=part.chosen("stakes", STAKES, "stakes", STAKES[0]),
        critical=part.read("critical", Part.flag, False),
        input=part["input"].text(),
        fixture=part.read("fixture", lambda each: _fixture(each, defaults.definition), FixtureUse()),
        tools=tuple(sorted(scope.permitted)) if scope.permitted is not None else None,
        caller=part.read("caller", lambda each: _caller(each, defaults.definition), {}),
        now=part.read("now", read_moment, defaults.now),
        user=part.read("user", lambda each: read_user(each, scope), UserSpec()),
        faults=faults,
        contract=_with_budget(part["expect"], _contract(part, scope, defaults), faults, defaults),
        adversarial=part.read("adversarial", Part.flag, False),
        history=part.read("history", Part.texts, ()),
        documents=defaults.documents,
    )


def task_id(part: Part) -> str:
    """Return the id of a task, known to be safe to use in names of files and in reports."""
    name = part.mapping().get("id")
    if name is None:
        part.fail("a task needs `id`")
    if not is_identifier(name.text()):
        name.fail(
            f"{shown(name.value)} cannot be the id of a task: an id has up to 128 letters, digits and ._:@+=-, starts with a letter or a"
            " digit, and has no path in it"
        )
    return name.text()


def _scope(part: Part, defaults: TaskDefaults) -> Scope:
    whole, tools = defaults.scope, part.get("tools")
    if tools is None:
        return whole
    return replace(whole, permitted=frozenset(whole.tool(tool, whole.process.aliases) for tool in tools.items()))


def _contract(part: Part, scope: Scope, defaults: TaskDefaults) -> Contract:
    expect = part["expect"]
    silent: Provenance = "off" if _is_preset(expect) and not defaults.presets_too else defaults.provenance
    contract = read_expect(expect, scope, provenance=part.chosen("provenance", PROVENANCE, "kind of provenance", silent))
    own = part.read("invariants", lambda each: read_invariants(each, scope), ())
    constants, derived = read_sources(part, scope)
    return structs.replace(
        contract,
        invariants=(*defaults.invariants, *(each for each in own if each not in defaults.invariants)),
        constants=(*defaults.constants, *constants),
        derived=(*defaults.derived, *derived),
    )


def read_sources(part: Part, scope: Scope) -> tuple[tuple[Raw, ...], tuple[Raw, ...]]:
    """Return the constants and the derivations that a mapping declares.

    Args:
        part: A task, or the defaults of a suite.
        scope: The names that it may use.

    Raises:
        SuiteError: A derivation names no argument of a tool, or no rule, or several.
    """
    constants = part.read("constants", lambda each: tuple(item.raw() for item in each.items()), ())
    return constants, part.read("derived", lambda each: tuple(_derivation(item, scope) for item in each.items()), ())


def _with_budget(expect: Part, contract: Contract, faults: tuple, defaults: TaskDefaults) -> Contract:
    calls = defaults.budget.calls if defaults.budget.calls is not None else call_ceiling(contract, faults)
    base = structs.replace(defaults.budget, calls=calls)
    return structs.replace(contract, budget=expect.read("budget", lambda each: read_budget(each, base), base))


def _is_preset(expect: Part) -> bool:
    process = expect.get("process")
    return expect.get("preset") is not None or (process is not None and process.get("preset") is not None)


def _slices(part: Part, declared: Mapping[str, tuple[str, ...]] | None) -> dict[str, str]:
    return {name: _slice(name, value, declared) for name, value in sorted(part.entries(), key=lambda entry: entry[0])}


def _slice(name: str, value: Part, declared: Mapping[str, tuple[str, ...]] | None) -> str:
    if not _SLICE.fullmatch(name):
        value.fail(f"{shown(name)} cannot be the name of a slice: it takes letters, digits, _, . and -")
    text = value.text()
    if declared is None:
        return text
    if name not in declared:
        value.fail(f"there is no slice {name!r}; suite.yaml declares {listed(declared)}.", close_to=name, among=declared)
    return value.choice(declared[name], f"value of the slice {name!r}:") if declared[name] else text


def _fixture(part: Part, definition: SuiteDefinition) -> FixtureUse:
    if isinstance(part.value, str):
        return FixtureUse(use=part.value)
    part.mapping({"use", "with"})
    return FixtureUse(use=part.read("use", Part.text, "base"), with_=part.read("with", lambda each: _records(each, definition), {}))


def _records(part: Part, definition: SuiteDefinition) -> dict[str, tuple[Raw, ...]]:
    found = {}
    for name, rows in sorted(part.entries(), key=lambda entry: entry[0]):
        _collection(name, rows, definition)
        found[name] = tuple(row.mapping().raw() for row in rows.items())
    return found


def _collection(name: str, part: Part, definition: SuiteDefinition) -> None:
    known = definition.collections
    if known is not None and name not in known:
        part.fail(f"there is no collection {name!r}; known: {listed(known)}.", close_to=name, among=known)


def _caller(part: Part, definition: SuiteDefinition) -> dict[str, tuple[str, ...]]:
    found = {}
    for name, keys in sorted(part.entries(), key=lambda entry: entry[0]):
        _collection(name, keys, definition)
        found[name] = tuple(key.text() for key in keys.one_or_more())
    return found


def read_moment(part: Part) -> str:
    """Return a moment with its offset, as the world's clock reads it."""
    moment = part.text()
    try:
        normal = datetime(moment)
    except ValueError as error:
        part.fail(str(error))
    if not normal.endswith("Z"):
        part.fail(f"{shown(moment)} has no offset; write it like 2026-05-04T09:00:00Z")
    return moment


def _derivation(part: Part, scope: Scope) -> Raw:
    part.mapping({"argument", *DERIVATIONS})
    argument = part.get("argument")
    ways = [key for key in DERIVATIONS if part.get(key) is not None]
    if argument is None or len(ways) != 1:
        part.fail(f"a derivation needs `argument: tool.name` and one of {listed(DERIVATIONS)}")
    tool, _, path = argument.text().partition(".")
    name = path.partition("[")[0].partition(".")[0]
    if not name:
        argument.fail(f"{shown(argument.value)} names no argument; write tool.argument")
    scope.tool(Part(tool, argument.place, argument.path), scope.process.aliases)
    scope.argument(Part(name, argument.place, argument.path), [scope.process.aliases.get(tool, tool)], given=[name])
    return part.raw()
