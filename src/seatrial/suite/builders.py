"""Suites in Python: the same keys as in the files, as arguments, read by the same loader.

```python
Task(
    id="water-017",
    input="Pipe burst in the kitchen, policy HL-00418-C",
    expect=Expect(
        process=Process(
            required=[
                Required(id="policy", call="policy_lookup", with_={"policy_id": "HL-00418-C"}),
                Required(id="route", call="route", with_={"queue": one_of("water_high", "water_urgent")}),
            ],
            order=[before("policy", "route")],
        )
    ),
)
```
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path as FilePath

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from seatrial.base.canonical import content_hash
from seatrial.base.errors import SuiteError
from seatrial.records.task import Task as TaskRecord
from seatrial.suite.definition import SuiteDefinition
from seatrial.suite.header import read_header
from seatrial.suite.load import Reading, suite_of
from seatrial.suite.part import Part, checked
from seatrial.suite.place import Place
from seatrial.suite.scope import Scope
from seatrial.suite.suite import Suite
from seatrial.suite.task import TaskDefaults, read_task

Values = Mapping[str, object]


class Required(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A call that must have succeeded; the keys of `required` in a task file."""

    call: str | tuple[str, ...] | list[str]
    """Name of the tool, or acceptable names."""
    with_: Values | UnsetType = field(default=UNSET, name="with")
    """Expected arguments; absent: any; empty: none."""
    id: str | UnsetType = UNSET
    """Name of the requirement; absent: the tool's name."""
    count: int = 1
    """How many such calls."""
    status: str | int = "ok"
    """`ok`, `error`, or a status number."""
    optional: bool = False
    """Whether the call may be missing."""
    match: str = "exact"
    """`exact` or `subset`."""
    compare: list[str] | UnsetType = UNSET
    """Only these arguments are compared."""
    normalise: dict[str, str] = {}
    """Argument to normaliser."""
    null_is_missing: bool = False
    """Whether null equals a missing argument."""
    as_set: bool | list[str] = False
    """Whether lists are compared without order, or in which arguments."""


