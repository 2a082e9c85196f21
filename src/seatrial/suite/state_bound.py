"""How many search states matching a contract can need, before any trace is seen.

The forward search over calls keeps one state for every set of requirements that can have been met (DESIGN 7.2). Such a set holds,
with each requirement, all that must come before it: it is an order ideal. Requirements that no other one competes with are
met at their first possible call and open no choice; equal ones are only counted. What is left is counted exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from seatrial.base.normal_forms import BUILT_IN
from seatrial.records.contract import MAX_STATES, Order, Process, Required, ToolSpec
from seatrial.suite.order import closure


def state_bound(process: Process, sources: Sequence[Order], tools: Mapping[str, ToolSpec]) -> int:
    """Return how many states matching a process can need, counted up to one more than `MAX_STATES`.

    Args:
        process: The process.
        sources: The pairs that `$from` matchers imply.
        tools: Tools by name, for their normalisers.

    Returns:
        The product over independent groups of requirements of their numbers of order ideals; 1 without order and sources.
    """
    pairs = (*process.order, *sources)
    if not pairs:
        return 1
    before = closure(pairs, (each.id for each in process.required))
    expected = {each.id: _arguments(each) for each in process.required}
    rivals = _rivals(process.required, expected, tools)
    contended = [each for each in process.required if rivals[each.id] or each.count > 1]
    levels, earlier = _classes(contended, before, pairs)
    total = 1
    for group in _independent(earlier):
        total *= _ideals(group, levels, earlier)
        if total > MAX_STATES:
            return MAX_STATES + 1
    return total


def _arguments(required: Required) -> Mapping[str, object] | None:
    if isinstance(required.with_, msgspec.UnsetType):
        return None
    expected = msgspec.json.decode(required.with_)
    return {name: expected[name] for name in expected if required.compare is None or name in required.compare}


def _rivals(
    required: Sequence[Required], expected: Mapping[str, Mapping[str, object] | None], tools: Mapping[str, ToolSpec]
) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {each.id: set() for each in required}
    for position, one in enumerate(required):
        for other in required[position + 1 :]:
            if set(one.call) & set(other.call) and not _apart(one, other, expected, tools):
                found[one.id].add(other.id)
                found[other.id].add(one.id)
    return found


def _apart(one: Required, other: Required, expected: Mapping[str, Mapping[str, object] | None], tools: Mapping[str, ToolSpec]) -> bool:
    left, right = expected[one.id], expected[other.id]
    if left is None or right is None:
        return False
    return any(_differ(left[name], right[name], _normalisers(name, one, other, tools)) for name in left.keys() & right.keys())


def _normalisers(name: str, one: Required, other: Required, tools: Mapping[str, ToolSpec]) -> set[str]:
    own = {each.normalise[name] for each in (one, other) if name in each.normalise}
    return own | {tools[tool].normalisers[name] for tool in (*one.call, *other.call) if tool in tools and name in tools[tool].normalisers}


def _differ(left: object, right: object, normalisers: set[str]) -> bool:
    """Tell whether no value can equal both: two plain scalars that stay different under every normaliser in play."""
    if isinstance(left, list | dict) or isinstance(right, list | dict):
        return False
    if not normalisers:
        return left != right or type(left) is not type(right)
    return all(_form(left, normaliser) != _form(right, normaliser) for normaliser in normalisers)


def _form(value: object, normaliser: str) -> object:
    try:
        return BUILT_IN[normaliser](value)
    except KeyError:
        return None
    except ValueError:
        return value


def _classes(
    contended: Sequence[Required], before: Mapping[str, set[str]], pairs: Sequence[Order]
) -> tuple[dict[str, int], dict[str, set[str]]]:
    """Merge interchangeable requirements: the first one's id stands for all, with the sum of their counts as its levels."""
    names = {each.id for each in contended}
    after = {name: {each for each in before if name in before[each]} for name in names}
    turns = {name: {pair.left for pair in pairs if pair.right == name} for name in names}
    first: dict[object, str] = {}
    levels: dict[str, int] = {}
    merged: dict[str, str] = {}
    for each in contended:
        content = msgspec.json.encode(msgspec.structs.replace(each, id="", count=1))
        key = content, frozenset(before[each.id] | turns[each.id]), frozenset(after[each.id])
        name = merged[each.id] = first.setdefault(key, each.id)
        levels[name] = levels.get(name, 0) + each.count
    optional = {merged[each.id] for each in contended if each.optional}
    earlier = {name: {merged[each] for each in before[name] & names} - optional for name in levels}
    return levels, earlier


def _independent(earlier: Mapping[str, set[str]]) -> list[list[str]]:
    groups: list[set[str]] = []
    for name, above in earlier.items():
        together = {name} | above
        touching = [group for group in groups if group & together]
        groups = [group for group in groups if not group & together]
        groups.append(together.union(*touching))
    return [sorted(group) for group in groups]


def _ideals(names: Sequence[str], levels: Mapping[str, int], earlier: Mapping[str, set[str]]) -> int:
    """Count the order ideals of one group: states are integers with a field of bits for the level of each class."""
    full, step, offset = {}, {}, 0
    for name in names:
        full[name], step[name] = levels[name] << offset, 1 << offset
        offset += levels[name].bit_length()
    needs = {name: sum(full[each] for each in earlier[name]) for name in names}
    frontier, count = {0}, 0
    while frontier and count <= MAX_STATES:
        count += len(frontier)
        following: set[int] = set()
        for state in frontier:
            following.update(
                state + step[name] for name in names if state & full[name] != full[name] and state & needs[name] == needs[name]
            )
            if count + len(following) > MAX_STATES:
                return MAX_STATES + 1
        frontier = following
    return min(count, MAX_STATES + 1)
