"""Declared derivations: a value that follows from named operands by a named rule.

Operand paths: `now` (the world's clock), `input`, `user` and `document` (numbers and days stated there), `TOOL.path[*].field` (leaves
of an observation of that tool), `TOOL(argument)` (an argument of an earlier call). A sum that any operands would give is no source:
on real traces a random amount is "derivable" from two seen numbers 41 % of the time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import islice, product

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from seatrial.base.errors import SuiteError
from seatrial.base.names import nearest
from seatrial.grade import tokens
from seatrial.grade.paths import parse_path, values_at
from seatrial.grade.view import CallView
from seatrial.records.trace import AGENT

MAX_COMBINATIONS = 4096
"""Combinations of operand values that are tried for one argument; named operands rarely have more than a few."""
_PATH = re.compile(r"(?P<tool>[\w.:@+=-]+?)(?:\((?P<argument>[^()]+)\)|\.(?P<path>[^()]+))")
_STATED = frozenset({"now", "input", "user", "document"})


class Derivation(Struct, frozen=True, forbid_unknown_fields=True):
    """One declared derivation, as it stands in a contract; exactly one rule is given."""

    argument: str
    """`tool.argument`, whose value may be derived."""
    sum: tuple[str, ...] | UnsetType = UNSET
    """Operand paths that are added up; a path with `[*]` gives all its leaves."""
    difference: tuple[str, str] | UnsetType = UNSET
    """Two operand paths: the first minus the second."""
    count: str | UnsetType = UNSET
    """Operand path whose leaves are counted."""
    date_offset: str | tuple[str, ...] | UnsetType = UNSET
    """Operand paths of the day that is counted from; the offset must be worded in a user turn, the input or a document."""
    lookup: dict[str, str | int | float | tuple[str | int | float, ...]] | UnsetType = UNSET
    """Code table: what must have been seen → the value, or values, that it stands for."""


@dataclass(frozen=True)
class Seen:
    """What the context that issued a call had seen by then.

    Args:
        now: The world's day; `None`: not a date.
        said: The input and the user's turns, caseless.
        documents: The documents, caseless.
        calls: Earlier calls whose answers were delivered to it.
        holds: Tells whether a text was seen.
        tool_name: Returns the name of a tool without prefix and alias.
    """

    now: date | None
    said: tuple[str, ...]
    documents: tuple[str, ...]
    calls: tuple[CallView, ...]
    holds: Callable[[str], bool]
    tool_name: Callable[[str], str]


def read_derivations(declared: Iterable[Raw], *, tools: Mapping[str, frozenset[str] | None]) -> dict[str, tuple[Derivation, ...]]:
    """Return the derivations of a contract by the argument that they may give.

    Args:
        declared: JSON objects.
        tools: Tool → names of its arguments, `None` when they are not known.

    Raises:
        SuiteError: An unknown key, tool or argument, no rule or more than one, or an operand path that cannot be read.
    """
    found: dict[str, list[Derivation]] = {}
    for raw in declared:
        derivation = _read(raw)
        _check_argument(derivation.argument, tools)
        for path in _operands(derivation):
            _check_operand(path, tools)
        found.setdefault(derivation.argument, []).append(derivation)
    return {argument: tuple(rules) for argument, rules in found.items()}


def _read(raw: Raw) -> Derivation:
    keys = _keys(raw)
    for key in keys - set(Derivation.__struct_fields__):
        raise SuiteError(f"a derivation has no key {key!r}", nearest=nearest(key, Derivation.__struct_fields__))
    rules = keys - {"argument"}
    if len(rules) != 1:
        raise SuiteError(
            f"a derivation names one rule of sum, difference, count, date_offset, lookup; this one names {sorted(rules) or 'none'}"
        )
    try:
        return msgspec.json.decode(raw, type=Derivation)
    except msgspec.ValidationError as error:
        raise SuiteError(f"the derivation {bytes(raw).decode()!r} cannot be read: {error}") from error


def _keys(raw: Raw) -> set[str]:
    try:
        return set(msgspec.json.decode(raw, type=dict[str, Raw]))
    except msgspec.MsgspecError as error:
        raise SuiteError(f"a derivation is an object such as {{argument: pay.amount, sum: [claim.items[*].price]}}: {error}") from error


def _operands(derivation: Derivation) -> tuple[str, ...]:
    for rule in (derivation.sum, derivation.difference, derivation.date_offset, derivation.count):
        if isinstance(rule, str):
            return (rule,)
        if isinstance(rule, tuple):
            return rule
    return ()


def _check_argument(argument: str, tools: Mapping[str, frozenset[str] | None]) -> None:
    tool, _, name = argument.rpartition(".")
    if not tool:
        raise SuiteError(f"the derivation's argument {argument!r} is not of the form tool.argument")
    if tools and tool not in tools:
        raise SuiteError(f"the derivation of {argument!r} names no tool of this world", nearest=nearest(tool, tools))
    known = tools.get(tool)
    if known is not None and name not in known:
        raise SuiteError(f"the tool {tool!r} has no argument {name!r}", nearest=nearest(name, known))


def _check_operand(path: str, tools: Mapping[str, frozenset[str] | None]) -> None:
    if path in _STATED:
        return
    match = _PATH.fullmatch(path)
    if match is None:
        raise SuiteError(f"the operand {path!r} is none of now, input, user, document, TOOL.path, TOOL(argument)")
    try:
        parse_path(match["argument"] or match["path"])
    except ValueError as error:
        raise SuiteError(f"the operand {path!r}: {error}") from error
    if tools and match["tool"] not in tools:
        raise SuiteError(f"the operand {path!r} names no tool of this world", nearest=nearest(match["tool"], tools))


def is_derived(value: object, derivations: Sequence[Derivation], seen: Seen) -> str:
    """Return how a value follows from what was seen, in words; empty: it does not.

    Args:
        value: The argument value.
        derivations: Those declared for the argument.
        seen: What had been seen.
    """
    return next((words for derivation in derivations if (words := _derive(value, derivation, seen))), "")


def _derive(value: object, derivation: Derivation, seen: Seen) -> str:
    if isinstance(derivation.lookup, dict):
        return _looked_up(value, derivation.lookup, seen)
    if isinstance(derivation.date_offset, str | tuple):
        return _offset(value, _operands(derivation), seen)
    wanted = _decimal(value)
    if wanted is None:
        return ""
    if isinstance(derivation.count, str):
        return f"count of {derivation.count}" if any(len(leaves) == wanted for leaves in _groups(derivation.count, seen)) else ""
    if isinstance(derivation.difference, tuple):
        first, second = derivation.difference
        pairs = product(_flat(first, seen), _flat(second, seen))
        return f"{first} − {second}" if any(a - b == wanted for a, b in islice(pairs, MAX_COMBINATIONS)) else ""
    paths = _operands(derivation)
    totals = (_totals(path, seen) for path in paths)
    return f"sum of {', '.join(paths)}" if any(sum(parts) == wanted for parts in islice(product(*totals), MAX_COMBINATIONS)) else ""


def _looked_up(value: object, table: Mapping[str, object], seen: Seen) -> str:
    for word, codes in table.items():
        if value in (codes if isinstance(codes, tuple) else (codes,)) and seen.holds(word):
            return f"lookup of {word!r}"
    return ""


def _offset(value: object, paths: Sequence[str], seen: Seen) -> str:
    wanted = tokens.day_of(value.lower()) if isinstance(value, str) else None
    if wanted is None:
        return ""
    for path in paths:
        for base in _days(path, seen):
            away = (wanted - base).days
            if any(away in tokens.offset_days(text, base) for text in (*seen.said, *seen.documents)):
                return f"{path} {away:+d} days"
    return ""


def _days(path: str, seen: Seen) -> Iterator[date]:
    if path == "now":
        yield from () if seen.now is None else (seen.now,)
        return
    if path in _STATED:
        for text in seen.documents if path == "document" else seen.said:
            yield from (day for said in tokens.days(text) for day in _calendar(said, seen.now))
        return
    for leaves in _groups(path, seen):
        yield from (day for leaf in leaves if isinstance(leaf, str) and (day := tokens.day_of(leaf[:10].lower())) is not None)


def _calendar(said: tokens.Day, now: date | None) -> Iterator[date]:
    years = (said.year,) if said.year else tokens.likely_years(now, said.month, said.day) if now else ()
    for year in sorted(years):
        try:
            yield date(year, said.month, said.day)
        except ValueError:
            continue


def _totals(path: str, seen: Seen) -> list[Decimal]:
    """Return what a path adds up to in each observation that has it; each number stated in a text stands alone."""
    if path in _STATED:
        return list(_flat(path, seen))
    sums = (_numbers(leaves) for leaves in _groups(path, seen))
    return [sum(numbers, Decimal(0)) for numbers in sums if numbers]


def _flat(path: str, seen: Seen) -> Iterator[Decimal]:
    if path in _STATED:
        for text in seen.documents if path == "document" else seen.said if path != "now" else ():
            yield from (Decimal(amount.value) for amount in tokens.amounts(text))
        return
    for leaves in _groups(path, seen):
        yield from _numbers(leaves)


def _numbers(leaves: Iterable[object]) -> list[Decimal]:
    return [number for leaf in leaves if (number := _decimal(leaf)) is not None]


def _decimal(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    written = tokens.number(value.strip().lower()) if isinstance(value, str) else tokens.number_of(value)
    return None if written is None else Decimal(written)


def _groups(path: str, seen: Seen) -> Iterator[list[object]]:
    """Yield the leaves that a path has in each call's observation or arguments, one list a call."""
    match = _PATH.fullmatch(path)
    if match is None:
        return
    for view in seen.calls:
        if seen.tool_name(view.call.tool) == match["tool"] and view.call.by == AGENT:
            root = view.proposed if match["argument"] else view.observation
            leaves = values_at(root, parse_path(match["argument"] or match["path"]))
            if leaves:
                yield leaves


def day_from(now: str) -> date | None:
    """Return the day of the world's clock, `None` when it cannot be read."""
    try:
        return date.fromisoformat(now[:10])
    except ValueError:
        return None
