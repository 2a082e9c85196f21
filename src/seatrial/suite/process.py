"""The process of a contract: required calls, order, extras, retries; or a preset that stands for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain

from seatrial.base import catalogue
from seatrial.records.contract import ALLOWS, MAX_STATES, ORDERS_BY, Allow, Extras, Order, Process, Required
from seatrial.suite.order import read_order
from seatrial.suite.part import Part, shown
from seatrial.suite.required import read_required, source_ids
from seatrial.suite.scope import Scope
from seatrial.suite.state_bound import state_bound

KEYS = {
    "required": "Calls that must have succeeded.",
    "order": "Order pairs: `a < b` (after a's answer arrived), `a then b` (issued later), `user.2 < b` (after the second user turn).",
    "extras": "Calls allowed beyond the required ones: none, reads, any, a list of tools, or {allow, at_most}.",
    "retries": "How often a transiently failed call may be repeated identically (2).",
    "repeats": "Identical repeats of executed calls that are free: {reads, writes}; null: any number.",
    "order_by": "message, or arrival: order may rest on the arrival of calls whose message was not seen.",
    "scope": "Agent paths that are judged; absent: all.",
    "aliases": "Other name of a tool to its name.",
    "tool_prefix": "Prefix that is dropped from the names of called tools.",
    "confusable": "Pairs of tools that are easy to mistake.",
    "preset": "A named process over `calls`, in place of required, order and extras.",
    "calls": "The calls of a preset; a group `{unordered: [...]}` holds calls of any order.",
}
"""Keys of a process and what they mean."""


def read_process(part: Part, scope: Scope) -> Process:
    """Read a process.

    Args:
        part: The mapping.
        scope: The names that may be used, and the process of a silent contract.

    Returns:
        The process, presets expanded.

    Raises:
        SuiteError: A key or name is not known, the order is a cycle, nothing is required and extras are not given, or
            matching could need more than 65,536 states.
    """
    part.mapping(KEYS)
    if "preset" in part.value:
        part = _expanded(part)
    aliases = part.read("aliases", lambda each: read_aliases(each, scope), scope.process.aliases)
    wanted = part.get("required")
    required = read_required(wanted, scope, aliases) if wanted is not None else ()
    if not required and part.get("extras") is None:
        (wanted or part).fail(
            "nothing is required and `extras` is not given: that would pass anything; write `extras: none`, `reads` or `any`"
        )
    repeats_reads, repeats_writes = part.read("repeats", _repeats, (scope.process.repeats_reads, scope.process.repeats_writes))
    process = Process(
        required=required,
        order=read_order(part.get("order"), required, wanted),
        extras=part.read("extras", lambda each: read_extras(each, scope, aliases), scope.process.extras),
        retries=part.read("retries", Part.integer, scope.process.retries),
        repeats_reads=repeats_reads,
        repeats_writes=repeats_writes,
        order_by=part.chosen("order_by", ORDERS_BY, "way to order", scope.process.order_by),
        scope=part.read("scope", Part.texts, scope.process.scope),
        aliases=aliases,
        tool_prefix=part.read("tool_prefix", Part.text, scope.process.tool_prefix),
        confusable=part.read("confusable", lambda each: read_confusable(each, scope), scope.process.confusable),
    )
    _check_states(part, process, wanted, scope)
    return process


def read_extras(part: Part, scope: Scope, aliases: Mapping[str, str]) -> Extras:
    """Read which calls beyond the required ones are allowed."""
    if isinstance(part.value, dict):
        part.mapping({"allow", "at_most"})
        allow = part.get("allow")
        return Extras(
            allow=_allow(allow, scope, aliases) if allow is not None else Extras().allow,
            at_most=part.read("at_most", _limit, None),
        )
    return Extras(allow=_allow(part, scope, aliases))


def read_aliases(part: Part, scope: Scope) -> dict[str, str]:
    """Read other names of tools."""
    return {name: _aliased(name, tool, scope) for name, tool in sorted(part.entries(), key=lambda entry: entry[0])}


def read_confusable(part: Part, scope: Scope) -> tuple[tuple[str, str], ...]:
    """Read pairs of tools that are easy to mistake."""
    pairs = []
    for item in part.items():
        names = [scope.tool(name, {}) for name in item.items()]
        if len(names) != 2 or names[0] == names[1]:
            item.fail(f"expected a pair of two tools, got {shown(item.value)}")
        pairs.append((names[0], names[1]))
    return tuple(pairs)


def _aliased(name: str, tool: Part, scope: Scope) -> str:
    if name in scope.tools:
        tool.fail(f"{name!r} is a tool of its own; an alias is a name that no tool has")
    return scope.tool(tool, {})


def implied_pairs(required: tuple[Required, ...], part: Part | None) -> list[Order]:
    """Return the order pairs that the `$from` matchers of required calls imply."""
    if part is None:
        return []
    return [Order(source, "<", each.id) for position, each in enumerate(required) for source, _ in source_ids(part[position])]


def _expanded(part: Part) -> Part:
    for key in ("required", "order", "extras"):
        if (beside := part.get(key)) is not None:
            beside.fail(f"`{key}` cannot stand beside `preset`; the preset sets it")
    calls = part.get("calls")
    if calls is None:
        part.fail("a preset needs `calls`: the list of calls that it is about")
    name = part["preset"].choice(catalogue.built_in("preset"), "preset")
    rest = {key: value for key, value in part.value.items() if key not in ("preset", "calls")}
    groups = [_group(item) for item in calls.items()]
    expansion: dict[str, object] = catalogue.load("preset", name).expand([[_call(each) for each in group] for group in groups])
    lines = {(*part.path, "required", number): calls.place.line_of(each.path) for number, each in enumerate(chain(*groups))}
    place = replace(part.place, lines={**part.place.lines, **{path: line for path, line in lines.items() if line is not None}})
    return Part(rest | expansion, place, part.path)


def _group(item: Part) -> list[Part]:
    group = item.get("unordered")
    if group is None:
        return [item]
    item.mapping({"unordered"})
    return list(group.items())


def _call(part: Part) -> dict[str, object]:
    return {"call": part.value} if isinstance(part.value, str) else dict(part.mapping().value)


def _allow(part: Part, scope: Scope, aliases: Mapping[str, str]) -> Allow | tuple[str, ...]:
    if isinstance(part.value, list):
        return tuple(scope.tool(tool, aliases) for tool in part.items())
    return part.choice(ALLOWS, "kind of extras")


def _limit(part: Part) -> int | None:
    return None if part.value is None else part.integer()


def _repeats(part: Part) -> tuple[int | None, int]:
    part.mapping({"reads", "writes"})
    return part.read("reads", _limit, None), part.read("writes", Part.integer, 0)


def _check_states(part: Part, process: Process, wanted: Part | None, scope: Scope) -> None:
    if state_bound(process, implied_pairs(process.required, wanted), scope.tools) > MAX_STATES:
        part.fail(
            f"matching this process could need more than {MAX_STATES} states: too many required calls compete for the same calls without"
            " an order among them; order them, make their arguments differ, or use `count` for equal ones"
        )
