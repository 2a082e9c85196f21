"""Totals: a sum of products of named operands, such as fares × travellers + 50 × bags, paid in shares.

Every operand is named by the suite, so that a number is a total only of what it should be the total of; any two seen numbers would give
a random amount three times in ten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import chain, combinations, islice, product
from math import prod

from msgspec import UNSET, Struct, UnsetType

from seatrial.base.errors import SuiteError
from seatrial.base.names import nearest
from seatrial.grade.paths import Token, parse_path, values_at
from seatrial.grade.provenance.operands import Seen, Valued, check_operand, numbers_in

MAX_COMBINATIONS = 4096
"""Combinations of operand values that are tried for one argument; named operands rarely have more than a few."""
MAX_PARTS = 64
"""Records that are matched, and shares that are paid, in one total; what has more is worked out by nobody in a conversation."""
MAX_OPTIONAL = 6
"""Optional terms of one total."""
_NAME = re.compile(r"\{(\w+)\}")


class Operand(Struct, frozen=True, forbid_unknown_fields=True):
    """A named number; exactly one of `of`, `count`, `each` is given."""

    of: str | UnsetType = UNSET
    """Operand path: what its leaves add up to."""
    count: str | UnsetType = UNSET
    """Operand path: how many leaves it has."""
    each: str | UnsetType = UNSET
    """Operand path of records, usually `this(...)`: for each of them the number of its match is added."""
    among: dict[str, str] = {}
    """Operand path of the records to match → path of the number in them; `{name}` stands for an argument of the call."""
    same: tuple[str, ...] = ()
    """Fields that must be equal; one that a record lacks is taken from the arguments of the call that it answers."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The operand paths."""
        return (*(path for path in (self.of, self.count, self.each) if isinstance(path, str)), *self.among)


class Term(Struct, frozen=True, forbid_unknown_fields=True):
    """One product."""

    times: tuple[str | int | float, ...]
    """Names of operands, and numbers."""
    optional: bool = False
    """Whether it may be left out."""


class Total(Struct, frozen=True, forbid_unknown_fields=True):
    """A sum of products."""

    operands: dict[str, Operand]
    """Name → operand."""
    terms: tuple[Term | tuple[str | int | float, ...], ...]
    """What is added up; a list is short for a term that is always there."""
    share_of: str = ""
    """Path among the call's own arguments of the parts that are the total together: the value is what the others, each with a source of
    its own, leave of it. Empty: the value is the total."""

    @property
    def all_terms(self) -> tuple[Term, ...]:
        """The terms, written out."""
        return tuple(term if isinstance(term, Term) else Term(term) for term in self.terms)


def check_total(total: Total, argument: str, tools: Mapping[str, frozenset[str] | None]) -> None:
    """Refuse a total that cannot be computed.

    Args:
        total: The total.
        argument: Name of the argument that is derived by it.
        tools: Tool → names of its arguments, `None` when they are not known.

    Raises:
        SuiteError: An operand is none, a term names none, or every term may be left out.
    """
    for name, operand in total.operands.items():
        _check_operand(name, operand)
        for path in operand.paths:
            check_operand(path, argument, tools)
    terms = total.all_terms
    for factor in chain.from_iterable(term.times for term in terms):
        if isinstance(factor, str) and factor not in total.operands:
            raise SuiteError(f"a term names the operand {factor!r}, which the total lacks", nearest=nearest(factor, total.operands))
    if all(term.optional for term in terms) or sum(term.optional for term in terms) > MAX_OPTIONAL:
        raise SuiteError(f"a total has at least one term that is always there, and at most {MAX_OPTIONAL} that are optional")
    if total.share_of and parse_path(total.share_of)[0] != argument:
        raise SuiteError(f"the derived argument {argument!r} is no part of share_of {total.share_of!r}")


def _check_operand(name: str, operand: Operand) -> None:
    if sum(isinstance(path, str) for path in (operand.of, operand.count, operand.each)) != 1:
        raise SuiteError(f"the operand {name!r} names one of of, count, each")
    if isinstance(operand.each, str) != bool(operand.among and operand.same):
        raise SuiteError(f"the operand {name!r}: `each` needs `among` and `same`, and they need it")


def total_of(value: Decimal, total: Total, seen: Seen) -> str:
    """Return how a value is the total, or its share of it, in words; empty: it is not.

    Args:
        value: The value.
        total: The total.
        seen: What had been seen.
    """
    wanted = _whole(value, total, seen)
    if wanted is None:
        return ""
    values = {name: _distinct(_values(operand, seen)) for name, operand in total.operands.items()}
    made = islice(_sums(total, values), MAX_COMBINATIONS)
    return next((_words(total, terms, named) for terms, named, number in made if number == wanted), "")


