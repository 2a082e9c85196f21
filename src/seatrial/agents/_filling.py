"""Arguments that a tool takes, put together from its schema and from values that were seen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Raw

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_NUMBER = re.compile(r"[0-9]+")


def filled_arguments(parameters: Raw, named: Mapping[str, object], texts: Sequence[str] = ()) -> dict[str, object]:
    """Return arguments for every parameter that a tool needs.

    Args:
        parameters: JSON Schema of the tool's arguments.
        named: Name → value that was seen under it; the first choice for a parameter of that name.
        texts: Further texts that were seen, the most telling first.
    """
    root = msgspec.json.decode(parameters)
    properties, needed = root.get("properties") or {}, root.get("required", ())
    return {name: named[name] if name in named else _value(resolved_schema(properties[name], root), texts) for name in needed}


def resolved_schema(schema: Mapping[str, object], root: Mapping[str, object]) -> Mapping[str, object]:
    """Return a schema with its reference followed, and of several forms the first that is not null.

    Args:
        schema: A part of a JSON Schema.
        root: The whole, which holds the definitions.
    """
    reference, forms, definitions = schema.get("$ref"), schema.get("anyOf"), root.get("$defs")
    if isinstance(reference, str):
        named = definitions.get(reference.rsplit("/", 1)[-1]) if isinstance(definitions, dict) else None
        return resolved_schema(named, root) if isinstance(named, dict) else {}
    if isinstance(forms, list):
        return next((resolved_schema(form, root) for form in forms if isinstance(form, dict) and form.get("type") != "null"), {})
    return schema


def named_values(value: object, name: str = "") -> Iterator[tuple[str, object]]:
    """Yield every scalar of a JSON value with the name of the field it stands in.

    Args:
        value: JSON data.
        name: Name of the field that holds it; empty: none.
    """
    if isinstance(value, dict):
        for key, item in value.items():
            yield from named_values(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from named_values(item, name)
    elif value is not None and name:
        yield name, value


def _value(schema: Mapping[str, object], texts: Sequence[str]) -> object:
    choices, kind = schema.get("enum"), schema.get("type")
    if isinstance(choices, list) and choices:
        return choices[0]
    if kind in ("integer", "number"):
        return next((int(text) for text in texts if _NUMBER.fullmatch(text)), 1)
    if kind == "string" and schema.get("format") == "date":
        return next((text for text in texts if _DATE.fullmatch(text)), "2026-01-01")
    return {"boolean": True, "array": [], "object": {}}.get(str(kind), texts[0] if texts else "unknown")
