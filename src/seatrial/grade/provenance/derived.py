"""Declared derivations: a value that follows from named operands by a named rule.

Operand paths: see `operands`. A sum that any operands would give is no source: on real traces a random amount is "derivable" from two
seen numbers 41 % of the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import islice, product

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from seatrial.base.errors import SuiteError
from seatrial.base.names import nearest
from seatrial.grade import tokens
from seatrial.grade.paths import ANY_ELEMENT, Token, parse_path
from seatrial.grade.provenance.needles import Needle
from seatrial.grade.provenance.operands import Seen, check_operand, decimal_of
from seatrial.grade.provenance.totals import MAX_COMBINATIONS, Total, check_total, total_of

RULES = ("sum", "difference", "count", "date_offset", "lookup", "total")
"""The ways in which a value may be derived."""


class Derivation(Struct, frozen=True, forbid_unknown_fields=True):
    """One declared derivation, as it stands in a contract; exactly one rule is given."""

    argument: str
    """`tool.argument`, whose value may be derived, or a path within it: `tool.payments[*].amount`."""
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
    total: Total | UnsetType = UNSET
    """A sum of products of named operands, whole or the share of it that others leave."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A derivation with the leaves of the argument that it may give.

    Args:
        derivation: The derivation.
        leaf: Path below the argument; empty: every leaf.
    """

    derivation: Derivation
    leaf: tuple[Token, ...] = ()

    def gives(self, path: Sequence[Token]) -> bool:
        """Tell whether it is declared for a leaf."""
        if not self.leaf:
            return True
        pairs = zip(self.leaf, path, strict=False)
        return len(self.leaf) == len(path) and all(one in (ANY_ELEMENT, other) for one, other in pairs)


def read_derivations(declared: Iterable[Raw], *, tools: Mapping[str, frozenset[str] | None]) -> dict[str, tuple[Declared, ...]]:
    """Return the derivations of a contract by the argument that they may give.

    Args:
        declared: JSON objects.
        tools: Tool → names of its arguments, `None` when they are not known.

    Raises:
        SuiteError: An unknown key, tool or argument, no rule or more than one, or an operand path that cannot be read.
    """
    found: dict[str, list[Declared]] = {}
    for raw in declared:
        derivation = _read(bytes(raw))
        tool, name, leaf = split_argument(derivation.argument, tools)
        _check_argument(derivation.argument, tool, name, tools)
        for path in _operands(derivation):
            check_operand(path, name, tools)
        if isinstance(derivation.total, Total):
            check_total(derivation.total, name, tools)
        found.setdefault(f"{tool}.{name}", []).append(Declared(derivation, leaf))
    return {argument: tuple(rules) for argument, rules in found.items()}


@lru_cache(maxsize=1024)  # Every task of a suite may hold the same ones.
def _read(raw: bytes) -> Derivation:
    keys = _keys(raw)
    for key in keys - set(Derivation.__struct_fields__):
        raise SuiteError(f"a derivation has no key {key!r}", nearest=nearest(key, Derivation.__struct_fields__))
    rules = keys - {"argument"}
    if len(rules) != 1:
        raise SuiteError(f"a derivation names one rule of {', '.join(RULES)}; this one names {sorted(rules) or 'none'}")
    try:
        return msgspec.json.decode(raw, type=Derivation)
    except msgspec.ValidationError as error:
        raise SuiteError(f"the derivation {raw.decode()!r} cannot be read: {error}") from error


def _keys(raw: bytes) -> set[str]:
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


def split_argument(text: str, tools: Iterable[str] = ()) -> tuple[str, str, tuple[Token, ...]]:
    """Return the tool, the argument and the path below it that `tool.argument[*].path` names.

    Args:
        text: The text.
        tools: Names of the tools, which may hold points; empty: not known.

    Raises:
        SuiteError: It names no argument.
    """
    known = max((tool for tool in tools if text.startswith(f"{tool}.")), key=len, default=text.partition(".")[0])
    try:
        name, *leaf = parse_path(text[len(known) + 1 :])
    except ValueError:
        name, leaf = "", []
    if not known or not isinstance(name, str) or not name:
        raise SuiteError(f"the derivation's argument {text!r} is not of the form tool.argument")
    return known, name, tuple(leaf)


def _check_argument(argument: str, tool: str, name: str, tools: Mapping[str, frozenset[str] | None]) -> None:
    if tools and tool not in tools:
        raise SuiteError(f"the derivation of {argument!r} names no tool of this world", nearest=nearest(tool, tools))
    known = tools.get(tool)
    if known is not None and name not in known:
        raise SuiteError(f"the tool {tool!r} has no argument {name!r}", nearest=nearest(name, known))


def is_derived(needle: Needle, path: Sequence[Token], declared: Sequence[Declared], seen: Seen) -> str:
    """Return how a value follows from what was seen: the rule and its operands, in words; empty: it does not.

    Args:
        needle: The value of a leaf.
        path: Where it is below the argument.
        declared: The derivations declared for the argument.
        seen: What had been seen.
    """
    rules = (one.derivation for one in declared if one.gives(path))
    return next((words for derivation in rules if (words := _derive(needle, derivation, seen))), "")


def _derive(needle: Needle, derivation: Derivation, seen: Seen) -> str:
    value = needle.value
    if isinstance(derivation.lookup, dict):
        return _looked_up(needle, derivation.lookup, seen)
    if isinstance(derivation.date_offset, str | tuple):
        return _offset(value, _operands(derivation), seen)
    wanted = decimal_of(value)
    return "" if wanted is None else _computed(wanted, derivation, seen)


def _computed(wanted: Decimal, derivation: Derivation, seen: Seen) -> str:
    if isinstance(derivation.total, Total):
        return total_of(wanted, derivation.total, seen)
    if isinstance(derivation.count, str):
        return next((f"count: {one.where.removeprefix('count of ')}" for one in seen.counts(derivation.count) if one.value == wanted), "")
    if isinstance(derivation.difference, tuple):
        pairs = product(*(tuple(seen.numbers(path)) for path in derivation.difference))
        tried = islice(pairs, MAX_COMBINATIONS)
        return next((f"difference: {one.where} − {other.where}" for one, other in tried if one.value - other.value == wanted), "")
    tried = islice(product(*(seen.totals(path) for path in _operands(derivation))), MAX_COMBINATIONS)
    return next((f"sum: {' + '.join(one.where for one in parts)}" for parts in tried if sum(one.value for one in parts) == wanted), "")


def _looked_up(needle: Needle, table: Mapping[str, object], seen: Seen) -> str:
    for word, codes in table.items():
        if any(map(needle.equals, codes if isinstance(codes, tuple) else (codes,))) and seen.holds(word):
            return f"lookup: {word!r} stands for it"
    return ""


def _offset(value: object, paths: Sequence[str], seen: Seen) -> str:
    wanted = tokens.day_of(value.lower()) if isinstance(value, str) else None
    if wanted is None:
        return ""
    for path in paths:
        for base in seen.days(path):
            away = (wanted - base).days
            if any(away in text.offsets(base) for text in (*seen.said, *seen.documents)):
                return f"date_offset: {path} {base} {away:+d} days"
    return ""