def _whole(value: Decimal, total: Total, seen: Seen) -> Decimal | None:
    """Return what the total must be for a value to be its share; `None`: another share has no source of its own."""
    if not total.share_of:
        return value
    shares = numbers_in(values_at(dict(seen.own), parse_path(total.share_of)))
    others = list(shares)
    if value not in others or len(others) > MAX_PARTS:
        return None
    others.remove(value)
    return sum(shares, Decimal(0)) if all(seen.holds(_plain(other)) for other in others) else None


def _plain(number: Decimal) -> int | float:
    return int(number) if number == number.to_integral_value() else float(number)


def _sums(total: Total, values: Mapping[str, Sequence[Valued]]) -> Iterator[tuple[tuple[Term, ...], dict[str, Valued], Decimal]]:
    """Yield each choice of terms and operand values with what it comes to, the most terms first."""
    always = tuple(term for term in total.all_terms if not term.optional)
    optional = [term for term in total.all_terms if term.optional]
    for size in range(len(optional), -1, -1):
        for chosen in combinations(optional, size):
            terms = (*always, *chosen)
            names = list(dict.fromkeys(factor for term in terms for factor in term.times if isinstance(factor, str)))
            for picked in product(*(values[name] for name in names)):
                named = dict(zip(names, picked, strict=True))
                yield terms, named, sum((_product(term, named) for term in terms), Decimal(0))


def _product(term: Term, named: Mapping[str, Valued]) -> Decimal:
    return prod((named[factor].value if isinstance(factor, str) else Decimal(str(factor)) for factor in term.times), start=Decimal(1))


def _words(total: Total, terms: Iterable[Term], named: Mapping[str, Valued]) -> str:
    formula = " + ".join(" × ".join(map(str, term.times)) for term in terms)
    less = f", less the other {total.share_of}" if total.share_of else ""
    return f"total: {formula}{less}; " + ", ".join(f"{name} = {one.value} ({one.where})" for name, one in named.items())


def _distinct(values: Iterable[Valued]) -> list[Valued]:
    found: dict[Decimal, Valued] = {}
    for one in islice(values, MAX_COMBINATIONS):
        found.setdefault(one.value, one)
    return list(found.values())


def _values(operand: Operand, seen: Seen) -> Iterator[Valued]:
    if isinstance(operand.of, str):
        yield from seen.totals(operand.of)
    elif isinstance(operand.count, str):
        yield from seen.counts(operand.count)
    elif isinstance(operand.each, str):
        for found in (found for found in seen.found(operand.each) if len(found.leaves) <= MAX_PARTS):
            choices = [_distinct(_matches(record, operand, seen)) for record in found.leaves]
            for picked in product(*choices):
                where = dict.fromkeys(one.where for one in picked)
                yield Valued(sum((one.value for one in picked), Decimal(0)), f"{' and '.join(where)}, for each {operand.each}")


def _matches(record: object, operand: Operand, seen: Seen) -> Iterator[Valued]:
    for path, number in operand.among.items():
        place = _filled(parse_path(number), seen.own)
        for found in seen.found(path) if place is not None else ():
            asked = found.view.proposed if found.view is not None else None
            same = (item for item in found.leaves if _is_same(item, record, asked, operand.same))
            taken = numbers_in(value for item in same for value in values_at(item, place or ()))
            yield from (Valued(one, f"{path}.{number}{found.where}") for one in taken)


def _is_same(item: object, record: object, asked: object, names: Sequence[str]) -> bool:
    given = asked if isinstance(asked, dict) else {}
    if not isinstance(item, dict):
        return False
    wanted = record if isinstance(record, dict) else {names[0]: record}
    return all(name in wanted and item.get(name, given.get(name)) == wanted[name] for name in names)


def _filled(path: tuple[Token, ...], own: Mapping[str, object]) -> tuple[Token, ...] | None:
    """Return a path with the call's own arguments in place of `{name}`; `None`: one of them is no key."""
    filled: list[Token] = []
    for token in path:
        named = _NAME.fullmatch(token) if isinstance(token, str) else None
        key = token if named is None else own.get(named[1])
        if not isinstance(key, str | int):
            return None
        filled.append(key)
    return tuple(filled)
