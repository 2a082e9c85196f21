"""`suite.yaml`: what holds for the suite as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec import Raw, structs

from seatrial.base.names import is_identifier
from seatrial.records.contract import PROVENANCE, Budget, Extras, InvariantSpec, Process
from seatrial.records.manifest import StubsCheck
from seatrial.records.proof import HoleNote
from seatrial.records.risk import AcceptedException
from seatrial.records.task import STAKES
from seatrial.suite.canary import read_canary
from seatrial.suite.contract import read_budget
from seatrial.suite.definition import SuiteDefinition
from seatrial.suite.error_cost import ErrorCost, read_error_cost
from seatrial.suite.exceptions import read_exceptions
from seatrial.suite.holes import read_holes
from seatrial.suite.invariants import read_invariants
from seatrial.suite.ownership import Belonging, read_ownership
from seatrial.suite.part import Part, shown
from seatrial.suite.process import read_aliases, read_confusable, read_extras
from seatrial.suite.scope import Scope, plug_ins
from seatrial.suite.suite import Defaults, Redact, Traffic, Trials
from seatrial.suite.task import TaskDefaults, read_moment, read_sources

KEYS = {
    "name": "Name of the suite.",
    "version": "Version of the suite, free text.",
    "description": "One line on what the suite is for.",
    "world": "Name of the world's file in the folder (world.py).",
    "documents": "Text files that the agent is given.",
    "defaults": "What holds for a task that does not say otherwise.",
    "invariants": "Rules that hold in every task.",
    "aliases": "Other name of a tool to its name.",
    "tool_prefix": "Prefix that is dropped from the names of called tools.",
    "confusable": "Pairs of tools that are easy to mistake.",
    "slices": "Slices that tasks may have: a list of names, or name to values.",
    "traffic": "What production sees: {per_day}.",
    "error_cost": "What a wrong case costs in production: {usd, slices}; it changes no verdict.",
    "gate": "The gate policy: name of a rule to its arguments; absent: every regression task strict, and no violation.",
    "stubs_checked": "When the world's stubs were last held against production, and by whom: {on, by}; it changes no verdict.",
    "redact": "What is replaced before anything is written: {fields, patterns}.",
    "ownership": "Whose the records are: collection to {field, of}; completes each task's caller from its fixture.",
    "exceptions": "How rules were narrowed, each with what, why, by whom and when: [{rule, what, why, by, on}]; it changes no verdict.",
    "holes": "Mutants that may pass, each with why, by whom and when: [{mutant, task, why, by, on}].",
    "canary": "A string that stands in the suite's files and nowhere else: an agent that writes it has read them.",
}
"""Keys of suite.yaml and what they mean."""
STUBS_KEYS = {"on": "When, YYYY-MM-DD.", "by": "Who held them against production."}
"""Keys of `stubs_checked` and what they mean; both are needed."""
DEFAULTS_KEYS = {
    "trials": "Trials by stakes, {routine, write, regulated}, or one number n: n, and at most 2 for routine.",
    "k": "The k of the headline pass^k.",
    "because": "Why that k.",
    "budget": "Ceilings; calls when absent: twice the reference's length plus the retries that faults call for.",
    "retries": "How often a transiently failed call may be repeated identically (2).",
    "extras": "Which calls beyond the required ones are allowed (reads).",
    "provenance": "Whose argument values need a source (all, and off for presets).",
    "now": "The world's clock at the start, ISO 8601.",
    "constants": "Values that need no source, in every task.",
    "derived": "Derivations that count as a source, in every task.",
}
"""Keys of the defaults and what they mean."""
_MOST_TRIALS = 10_000


@dataclass(frozen=True)
class Header:
    """What `suite.yaml` says, without documents and tasks.

    Args:
        name: Name of the suite.
        version: Its version.
        description: One line on what it is for.
        world_file: Name of the world's file.
        documents: Names of the documents, with the place of each.
        defaults: What holds for a silent task.
        process: The process of a silent contract.
        invariants: Rules of every task.
        presets_too: Whether the suite gives `provenance` in so many words.
        slices: Declared slices; `None`: any.
        traffic: What production sees.
        error_cost: What a wrong case costs there.
        gate: Canonical JSON of the gate policy.
        stubs_checked: When the world's stubs were last held against production; `None`: not said.
        redact: What is replaced before anything is written.
        ownership: Collection to how its records name their owner.
        holes: Mutants that may pass.
        exceptions: How rules were narrowed, and who answers for it.
        canary: A string that no agent is ever given; empty: there is none.
    """

    name: str
    version: str = ""
    description: str = ""
    world_file: str = "world.py"
    documents: Mapping[str, Part] = field(default_factory=dict)
    defaults: Defaults = field(default_factory=Defaults)
    process: Process = field(default_factory=Process)
    invariants: tuple[InvariantSpec, ...] = ()
    presets_too: bool = False
    slices: Mapping[str, tuple[str, ...]] | None = None
    traffic: Traffic = field(default_factory=Traffic)
    error_cost: ErrorCost = field(default_factory=ErrorCost)
    gate: Raw = field(default_factory=lambda: Raw(b"{}"))
    stubs_checked: StubsCheck | None = None
    redact: Redact = field(default_factory=Redact)
    ownership: Mapping[str, Belonging] = field(default_factory=dict)
    holes: tuple[HoleNote, ...] = ()
    exceptions: tuple[AcceptedException, ...] = ()
    canary: str = ""

    def task_defaults(self, definition: SuiteDefinition, documents: str) -> TaskDefaults:
        """Return what tasks are read with."""
        return TaskDefaults(
            definition=definition,
            process=self.process,
            budget=self.defaults.budget,
            provenance=self.defaults.provenance,
            presets_too=self.presets_too,
            invariants=self.invariants,
            slices=self.slices,
            documents=documents,
            now=self.defaults.now,
            constants=self.defaults.constants,
            derived=self.defaults.derived,
        )


def read_header(part: Part, definition: SuiteDefinition) -> Header:
    """Read `suite.yaml`.

    Args:
        part: Its mapping.
        definition: What the world offers.

    Raises:
        SuiteError: A key, name or value is wrong.
    """
    part.mapping(KEYS)
    scope = Scope(definition)
    silent = _process(part, scope)
    defaults = part.read("defaults", lambda each: _defaults(each, scope, silent), Defaults())
    given, slices = part.get("defaults"), part.read("slices", _slices, None)
    return Header(
        name=_name(part),
        version=part.read("version", Part.text, ""),
        description=part.read("description", Part.text, ""),
        world_file=world_file(part),
        documents=part.read("documents", lambda each: {_file_name(item): item for item in each.items()}, {}),
        defaults=defaults,
        process=structs.replace(silent, extras=defaults.extras, retries=defaults.retries),
        invariants=part.read("invariants", lambda each: read_invariants(each, scope), ()),
        presets_too=given is not None and given.get("provenance") is not None,
        slices=slices,
        traffic=part.read("traffic", _traffic, Traffic()),
        error_cost=part.read("error_cost", lambda each: read_error_cost(each, slices), ErrorCost()),
        gate=part.read("gate", read_gate, Raw(b"{}")),
        stubs_checked=part.read("stubs_checked", _stubs_checked, None),
        redact=part.read("redact", _redact, Redact()),
        ownership=part.read("ownership", lambda each: read_ownership(each, definition), {}),
        holes=part.read("holes", read_holes, ()),
        exceptions=part.read("exceptions", lambda each: read_exceptions(each, scope), ()),
        canary=part.read("canary", read_canary, ""),
    )


def world_file(part: Part) -> str:
    """Return the name of the world's file that `suite.yaml` gives; `world.py` when it gives none.

    Args:
        part: The mapping of `suite.yaml`.

    Raises:
        SuiteError: It is not the name of a file.
    """
    return part.mapping().read("world", _file_name, "world.py")


def _name(part: Part) -> str:
    name = part.get("name")
    if name is None:
        part.fail("a suite needs `name`")
    if not is_identifier(name.text()):
        name.fail(f"{shown(name.value)} cannot be the name of a suite: it takes letters, digits and ._:@+=-")
    return name.text()


def _file_name(part: Part) -> str:
    name = part.text()
    if not all(is_identifier(step) for step in name.split("/")):
        part.fail(f"{shown(name)} is not the name of a file in the suite's folder")
    return name


def _process(part: Part, scope: Scope) -> Process:
    return Process(
        aliases=part.read("aliases", lambda each: read_aliases(each, scope), {}),
        tool_prefix=part.read("tool_prefix", Part.text, ""),
        confusable=part.read("confusable", lambda each: read_confusable(each, scope), ()),
    )


def _defaults(part: Part, scope: Scope, silent: Process) -> Defaults:
    part.mapping(DEFAULTS_KEYS)
    constants, derived = read_sources(part, scope)
    return Defaults(
        trials=part.read("trials", _trials, Trials()),
        k=part.read("k", lambda each: each.integer(1), 4),
        because=part.read("because", Part.text, ""),
        budget=part.read("budget", read_budget, Budget()),
        retries=part.read("retries", Part.integer, 2),
        extras=part.read("extras", lambda each: read_extras(each, scope, silent.aliases), Extras()),
        provenance=part.chosen("provenance", PROVENANCE, "kind of provenance", Defaults().provenance),
        now=part.read("now", read_moment, Defaults().now),
        constants=constants,
        derived=derived,
    )


def _trials(part: Part) -> Trials:
    if not isinstance(part.value, dict):
        number = _number_of_trials(part)
        return Trials(routine=min(number, 2), write=number, regulated=number)
    part.mapping(STAKES)
    silent = Trials()
    return Trials(
        routine=part.read("routine", _number_of_trials, silent.routine),
        write=part.read("write", _number_of_trials, silent.write),
        regulated=part.read("regulated", _number_of_trials, silent.regulated),
    )


def _number_of_trials(part: Part) -> int:
    number = part.integer(1)
    return number if number <= _MOST_TRIALS else part.fail(f"{number} trials of a task are too many; the limit is {_MOST_TRIALS}")


def _slices(part: Part) -> dict[str, tuple[str, ...]]:
    if isinstance(part.value, list):
        return dict.fromkeys(part.texts(), ())
    return {name: value.texts() if value.value is not None else () for name, value in part.entries()}


def _traffic(part: Part) -> Traffic:
    part.mapping({"per_day"})
    per_day = part.read("per_day", Part.number, None)
    if per_day is not None and per_day <= 0:
        part["per_day"].fail(f"expected a number of tasks a day above 0, got {shown(per_day)}")
    return Traffic(per_day=per_day)


def read_gate(part: Part) -> Raw:
    """Return a gate policy as canonical JSON; the arguments of its rules are checked where the rules are known.

    Args:
        part: The mapping of rules to their arguments.

    Raises:
        SuiteError: It is no such mapping, or names a rule that there is not.
    """
    for name, arguments in part.mapping().entries():
        Part(name, arguments.place, arguments.path).choice(plug_ins("gate_rule"), "gate rule")
        for one in arguments.one_or_more() if arguments.value is not None else ():
            one.mapping()
    return part.raw()


def _stubs_checked(part: Part) -> StubsCheck:
    part.mapping(STUBS_KEYS)
    part.need(STUBS_KEYS, "a check of the stubs")
    return StubsCheck(part["on"].day(), part["by"].text())


def _redact(part: Part) -> Redact:
    part.mapping({"fields", "patterns"})
    return Redact(
        fields=part.read("fields", Part.texts, ()),
        patterns=part.read("patterns", lambda each: tuple(item.pattern() for item in each.items()), ()),
    )
