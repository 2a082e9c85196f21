"""Required calls of a contract."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import UNSET

from seatrial.records.contract import CALL_STATUSES, MATCHES, CallStatus, Required
from seatrial.suite.matchers import IN_CALLS, check_expected, sources
from seatrial.suite.normal import check_normal_forms
from seatrial.suite.part import Part, shown
from seatrial.suite.scope import Scope

KEYS = {
    "id": "Name of the requirement, for `order` and reports; the tool's name when absent.",
    "call": "Name of the tool, or a list of acceptable names.",
    "with": "Expected arguments, matchers allowed; absent: any arguments; {}: none.",
    "count": "How many such calls are required (1).",
    "status": "What the call must have come to: ok, error, or a status number.",
    "optional": "Whether the call may be missing.",
    "match": "exact, or subset: further arguments and keys are fine.",
    "compare": "Only these arguments are compared.",
    "normalise": "Argument to normaliser, applied to both sides.",
    "null_is_missing": "Whether an argument of null equals one that is left out.",
    "as_set": "Lists are compared without order: true or `unordered` (all), or the names of arguments.",
}
"""Keys of a required call and what they mean."""
MAX_REQUIRED = 1000
"""Required calls of one process beyond which it is refused."""
ID_PATTERN = "[A-Za-z_][A-Za-z0-9_-]{0,63}"
"""Regular expression of the id of a required call."""
_ID = re.compile(ID_PATTERN)


def read_required(part: Part, scope: Scope, aliases: Mapping[str, str]) -> tuple[Required, ...]:
    """Read a list of required calls.

    Args:
        part: The list.
        scope: The names that may be used.
        aliases: Other name of a tool to its name.

    Returns:
        The requirements, each with an id of its own.

    Raises:
        SuiteError: A requirement is wrong, or two have one id.
    """
    parts = list(part.items())
    if len(parts) > MAX_REQUIRED:
        part.fail(f"{len(parts)} required calls are too many; the limit is {MAX_REQUIRED}; use `count` for equal calls")
    ids = _ids(parts)
    return tuple(_requirement(each, name, scope, aliases) for each, name in zip(parts, ids, strict=True))


def is_id(name: str) -> bool:
    """Tell whether a name can be written as the id of a required call."""
    return _ID.fullmatch(name) is not None and name != "user"


def source_ids(part: Part) -> list[tuple[str, Part]]:
    """Return the ids that the `$from` matchers of one required call name, each with its part."""
    expected = part.get("with")
    return list(sources(expected)) if expected is not None else []


def _ids(parts: list[Part]) -> list[str]:
    taken: dict[str, Part] = {}
    for part in parts:
        part.mapping(KEYS)
        given = part.get("id")
        if given is not None and _valid_id(given) in taken:
            given.fail(f"two required calls have the id {given.value!r}; the other is at {_place(taken[given.value])}")
        if given is not None:
            taken[given.value] = given
    names: list[str] = []
    for part in parts:
        names.append(part.value["id"] if part.get("id") else _free_id(part, {*taken, *names}))
    return names


def _place(part: Part) -> str:
    return str(part.place.at(part.path)) if part.place.file else part.label


def _valid_id(part: Part) -> str:
    name = part.text()
    if not is_id(name):
        part.fail(f"{shown(name)} cannot be an id: it takes up to 64 letters, digits, _ and -, starts with a letter, and is not `user`")
    return name


def _free_id(part: Part, taken: set[str]) -> str:
    call = part.value.get("call")
    first = call[0] if isinstance(call, list) and call else call
    base = first if isinstance(first, str) and _ID.fullmatch(first) else "call"
    numbered = (f"{base}-{number}" for number in range(2, len(taken) + 3))
    return base if base not in taken else next(name for name in numbered if name not in taken)


def _requirement(part: Part, name: str, scope: Scope, aliases: Mapping[str, str]) -> Required:
    call = part.get("call")
    if call is None:
        part.fail("a required call needs `call`: the name of a tool")
    tools = tuple(dict.fromkeys(scope.tool(tool, aliases) for tool in call.one_or_more()))
    if not tools:
        call.fail("`call` names no tool")
    expected = part.get("with")
    if expected is not None:
        _check_arguments(expected, scope, tools)
    normalise = part.read("normalise", lambda each: _normalise(each, part, scope, tools), {})
    _check_forms(expected, scope, tools, normalise)
    return Required(
        id=name,
        call=tools,
        with_=expected.raw() if expected is not None else UNSET,
        count=part.read("count", lambda each: each.integer(1), 1),
        status=part.read("status", _status, "ok"),
        optional=part.read("optional", Part.flag, False),
        match=part.chosen("match", MATCHES, "way to match", MATCHES[0]),
        compare=part.read("compare", lambda each: _arguments(each, part, scope, tools), None),
        normalise=normalise,
        null_is_missing=part.read("null_is_missing", Part.flag, False),
        as_set=part.read("as_set", lambda each: _as_set(each, part, scope, tools), False),
    )


def _check_arguments(expected: Part, scope: Scope, tools: tuple[str, ...]) -> None:
    known = scope.arguments(tools)
    for name, value in expected.entries():
        if known is not None and name not in known:
            scope.argument(Part(name, value.place, value.path), tools)
        check_expected(value, IN_CALLS)


def _given(part: Part) -> tuple[str, ...]:
    expected = part.get("with")
    return tuple(name for name, _ in expected.entries()) if expected is not None else ()


def _arguments(names: Part, part: Part, scope: Scope, tools: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(scope.argument(name, tools, _given(part)) for name in names.items())


def _normalise(names: Part, part: Part, scope: Scope, tools: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for argument, normaliser in names.entries():
        scope.argument(Part(argument, normaliser.place, normaliser.path), tools, _given(part))
        found[argument] = scope.normaliser(normaliser)
    return dict(sorted(found.items()))


def _check_forms(expected: Part | None, scope: Scope, tools: tuple[str, ...], normalise: Mapping[str, str]) -> None:
    for name, value in expected.entries() if expected is not None else ():
        declared = {scope.tools[tool].normalisers[name] for tool in tools if name in scope.tools[tool].normalisers}
        for normaliser in (normalise[name],) if name in normalise else declared:
            check_normal_forms(value, normaliser)


def _status(part: Part) -> CallStatus | int:
    if isinstance(part.value, int):
        status = part.integer(100)
        return status if status <= 599 else part.fail(f"a status is 100 to 599, got {status}")
    return part.choice(CALL_STATUSES, "status")


def _as_set(part: Part, whole: Part, scope: Scope, tools: tuple[str, ...]) -> bool | tuple[str, ...]:
    if isinstance(part.value, list):
        return _arguments(part, whole, scope, tools)
    if part.value == "unordered":
        return True
    return part.flag()
