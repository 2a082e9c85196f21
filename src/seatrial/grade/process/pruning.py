"""Candidates that no assignment can use, left out before the search: too early to follow what comes before, or too late for what follows.

Arc consistency on the order pairs (Mackworth, 1977). One pass forward and one back are enough: what makes a candidate usable is the
time of the k-th best candidate at the other end, and a pass in the other direction never removes that one.
"""

from __future__ import annotations

from collections.abc import Sequence

from seatrial.grade.process.ordering import ISSUED, Pair
from seatrial.grade.process.problem import Problem

Options = list[tuple[int, ...]]


def pruned(problem: Problem, before: Sequence[Sequence[Pair]]) -> tuple[Options, list[list[int]]]:
    """Return the needs of each attempt and the attempts of each need that an assignment may still use.

    Args:
        problem: The assignment problem.
        before: For each need the pairs that it is on the right of.

    Returns:
        Both as in the problem, less what cannot be used; unchanged where times are inferred or several contexts play.
    """
    if not problem.timeline.simple or problem.timeline.any_inferred or not problem.ordering.pairs:
        return problem.options, problem.found
    found = [list(places) for places in problem.found]
    sequence = problem.ordering.sequence
    for right in sequence:
        for pair in before[right]:
            _drop_early(problem, found, pair)
    for right in reversed(sequence):
        for pair in before[right]:
            _drop_late(problem, found, pair)
    kept = [set(places) for places in found]
    options = [tuple([need for need in needs if place in kept[need]]) for place, needs in enumerate(problem.options)]
    return options, found


def _ready(problem: Problem, place: int, pair: Pair) -> int:
    """Return the first attempt that may come right of a pair when this one is left of it."""
    return place + 1 if pair.relation == ISSUED else problem.timeline.settled_from(place)


def _drop_early(problem: Problem, found: list[list[int]], pair: Pair) -> None:
    need = problem.needs[pair.left]
    if need.optional:
        return
    ready = sorted(_ready(problem, place, pair) for place in found[pair.left])
    if len(ready) < need.count:
        found[pair.right] = []
        return
    found[pair.right] = [place for place in found[pair.right] if place >= ready[need.count - 1]]


def _drop_late(problem: Problem, found: list[list[int]], pair: Pair) -> None:
    need = problem.needs[pair.right]
    if need.optional:
        return
    if len(found[pair.right]) < need.count:
        found[pair.left] = []
        return
    last = found[pair.right][-need.count]
    found[pair.left] = [place for place in found[pair.left] if _ready(problem, place, pair) <= last]
