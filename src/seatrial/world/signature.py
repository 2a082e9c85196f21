"""From a typed Python function to what an agent is told of it: JSON Schema, defaults, and the structs that validate."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from typing import Annotated, Any, get_type_hints

import msgspec
from msgspec import Raw

from seatrial.base.canonical import canonical
from seatrial.base.errors import SuiteError
from seatrial.world.json_types import unfit_default, unfit_type

INJECTED = frozenset({"state", "user", "clock", "caller"})
"""Names of parameters that the world fills in; all others are the tool's arguments."""

_SECTION = re.compile(r"^(Args|Arguments|Returns|Raises|Yields|Examples?|Notes?):\s*$")
_ARGUMENT = re.compile(r"^(\w+)\s*(?:\([^)]*\))?:\s*(.*)$")
_UNTYPED = (None, type(None), object, Any, inspect.Signature.empty)


class Signature(msgspec.Struct, frozen=True):
    """What the signature and the docstring of a function say."""

    description: str
    """The docstring without its sections."""
    arguments: type[msgspec.Struct]
    """Struct that the arguments are decoded into: unknown ones are refused, defaults are filled."""
    parameters: Raw
    """JSON Schema of the arguments."""
    defaults: Raw
    """JSON object: argument → default."""
    returns: Raw | msgspec.UnsetType
    """JSON Schema of the answer; absent: none is declared."""
    answer: object
    """Type of the answer; `None`: none is declared."""
    injected: tuple[str, ...]
    """Parameters that the world fills in."""


