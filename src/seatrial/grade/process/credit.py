"""Credit: the mean over required calls of the share of expected leaf arguments that are right. For diagnosis; it never gates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from seatrial.grade.assignment import heaviest_matching, maximum_matching
from seatrial.grade.process.attempts import Attempts

MAX_CELLS = 10_000
"""Size of the largest table of shares; of a larger one only calls count that could meet a requirement as they are."""


def credit(attempts: Attempts) -> float | None:
    """Return the credit under an assignment of the greatest total, so that it does not depend on any order.

    Every attempt of the right tool counts, whatever it came to. Optional calls do not count.

    Args:
        attempts: The judged attempts.

    Returns:
        0 to 1; `None` when nothing is required.
    """
    total = attempts.compiled.required_total
    if not total:
        return None
    return min(1.0, sum(_best_total(attempts, needs) for needs in _separate(attempts)) / total)


def _separate(attempts: Attempts) -> list[list[int]]:
    """Return the mandatory needs in groups that share no tool: they can be assigned apart."""
    compiled = attempts.compiled
    parent = list(range(len(compiled.needs)))
    first: dict[str, int] = {}
    for need in compiled.mandatory:
        for name in map(compiled.plans.resolve, compiled.needs[need].members[0].call):
            parent[_root(parent, need)] = _root(parent, first.setdefault(name, need))
    groups: dict[int, list[int]] = defaultdict(list)
    for need in compiled.mandatory:
        groups[_root(parent, need)].append(need)
    return list(groups.values())


def _root(parent: list[int], need: int) -> int:
    while parent[need] != need:
        parent[need] = need = parent[parent[need]]
    return need


def _best_total(attempts: Attempts, needs: Sequence[int]) -> float:
    among, compiled = set(needs), attempts.compiled
    places = [place for place, plan in enumerate(attempts.plans) if any(need in among for need, _ in plan.wanted)]
    units = [need for need in needs for _ in range(min(compiled.needs[need].count, len(places)))]
    if len(needs) > 1 and len(units) * len(places) > MAX_CELLS:
        right = maximum_matching([attempts.found[need] for need in units], len(attempts.plans))
        return float(sum(place >= 0 for place in right))
    rows = [_shares(attempts, place, among) for place in places]
    if len(needs) == 1:
        return sum(sorted((row[needs[0]] for row in rows), reverse=True)[: compiled.needs[needs[0]].count])
    weights = [[row.get(need, 0.0) for row in rows] for need in units]
    return sum(weights[unit][place] for unit, place in enumerate(heaviest_matching(weights)) if place >= 0)


def _shares(attempts: Attempts, place: int, among: Collection[int]) -> dict[int, float]:
    arguments = attempts.views[place].arguments
    return {need: matcher.share(arguments) for need, matcher in attempts.plans[place].wanted if need in among}
