"""Candidates that no assignment can use, left out before the search: by their time, or by the values that they give and take.

By time: too early to follow what comes before, or too late for what follows. By value: an answer that nobody takes a value from.
Arc consistency (Mackworth, 1977). One pass over the order pairs forward and one back are enough: what makes a candidate usable is the
time of the k-th best candidate at the other end, and a pass in the other direction never removes that one.
"""

from __future__ import annotations

from collections.abc import Sequence

from seatrial.grade.process.ordering import ISSUED, Pair
from seatrial.grade.process.problem import Problem

Options = list[tuple[int, ...]]
MAX_LOOKS = 50_000
"""Pairs of a call and a source that are looked at for the values they share; where there are more, none is left out."""


def pruned(problem: Problem, before: Sequence[Sequence[Pair]]) -> tuple[Options, list[list[int]]]:
    """Return the needs of each attempt and the attempts of each need that an assignment may still use.

    Args:
        problem: The assignment problem.
        before: For each need the pairs that it is on the right of.

    Returns:
        Both as in the problem, less what cannot be used; by time nothing is left out where times are inferred or several contexts play.
    """
    timely = problem.timeline.simple and not problem.timeline.any_inferred
    taking = [need for need, each in enumerate(problem.needs) if each.sources and not each.optional]
    if not problem.ordering.pairs or not (timely or taking):
        return problem.options, problem.found
    found = [list(places) for places in problem.found]
    for need in taking:
        for source in problem.needs[need].sources:
            _drop_unfitting(problem, found, source, need)
    if timely:
        _drop_untimely(problem, found, before)
    kept = [set(places) for places in found]
    options = [tuple([need for need in needs if place in kept[need]]) for place, needs in enumerate(problem.options)]
    return options, found


def _drop_unfitting(problem: Problem, found: list[list[int]], source: int, need: int) -> None:
    """Leave out the calls that take their value from no source, and the sources that no call takes its value from."""
    takers, sources = found[need], found[source]
    if len(takers) * len(sources) > MAX_LOOKS:
        return
    fitting = [(taker, place) for taker in takers for place in sources if problem.fits(need, taker, {source: (place,)})]
    used = ({taker for taker, _ in fitting}, {place for _, place in fitting})
    found[need] = [place for place in takers if place in used[0]]
    # Of several answers of one source it is enough that one has the value.
    if problem.needs[source].count == 1:
        found[source] = [place for place in sources if place in used[1]]


def _drop_untimely(problem: Problem, found: list[list[int]], before: Sequence[Sequence[Pair]]) -> None:
    sequence = problem.ordering.sequence
    for right in sequence:
        for pair in before[right]:
            _drop_early(problem, found, pair)
    for right in reversed(sequence):
        for pair in before[right]:
            _drop_late(problem, found, pair)


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