class Process(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The allowed paths; the keys of `process` in a task file."""

    required: list[Required] | UnsetType = UNSET
    """Calls that must have succeeded."""
    order: list[str] = []
    """Order pairs, see `before` and `then`."""
    extras: str | list[str] | Values | UnsetType = UNSET
    """Calls allowed beyond the required ones."""
    retries: int | UnsetType = UNSET
    """How often a transiently failed call may be repeated."""
    repeats: Values | UnsetType = UNSET
    """Free repeats: `reads`, `writes`."""
    order_by: str | UnsetType = UNSET
    """`message` or `arrival`."""
    scope: list[str] | UnsetType = UNSET
    """Agent paths that are judged."""
    preset: str | UnsetType = UNSET
    """Name of a preset over `calls`."""
    calls: list[object] | UnsetType = UNSET
    """Calls of the preset."""


class Outcome(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The right end state; the keys of `outcome` in a task file."""

    changes: Values | UnsetType = UNSET
    """Path to changed fields, `None`: deleted."""
    ignore: list[str] = []
    """Globs of path/field left out of the comparison."""
    as_set: list[str] = []
    """Globs of path/field whose lists have no order."""
    normalise: dict[str, str] = {}
    """Glob of path/field to normaliser."""
    answer: object = UNSET
    """What the user must have been told."""
    probes: Values = {}
    """Probe to the value it must have returned."""


class Expect(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a task expects; the keys of `expect` in a task file."""

    process: Process | UnsetType = UNSET
    """The allowed paths."""
    outcome: Outcome | UnsetType = UNSET
    """The right end state."""
    any_of: Mapping[str, Expect] | UnsetType = UNSET
    """Several ways to be right, by name, in place of process and outcome."""
    ends: str = "completed"
    """How the trial must end."""
    when_fault: Expect | UnsetType = UNSET
    """What is right instead when a fault outlasted the retries."""
    budget: Values | UnsetType = UNSET
    """Ceilings: `calls`, `tokens`, `usd`, `seconds`."""
    reference: list[object] | UnsetType = UNSET
    """Steps of the reference path."""


class Task(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One piece of work; the keys of a task file."""

    id: str
    """Its id."""
    input: str
    """What the user says first."""
    expect: Expect
    """What it expects."""
    kind: str = "capability"
    """`capability` or `regression`."""
    split: str = "dev"
    """`dev` or `holdout`."""
    slices: dict[str, str] = {}
    """Name to value."""
    stakes: str = "routine"
    """`routine`, `write` or `regulated`."""
    critical: bool = False
    """Whether it has a bar of its own."""
    adversarial: bool = False
    """Whether it tries to make the agent break a rule."""
    fixture: str | Values = "base"
    """Name of the fixture, or `use` and `with`."""
    tools: list[str] | UnsetType = UNSET
    """Permitted tools."""
    caller: Values = {}
    """Collection to keys of the records that are the caller's."""
    now: str | UnsetType = UNSET
    """The world's clock at the start."""
    user: Values | UnsetType = UNSET
    """The simulated user."""
    faults: list[Values] = []
    """Injected failures."""
    invariants: list[object] = []
    """Rules added to the suite's."""
    provenance: str | UnsetType = UNSET
    """Whose values need a source."""
    constants: list[object] = []
    """Values that need no source."""
    derived: list[Values] = []
    """Derivations that count as a source."""
    history: list[str] = []
    """Notes on how the task came to be what it is."""
    holes: list[Values] = []
    """Mutants that may pass, each with `mutant`, `why`, `by` and `on`."""


def before(left: str, right: str) -> str:
    """Return the order pair: `right` is issued after the answer to `left` was delivered."""
    return f"{left} < {right}"


def then(left: str, right: str) -> str:
    """Return the order pair: `right` is issued after `left`, or later in the same message."""
    return f"{left} then {right}"


def anything() -> dict[str, object]:
    """Return the matcher that any value meets."""
    return {"$any": True}


def one_of(*values: object) -> dict[str, object]:
    """Return the matcher that one of these values meets."""
    return {"$one_of": list(values)}


def fits(pattern: str) -> dict[str, object]:
    """Return the matcher that texts meet which fit a regular expression as a whole."""
    return {"$regex": pattern}


def between(least: float | str | None, most: float | str | None) -> dict[str, object]:
    """Return the matcher that values from `least` to `most` meet, both included; `None`: no bound."""
    return {"$range": [least, most]}


def taken_from(source: str) -> dict[str, object]:
    """Return the matcher that values meet which the answer to a required call held: `policy.claims[*].id`."""
    return {"$from": source}


def build_task(task: Task, *, definition: SuiteDefinition) -> TaskRecord:
    """Return the record of one task on its own, outside of a suite; provenance is off unless the task says otherwise.

    Args:
        task: The task.
        definition: What may be named in it.

    Raises:
        SuiteError: The task is wrong.
    """
    return read_task(_part(task), TaskDefaults(definition, Scope(definition).process))


def build_suite(
    tasks: Iterable[Task],
    *,
    definition: SuiteDefinition,
    name: str,
    folder: FilePath = FilePath(),
    documents: Mapping[str, str] | None = None,
    settings: Values | None = None,
) -> Suite:
    """Return a suite made in Python.

    Args:
        tasks: Its tasks.
        definition: What its world offers.
        name: Its name.
        folder: Where fixtures are looked for.
        documents: Name to text of the documents that the agent is given.
        settings: Further keys of `suite.yaml`: `version`, `defaults`, `invariants`, ...

    Raises:
        SuiteError: A key, name or value is wrong, or two tasks have one id.
    """
    texts = dict(documents or {})
    header = read_header(checked(Part({"name": name, **(settings or {})}, Place())), definition)
    defaults = header.task_defaults(definition, content_hash(texts) if texts else "")
    reading = Reading(folder, definition, header.ownership)
    for task in tasks:
        reading.add(_part(task), defaults)
    if not reading.tasks:
        raise SuiteError("the suite has no task")
    return suite_of(header, reading, (), texts)


def _part(task: Task) -> Part:
    return checked(Part(msgspec.to_builtins(task), Place()))