def place_of(function: Callable[..., object]) -> tuple[str, int]:
    """Return the file and the line of a function."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code else ("", 0)


def wrong(function: Callable[..., object], message: str, *, nearest: str | None = None) -> SuiteError:
    """Return the error that says what is wrong with a function of a world, with its file and line."""
    file, line = place_of(function)
    return SuiteError(f"{getattr(function, '__name__', function)!s}: {message}", file=file or None, line=line or None, nearest=nearest)


def check_function(function: Callable[..., object], decorator: str) -> None:
    """Raise a SuiteError when what stands under a decorator is no plain function.

    Args:
        function: What stands there.
        decorator: Name of the decorator.
    """
    plain = inspect.unwrap(function)
    if not inspect.isfunction(plain) and not inspect.ismethod(plain):
        raise wrong(function, f"@{decorator} stands above a `def`, not above a {type(function).__name__}")
    odd = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
    if any(is_odd(one) for is_odd in odd for one in (function, plain)):
        raise wrong(function, f"@{decorator} stands above a plain function: not async, not a generator")


def read_signature(function: Callable[..., object]) -> Signature:
    """Read what a tool's function says of itself.

    Args:
        function: A plain function whose every argument is annotated and that has a docstring.

    Returns:
        Its signature.

    Raises:
        SuiteError: It has no docstring, an argument without a type, a type that JSON lacks, or it is a coroutine.
    """
    check_function(function, "tool")
    text = inspect.getdoc(function)
    if not text:
        raise wrong(function, "a tool needs a docstring: it is what the agent is told of it")
    description, told = _read_docstring(text)
    hints = _hints(function)
    fields = _fields(function, hints, told)
    arguments = _struct(function, fields)
    schema, answer = _answer(function, hints.get("return"))
    injected = tuple(name for name in inspect.signature(function).parameters if name in INJECTED)
    return Signature(description, arguments, canonical_schema(arguments), _defaults(function), schema, answer, injected)


def canonical_schema(kind: object) -> Raw:
    """Return the JSON Schema of a type as canonical JSON, with its outermost definition inlined."""
    schema = msgspec.json.schema(kind)
    name = schema.pop("$ref", "").rpartition("/")[2]
    if name:
        definitions = schema.pop("$defs")
        schema = definitions.pop(name) | ({"$defs": definitions} if definitions else {})
        schema.pop("title", None)
    return Raw(canonical(schema))


def _hints(function: Callable[..., object]) -> dict[str, object]:
    """Return the annotations that matter: those of injected parameters may name what only a type checker sees."""
    kept = {name: hint for name, hint in function.__annotations__.items() if name not in INJECTED}
    holder = type("Annotations", (), {"__annotations__": kept, "__module__": function.__module__})
    try:
        return get_type_hints(holder, globalns=getattr(inspect.unwrap(function), "__globals__", {}), include_extras=True)
    except (NameError, TypeError, AttributeError) as error:
        raise wrong(function, f"an annotation cannot be read: {error}") from error


def _fields(function: Callable[..., object], hints: Mapping[str, object], told: Mapping[str, str]) -> list[tuple[str, object, object]]:
    fields: list[tuple[str, object, object]] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name in INJECTED:
            continue
        if parameter.kind in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY}:
            raise wrong(function, f"the parameter {parameter!s} is not a named argument; name every argument")
        if name not in hints:
            raise wrong(function, f"the argument {name!r} has no type: write `{name}: str`")
        _check_argument(function, name, hints[name], parameter.default)
        kind = Annotated[hints[name], msgspec.Meta(description=told[name])] if name in told else hints[name]
        fields.append((name, kind, msgspec.NODEFAULT if parameter.default is parameter.empty else _default(parameter.default)))
    return fields


def _check_argument(function: Callable[..., object], name: str, kind: object, default: object) -> None:
    """Refuse a type that no JSON fills, and a default that an agent could not send itself: it would be filled in unseen."""
    problem = unfit_type(kind)
    if problem:
        raise wrong(function, f"the argument {name!r} has a type that JSON lacks: {problem}")
    problem = "" if default is inspect.Parameter.empty else unfit_default(kind, default)
    if problem:
        raise wrong(function, f"the default {default!r:.80} of the argument {name!r} does not fit its type: {problem}")


def _default(value: object) -> object:
    """Return a struct's default: a mutable one is made anew for each call, as no caller may change the next one's."""
    if isinstance(value, list | dict | set):
        return msgspec.field(default_factory=value.copy)
    return value


def _struct(function: Callable[..., object], fields: list[tuple[str, object, object]]) -> type[msgspec.Struct]:
    try:
        struct = msgspec.defstruct(function.__name__, fields, kw_only=True, forbid_unknown_fields=True)  # type: ignore[arg-type]
        msgspec.json.Decoder(struct)
        msgspec.json.schema(struct)
    except (TypeError, ValueError, NameError) as error:
        raise wrong(function, f"the arguments cannot be read as one JSON object: {error}") from error
    return struct


def _defaults(function: Callable[..., object]) -> Raw:
    parameters = inspect.signature(function).parameters
    found = {name: p.default for name, p in parameters.items() if name not in INJECTED and p.default is not p.empty}
    return Raw(canonical(found))


def _answer(function: Callable[..., object], kind: object) -> tuple[Raw | msgspec.UnsetType, object]:
    if any(kind is none for none in _UNTYPED):
        return msgspec.UNSET, None
    problem = unfit_type(kind)
    if problem:
        raise wrong(function, f"the return type is one that JSON lacks: {problem}")
    return canonical_schema(kind), kind


def _read_docstring(text: str) -> tuple[str, dict[str, str]]:
    """Split a google-style docstring into its description and what its `Args:` say."""
    sections: dict[str, list[str]] = {"": []}
    current = ""
    for line in text.splitlines():
        heading = _SECTION.match(line)
        current = heading[1] if heading else current
        if not heading:
            sections.setdefault(current, []).append(line)
    lines = sections.get("Args") or sections.get("Arguments") or []
    return "\n".join(sections[""]).strip(), _read_arguments(textwrap.dedent("\n".join(lines)))


def _read_arguments(text: str) -> dict[str, str]:
    told: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        found = _ARGUMENT.match(line)
        if found:
            name = found[1]
            told[name] = found[2].strip()
        elif name and line.strip():
            told[name] = f"{told[name]} {line.strip()}".strip()
    return told
