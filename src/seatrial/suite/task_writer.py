"""Tasks as files: a record is written so that reading the file gives the same record again, contract hash and all.

Only what a silent file would not say is written, and a default that was spelled out, for the contract hash knows the difference. What a
plan computes stays out: the changes of the reference path and the hashes of fixture and documents, which are found anew. A suite's own
rules and sources are not repeated, for they hold for every task of it. A contract without any way to be right, as importers make them,
is read back as one way that asks for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path as FilePath

import msgspec
from msgspec import UNSET, Raw, UnsetType, structs

from seatrial.base.errors import SuiteError
from seatrial.base.replacing import add_file
from seatrial.records.contract import Alternative, Contract, Extras, InvariantSpec, Outcome, Process, Required
from seatrial.records.task import FaultSpec, FixtureUse, Task, UserRule, UserSpec
from seatrial.suite.ceilings import call_ceiling
from seatrial.suite.files import is_there, refuse_outside
from seatrial.suite.required import is_id
from seatrial.suite.task import TaskDefaults
from seatrial.suite.yaml_text import yaml_text

Keys = dict[str, object]
"""The keys of a part of a task file, in the order in which they are written."""


def write_task(folder: FilePath, task: Task, silent: TaskDefaults) -> FilePath:
    """Write a task into a file of its own, `tasks/<id>.yaml`.

    Args:
        folder: The suite's folder.
        task: The task.
        silent: What holds in the suite for a task that does not say otherwise.

    Returns:
        The file.

    Raises:
        SuiteError: The file is there already, leads out of the folder, or cannot be written; nothing is left of it.
    """
    path = FilePath(folder) / "tasks" / f"{re.sub(r'[^A-Za-z0-9._-]', '_', task.id)}.yaml"
    if is_there(path):
        raise SuiteError("there is such a file already, and nothing is written over it", file=str(path))
    refuse_outside(folder, path)
    text = task_text(task, silent)
    try:
        path.parent.mkdir(exist_ok=True)
        add_file(path, text.encode())
    except OSError as error:
        raise SuiteError(f"the file cannot be written: {error.strerror}", file=str(path)) from error
    return path


def task_text(task: Task, silent: TaskDefaults) -> str:
    """Return the text of a task file; see `task_mapping`."""
    return yaml_text(task_mapping(task, silent))


def task_mapping(task: Task, silent: TaskDefaults) -> Keys:
    """Return the keys of a task file that stand for a task.

    Args:
        task: The task.
        silent: What holds in the suite for a task that does not say otherwise.

    Returns:
        Plain JSON data in the order in which people write them; what silence says as well is left out.
    """
    contract, usual = task.contract, Task(task.id, now=silent.now)
    given: Keys = {
        "id": task.id,
        "kind": task.kind,
        "split": task.split,
        "slices": task.slices,
        "stakes": task.stakes,
        "critical": task.critical,
        "adversarial": task.adversarial,
        "history": list(task.history),
        "input": task.input,
        "fixture": _fixture(task.fixture),
        "tools": None if task.tools is None else list(task.tools),
        "caller": {name: list(keys) for name, keys in task.caller.items()},
        "now": task.now,
        "user": _user(task.user),
        "provenance": contract.provenance,
        "constants": _decoded(_beyond(contract.constants, silent.constants)),
        "derived": _decoded(_beyond(contract.derived, silent.derived)),
        "invariants": [_invariant(each) for each in contract.invariants if each not in silent.invariants],
        "expect": _expect(contract, task.faults, silent),
        "faults": [_fault(each) for each in task.faults],
    }
    silence: Keys = {
        **{name: getattr(usual, name) for name in ("split", "slices", "stakes", "critical", "adversarial", "tools", "caller", "now")},
        "fixture": None,
        "provenance": silent.provenance,
        **{name: [] for name in ("history", "constants", "derived", "invariants", "faults")},
        "user": {},
    }
    return _said(given, silence)


def _said(given: Keys, silence: Keys, spelled: Collection[str] = ()) -> Keys:
    """Return what differs from what silence says, and what was spelled out all the same."""
    return {key: value for key, value in given.items() if key not in silence or value != silence[key] or key in spelled}


def _spelled(record: msgspec.Struct) -> Collection[str]:
    """Return the fields that are stored of a record: those with a value of their own, be it the default."""
    return msgspec.json.decode(msgspec.json.encode(record), type=dict[str, Raw]).keys()


def _beyond(values: tuple[Raw, ...], usual: tuple[Raw, ...]) -> tuple[Raw, ...]:
    """Return the values that stand beyond those of the suite."""
    if values[: len(usual)] == usual:
        return values[len(usual) :]
    return tuple(value for value in values if value not in usual)


def _decoded(values: Iterable[Raw]) -> list[object]:
    return [msgspec.json.decode(value) for value in values]


def _value(raw: Raw | UnsetType) -> object:
    return UNSET if raw is UNSET else msgspec.json.decode(raw)


def _fixture(use: FixtureUse) -> object:
    given: Keys = {"use": use.use, "with": {name: _decoded(rows) for name, rows in use.with_.items()}}
    said = _said(given, {"use": FixtureUse().use, "with": {}}, _spelled(use))
    return said if "with" in said else said.get("use")


def _user(user: UserSpec) -> Keys:
    rules = [_said(structs.asdict(rule), structs.asdict(UserRule())) for rule in user.script]
    return _said({"kind": user.kind, "script": rules}, {"kind": UserSpec().kind, "script": []}, _spelled(user))


def _fault(fault: FaultSpec) -> Keys:
    given = structs.asdict(fault) | {"when": _value(fault.when), "nth": list(fault.nth)}
    return _said(given, {**structs.asdict(FaultSpec("", "")), "nth": []})


def _invariant(spec: InvariantSpec) -> object:
    found = _said({"rule": spec.rule, "arguments": _value(spec.arguments), "id": spec.id}, {"arguments": {}, "id": ""})
    return found if len(found) > 1 else spec.rule


def _expect(contract: Contract, faults: tuple[FaultSpec, ...], silent: TaskDefaults) -> Keys:
    ways = contract.alternatives
    several = len(ways) != 1 or ways[0].name != ""
    right = {"any_of": {way.name: _way(way, silent) for way in ways}} if several and ways else _way(ways[0], silent) if ways else {}
    return {
        **_said({"ends": contract.ends}, {"ends": Contract().ends}),
        **right,
        **({} if contract.when_fault is None else {"when_fault": _way(contract.when_fault, silent)}),
        **_budget(contract, faults, silent),
    }


def _budget(contract: Contract, faults: tuple[FaultSpec, ...], silent: TaskDefaults) -> Keys:
    calls = silent.budget.calls if silent.budget.calls is not None else call_ceiling(contract, faults)
    usual = structs.asdict(structs.replace(silent.budget, calls=calls))
    said = _said(structs.asdict(contract.budget), usual)
    return {"budget": said} if said else {}


def _way(way: Alternative, silent: TaskDefaults) -> Keys:
    return {
        **({} if way.outcome is None else {"outcome": _outcome(way.outcome)}),
        **({} if way.process is None else {"process": _process(way.process, silent.process)}),
        **({"reference": _decoded(way.reference)} if way.reference else {}),
    }


def _outcome(outcome: Outcome) -> Keys:
    given: Keys = {
        "changes": None if outcome.changes is None else {path: msgspec.json.decode(value) for path, value in outcome.changes.items()},
        "ignore": list(outcome.ignore),
        "as_set": list(outcome.as_set),
        "normalise": outcome.normalise,
        "answer": _value(outcome.answer),
        "probes": {name: msgspec.json.decode(value) for name, value in outcome.probes.items()},
        "reported": {name: msgspec.json.decode(value) for name, value in outcome.reported.items()},
    }
    silence: Keys = {"changes": None, "ignore": [], "as_set": [], "normalise": {}, "answer": UNSET, "probes": {}, "reported": {}}
    return _said(given, silence)


def _process(process: Process, silent: Process) -> Keys:
    given, silence = _process_keys(process), _process_keys(silent)
    # A process that requires nothing must say what it allows.
    needed = "extras" in _spelled(process) and "extras" not in _spelled(silent)
    return _said(given, silence, {"extras"} if needed or not process.required else ())


def _process_keys(process: Process) -> Keys:
    return {
        "required": [_required(each) for each in process.required],
        "order": [f"{pair.left} {pair.relation} {pair.right}" for pair in process.order],
        "extras": _extras(process.extras),
        "retries": process.retries,
        "repeats": {"reads": process.repeats_reads, "writes": process.repeats_writes},
        "order_by": process.order_by,
        "scope": list(process.scope),
        "aliases": process.aliases,
        "tool_prefix": process.tool_prefix,
        "confusable": [list(pair) for pair in process.confusable],
    }


def _extras(extras: Extras) -> object:
    allow = list(extras.allow) if isinstance(extras.allow, tuple) else extras.allow
    return allow if extras.at_most is None else {"allow": allow, "at_most": extras.at_most}


def _required(required: Required) -> Keys:
    given: Keys = {
        # An id that the loader made, from a tool of an unusual name, may be none that a person can write; it makes it again.
        "id": required.id if is_id(required.id) else "",
        "call": required.call[0] if len(required.call) == 1 else list(required.call),
        "with": _value(required.with_),
        "count": required.count,
        "status": required.status,
        "optional": required.optional,
        "match": required.match,
        "compare": None if required.compare is None else list(required.compare),
        "normalise": required.normalise,
        "null_is_missing": required.null_is_missing,
        "as_set": list(required.as_set) if isinstance(required.as_set, tuple) else required.as_set,
    }
    usual = Required("", ())
    names = ("count", "status", "optional", "match", "compare", "normalise", "null_is_missing", "as_set")
    return _said(given, {"id": "", "with": UNSET, **{name: getattr(usual, name) for name in names}})
