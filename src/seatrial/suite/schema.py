"""JSON Schemas of `suite.yaml`, `risks.yaml` and task files, so that editors complete and check them.

`python -m seatrial.suite.schema FOLDER` writes `suite.schema.json`, `risks.schema.json` and `task.schema.json`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path as FilePath

from seatrial.base import catalogue
from seatrial.base.canonical import indented
from seatrial.base.names import IDENTIFIER_PATTERN
from seatrial.base.normal_forms import BUILT_IN as NORMALISERS
from seatrial.records.contract import ALLOWS, CALL_STATUSES, ENDS, MATCHES, ORDERS_BY, PROVENANCE
from seatrial.records.risk import CATEGORIES, SEVERITIES
from seatrial.records.task import KINDS, SPLITS, STAKES
from seatrial.suite import (
    canary,
    error_cost,
    exceptions,
    faults,
    header,
    holes,
    invariants,
    outcome,
    ownership,
    process,
    required,
    risks,
    task,
    user,
)
from seatrial.suite.contract import ALTERNATIVE_KEYS, BUDGET_KEYS, EXPECT_KEYS, REFERENCE_KEYS

Schema = dict[str, object]
TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
ANYTHING: Schema = {}
TEXTS: Schema = {"type": "array", "items": TEXT}
OBJECT: Schema = {"type": "object"}
IDENTIFIER: Schema = {"type": "string", "pattern": f"^{IDENTIFIER_PATTERN}$"}


def json_schema() -> dict[str, Schema]:
    """Return the JSON Schemas (draft 2020-12) of the files of a suite.

    Returns:
        `suite` for suite.yaml; `risks` for risks.yaml; `task` for a task file: one task, or a list of tasks.
    """
    return {
        "suite": _document("A seatrial suite", _suite()),
        "risks": _document("The risk list of a seatrial suite", _list(_risk())),
        "task": _document("Tasks of a seatrial suite", {"anyOf": [_ref("task"), {"type": "array", "items": _ref("task"), "minItems": 1}]}),
    }


def _document(title: str, schema: Schema) -> Schema:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema, "$defs": _definitions()}


def _definitions() -> dict[str, Schema]:
    return {
        "budget": _budget(),
        "derivation": _derivation(),
        "expect": _expect(),
        "extras": _extras(),
        "fault": _fault(),
        "invariant": _invariant(),
        "outcome": _outcome(),
        "process": _process(),
        "reference": _reference(),
        "required": _required(),
        "task": _task(),
        "user": _user(),
        "way": _object(ALTERNATIVE_KEYS, {"process": _ref("process"), "outcome": _ref("outcome"), "reference": _list(_ref("reference"))}),
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _mapping(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def _choice(*words: str) -> Schema:
    return {"enum": list(words)}


def _either(*schemas: Mapping[str, object]) -> Schema:
    return {"anyOf": list(schemas)}


def _whole(least: int) -> Schema:
    return {"type": "integer", "minimum": least}


def _object(keys: Mapping[str, str], schemas: Mapping[str, Schema], *, needs: tuple[str, ...] = ()) -> Schema:
    properties = {key: {"description": words, **schemas[key]} for key, words in keys.items()}
    return {"type": "object", "properties": properties, "additionalProperties": False, **({"required": list(needs)} if needs else {})}


def _budget() -> Schema:
    above_zero: Schema = {"type": ["number", "null"], "exclusiveMinimum": 0}
    whole: Schema = {"type": ["integer", "null"], "minimum": 1}
    return _object(BUDGET_KEYS, {"calls": whole, "tokens": whole, "usd": above_zero, "seconds": above_zero})


def _derivation() -> Schema:
    ways: dict[str, Schema] = dict.fromkeys(task.DERIVATIONS, ANYTHING)
    words = {"argument": "The argument that is derived: tool.name.", **dict.fromkeys(task.DERIVATIONS, "Operand paths of the derivation.")}
    return _object(words, {"argument": {"type": "string", "pattern": r"^[^.]+\..+$"}, **ways}, needs=("argument",)) | {
        "minProperties": 2,
        "maxProperties": 2,
    }


def _expect() -> Schema:
    schemas: dict[str, Schema] = {
        "ends": _choice(*ENDS),
        "outcome": _ref("outcome"),
        "process": _ref("process"),
        "when_fault": _ref("way"),
        "budget": _ref("budget"),
        "any_of": {**_mapping(_ref("way")), "minProperties": 1},
        "reference": _list(_ref("reference")),
        "provenance": _choice(*PROVENANCE),
    }
    whole = _object(EXPECT_KEYS, schemas) | {
        "not": {"required": ["any_of"], **_either({"required": ["process"]}, {"required": ["outcome"]})}
    }
    return _either(whole, _ref("process"))


def _extras() -> Schema:
    allow = _either(_choice(*ALLOWS), TEXTS)
    limited: Schema = {
        "type": "object",
        "properties": {"allow": allow, "at_most": {"type": ["integer", "null"], "minimum": 0}},
        "additionalProperties": False,
    }
    return _either(_choice(*ALLOWS), TEXTS, limited)


def _fault() -> Schema:
    schemas: dict[str, Schema] = {
        "tool": TEXT,
        "kind": _choice(*catalogue.built_in("fault")),
        "rate": {"type": "number", "minimum": 0, "maximum": 1},
        "nth": _either(_whole(1), _list(_whole(1))),
        "first": _whole(1),
        "when": OBJECT,
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "message": TEXT,
        "seconds": {"type": "number", "minimum": 0},
        "text": TEXT,
        "field": TEXT,
    }
    schedules = _either(*({"required": [key]} for key in ("rate", "nth", "first", "when")))
    return _object(faults.KEYS, schemas, needs=("tool", "kind")) | schedules


def _hole(*, of_suite: bool) -> Schema:
    words = {key: meaning for key, meaning in holes.KEYS.items() if of_suite or key != "task"}
    return _object(words, dict.fromkeys(words, TEXT), needs=("mutant", "why", "by", "on"))


def _invariant() -> Schema:
    long = _object(invariants.KEYS, {"rule": TEXT, "arguments": OBJECT, "id": TEXT}, needs=("rule",))
    return _either(TEXT, long, {"type": "object", "minProperties": 1, "maxProperties": 1})


def _outcome() -> Schema:
    record: Schema = {"type": ["object", "null"]}
    schemas: dict[str, Schema] = {
        "changes": _mapping(record) | {"propertyNames": {"pattern": r"^[^/\s]+/[^/]+$"}},
        "ignore": _list({"type": "string", "pattern": "/"}),
        "as_set": _list({"type": "string", "pattern": "/"}),
        "normalise": _mapping(_normaliser()),
        "answer": ANYTHING,
        "probes": OBJECT,
        "reported": OBJECT,
    }
    return _object(outcome.KEYS, schemas)


def _normaliser() -> Schema:
    return {"type": "string", "examples": sorted(NORMALISERS)}


def _process() -> Schema:
    pair: Schema = {"type": "array", "items": TEXT, "minItems": 2, "maxItems": 2}
    call = _either(TEXT, _ref("required"))
    group: Schema = {"type": "object", "properties": {"unordered": _list(call)}, "required": ["unordered"], "additionalProperties": False}
    repeats: Schema = {"reads": {"type": ["integer", "null"], "minimum": 0}, "writes": _whole(0)}
    schemas: dict[str, Schema] = {
        "required": _list(_ref("required")),
        "order": _list({"type": "string", "pattern": "<| then "}),
        "extras": _ref("extras"),
        "retries": _whole(0),
        "repeats": {"type": "object", "properties": repeats, "additionalProperties": False},
        "order_by": _choice(*ORDERS_BY),
        "scope": TEXTS,
        "aliases": _mapping(TEXT),
        "tool_prefix": TEXT,
        "confusable": _list(pair),
        "preset": _choice(*catalogue.built_in("preset")),
        "calls": _list(_either(call, group)),
    }
    needs = _either(*({"required": [key]} for key in ("required", "extras", "preset")))
    beside: Schema = {"dependentRequired": {"preset": ["calls"], "calls": ["preset"]}}
    return _object(process.KEYS, schemas) | needs | beside


def _reference() -> Schema:
    schemas: dict[str, Schema] = {
        "call": TEXT,
        "with": OBJECT,
        "id": TEXT,
        "together": _list(_ref("reference")),
        "say": TEXT,
        "answer": TEXT,
        "refuse": FLAG,
    }
    return _object(REFERENCE_KEYS, schemas)


def _required() -> Schema:
    schemas: dict[str, Schema] = {
        "id": {"type": "string", "pattern": f"^{required.ID_PATTERN}$", "not": {"const": "user"}},
        "call": _either(TEXT, {**TEXTS, "minItems": 1}),
        "with": OBJECT,
        "count": _whole(1),
        "status": _either(_choice(*CALL_STATUSES), {"type": "integer", "minimum": 100, "maximum": 599}),
        "optional": FLAG,
        "match": _choice(*MATCHES),
        "compare": TEXTS,
        "normalise": _mapping(_normaliser()),
        "null_is_missing": FLAG,
        "as_set": _either(FLAG, _choice("unordered"), TEXTS),
    }
    return _object(required.KEYS, schemas, needs=("call",))


def _task() -> Schema:
    with_records: Schema = {"type": "object", "properties": {"use": TEXT, "with": _mapping(_list(OBJECT))}, "additionalProperties": False}
    schemas: dict[str, Schema] = {
        "id": IDENTIFIER,
        "kind": _choice(*KINDS),
        "split": _choice(*SPLITS),
        "slices": _mapping(TEXT),
        "stakes": _choice(*STAKES),
        "critical": FLAG,
        "adversarial": FLAG,
        "input": TEXT,
        "fixture": _either(IDENTIFIER, with_records),
        "tools": TEXTS,
        "caller": _mapping(_either(TEXT, TEXTS)),
        "now": TEXT,
        "user": _ref("user"),
        "invariants": _list(_ref("invariant")),
        "provenance": _choice(*PROVENANCE),
        "constants": _list(ANYTHING),
        "derived": _list(_ref("derivation")),
        "expect": _ref("expect"),
        "faults": _list(_ref("fault")),
        "history": TEXTS,
        "holes": _list(_hole(of_suite=False)),
    }
    return _object(task.KEYS, schemas, needs=("id", "input", "expect"))


def _user() -> Schema:
    rule: dict[str, Schema] = {"say": TEXT, "said": TEXT, "called": TEXT, "turn": _whole(1), "once": FLAG, "ends": FLAG}
    return _object(user.KEYS, {"kind": TEXT, "script": _list(_object(user.RULE_KEYS, rule))})


def _suite() -> Schema:
    redact: Schema = {"type": "object", "properties": {"fields": TEXTS, "patterns": TEXTS}, "additionalProperties": False}
    per_day: Schema = {"type": "number", "exclusiveMinimum": 0}
    usd: Schema = {"type": "number", "minimum": 0}
    schemas: dict[str, Schema] = {
        "name": IDENTIFIER,
        "version": TEXT,
        "description": TEXT,
        "world": TEXT,
        "documents": TEXTS,
        "defaults": _defaults(),
        "invariants": _list(_ref("invariant")),
        "aliases": _mapping(TEXT),
        "tool_prefix": TEXT,
        "confusable": _list({"type": "array", "items": TEXT, "minItems": 2, "maxItems": 2}),
        "slices": _either(TEXTS, _mapping({"type": ["array", "null"], "items": TEXT})),
        "traffic": {"type": "object", "properties": {"per_day": per_day}, "additionalProperties": False},
        "error_cost": _object(error_cost.KEYS, {"usd": usd, "slices": _mapping(_mapping(usd))}) | {"minProperties": 1},
        "gate": _mapping(_either({"type": ["object", "null"]}, _list(OBJECT))),
        "stubs_checked": _object(header.STUBS_KEYS, dict.fromkeys(header.STUBS_KEYS, TEXT), needs=tuple(header.STUBS_KEYS)),
        "redact": redact,
        "ownership": _mapping(_object(ownership.KEYS, dict.fromkeys(ownership.KEYS, TEXT), needs=tuple(ownership.KEYS))),
        "exceptions": _list(_object(exceptions.KEYS, dict.fromkeys(exceptions.KEYS, TEXT), needs=tuple(exceptions.KEYS))),
        "holes": _list(_hole(of_suite=True)),
        "canary": {"type": "string", "pattern": canary.PATTERN},
    }
    return _object(header.KEYS, schemas, needs=("name",))


def _risk() -> Schema:
    schemas: dict[str, Schema] = {
        "id": TEXT,
        "sentence": TEXT,
        "owner": TEXT,
        "severity": _choice(*SEVERITIES),
        "category": _choice(*CATEGORIES),
        "invariants": TEXTS,
        "tasks": TEXTS,
        "faulty_agents": TEXTS,
    }
    return _object(risks.RISK_KEYS, schemas, needs=("id", "sentence"))


def _defaults() -> Schema:
    stakes: Schema = {"type": "object", "properties": dict.fromkeys(STAKES, _whole(1)), "additionalProperties": False}
    schemas: dict[str, Schema] = {
        "trials": _either(_whole(1), stakes),
        "k": _whole(1),
        "because": TEXT,
        "budget": _ref("budget"),
        "retries": _whole(0),
        "extras": _ref("extras"),
        "provenance": _choice(*PROVENANCE),
        "now": TEXT,
        "constants": _list(ANYTHING),
        "derived": _list(_ref("derivation")),
    }
    return _object(header.DEFAULTS_KEYS, schemas)


def write_schemas(folder: FilePath) -> None:
    """Write `suite.schema.json`, `risks.schema.json` and `task.schema.json` into a folder."""
    for name, schema in json_schema().items():
        (folder / f"{name}.schema.json").write_text(indented(schema), encoding="utf-8")


if __name__ == "__main__":
    write_schemas(FilePath(sys.argv[1] if len(sys.argv) > 1 else "docs"))
