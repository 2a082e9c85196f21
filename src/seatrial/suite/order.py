"""Order pairs of a contract, and the cycles that no run could satisfy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from seatrial.records.contract import Order, Relation, Required
from seatrial.suite.part import Part, listed, shown
from seatrial.suite.required import source_ids

_SPLIT = re.compile(r"\s*(<)\s*|\s+(then)\s+")
_USER = re.compile(r"user\.[1-9][0-9]{0,3}")


def read_order(part: Part | None, required: Sequence[Required], required_part: Part | None) -> tuple[Order, ...]:
    """Read the order pairs of a contract, `a < b` or `a then b`; a chain like `a < b then c` gives its pairs.

    Args:
        part: The list of pairs, `None` when there is none.
        required: The required calls.
        required_part: The list that they were read from; its `$from` matchers imply pairs, which are checked and not added.

    Returns:
        The pairs, and those that hold through an optional call when it is missing.

    Raises:
        SuiteError: A pair has another form, names an id that is not there, or lies on a cycle.
    """
    ids = {each.id for each in required}
    pairs: dict[Order, Part] = {}
    for chain in part.items() if part is not None else ():
        for pair in _chain(chain, ids):
            pairs.setdefault(pair, chain)
    implied = dict(_implied(required, required_part, ids))
    _refuse_cycle(pairs | implied)
    return tuple(dict.fromkeys((*pairs, *_through_optional((*pairs, *implied), required))))


def _chain(part: Part, ids: set[str]) -> list[Order]:
    pieces = [piece for piece in _SPLIT.split(part.text().strip()) if piece is not None]
    names, relations = pieces[::2], pieces[1::2]
    if not relations or not all(names):
        part.fail(f"{shown(part.value)} is not an order; write `a < b` (after a's answer arrived) or `a then b` (issued later)")
    for position, name in enumerate(names):
        _known(part, name, ids, first=position == 0 and relations[0] == "<")
    return [Order(left, _relation(relation), right) for left, relation, right in zip(names, relations, names[1:], strict=False)]


def _relation(word: str) -> Relation:
    return "<" if word == "<" else "then"


def _known(part: Part, name: str, ids: set[str], *, first: bool) -> None:
    if name in ids or (first and _USER.fullmatch(name)):
        return
    if name.startswith("user"):
        part.fail(f"{name!r} can only stand on the left of `<`, as user.1, user.2, ...: the order is taken after that user turn")
    part.fail(f"there is no required call with the id {name!r}; known: {listed(ids)}.", close_to=name, among=ids)


def _implied(required: Sequence[Required], part: Part | None, ids: set[str]) -> Iterable[tuple[Order, Part]]:
    if part is None:
        return
    for position, each in enumerate(required):
        for source, where in source_ids(part[position]):
            if source not in ids:
                where.fail(f"there is no required call with the id {source!r}; known: {listed(ids)}.", close_to=source, among=ids)
            yield Order(source, "<", each.id), where


def _refuse_cycle(pairs: Mapping[Order, Part]) -> None:
    before: dict[str, list[str]] = {}
    for pair in pairs:
        before.setdefault(pair.right, []).append(pair.left)
    try:
        TopologicalSorter(before).prepare()
    except CycleError as error:
        listed_pairs = list(pairs)
        steps = [next(pair for pair in pairs if (pair.left, pair.right) == step) for step in pairwise(error.args[1])]
        first = min(range(len(steps)), key=lambda each: listed_pairs.index(steps[each]))
        cycle = steps[first:] + steps[:first]
        words = cycle[0].left + "".join(f" {pair.relation} {pair.right}" for pair in cycle)
        closing = max(steps, key=listed_pairs.index)
        pairs[closing].fail(f"the order is a cycle, which no run can follow: {words}")


def _through_optional(pairs: Sequence[Order], required: Sequence[Required]) -> list[Order]:
    """Return the pairs that hold through optional calls: `a < o`, `o < b` mean `a < b` though o is missing."""
    known, added = list(dict.fromkeys(pairs)), []
    for middle in (each.id for each in required if each.optional):
        for left in [pair for pair in known if pair.right == middle]:
            for right in [pair for pair in known if pair.left == middle]:
                # The left relation decides: `a then o < b` says nothing of when a was answered, `a < o then b` does.
                pair = Order(left.left, left.relation, right.right)
                if pair not in known:
                    known.append(pair)
                    added.append(pair)
    return added


def closure(pairs: Iterable[Order], ids: Iterable[str]) -> dict[str, set[str]]:
    """Return for each id all ids that must come before it; the pairs have no cycle."""
    before: dict[str, set[str]] = {each: set() for each in ids}
    for pair in pairs:
        if pair.left in before:
            before[pair.right].add(pair.left)
    for name in TopologicalSorter(before).static_order():
        before[name] = before[name].union(*(before[each] for each in before[name]))
    return before
