"""Assignment under order: a forward search over the attempts in issue order, equal states merged.

A state says how often each need is met, from which attempt on the answers of those that others wait for are known, which answers
later calls take values from, and what was left out so far. Of two states that differ only in when answers are known, the earlier
one is kept. No recursion: a trace may have thousands of calls.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from seatrial.grade.process.leftovers import Group
from seatrial.grade.process.ordering import ISSUED, Pair
from seatrial.grade.process.problem import Problem

MAX_STATES = 65_536
"""Live states beyond which the verdict is undetermined."""
_BLOCKED = -1
Link = tuple["Link", int, int] | None
"""Assignments made so far: the earlier ones, an attempt, its need."""


class TooManyStates(Exception):
    """The trace allows more live states than are looked at."""


class _State(NamedTuple):
    met: tuple[int, ...]
    bound: tuple[tuple[int, int], ...]
    """Needs that others take values from, with the attempt that met them."""
    tracked: tuple[tuple[bool, int], ...]
    """For each tracked group: whether one of it is met, how many are left out."""
    left: int
    """Attempts left out that `at_most` counts."""


Known = tuple[int, ...] | tuple[tuple[int, ...], ...]
"""For each awaited need: the first attempt that knows all its answers, or (with several contexts) the attempts that met it."""
Layer = dict[_State, list[tuple[Known, Link]]]


class Search:
    """One search for an assignment without fault.

    Args:
        problem: What the assignment has to achieve.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem, self.timeline, self.needs = problem, problem.timeline, problem.needs
        self.simple = self.timeline.simple
        self.lenient = self.timeline.lenient and self.timeline.any_inferred
        # A pair that is open by itself may be certainly violated through others, so the lenient reading looks at them all.
        pairs = problem.ordering.closure() if self.lenient else problem.ordering.all_pairs
        self.before, self.after = problem.ordering.by_right(pairs), problem.ordering.by_left(pairs)
        awaited = sorted({pair.left for pair in pairs if pair.relation != ISSUED})
        self.slot = {need: slot for slot, need in enumerate(awaited)}
        self.limit = problem.attempts.compiled.process.extras.at_most
        self.tracked: Sequence[Group] = problem.leftovers.tracked
        self.tracks = {place: at for at, group in enumerate(self.tracked) for place in group.places}
        self.places = [place for place, options in enumerate(problem.options) if options]
        self.remaining = self._remaining()
        self.eager = self._eager()

    def run(self) -> list[int] | None:
        """Return for each attempt its need, -1: none; `None` when there is no assignment without fault.

        Raises:
            TooManyStates: More than `MAX_STATES` are live at once.
        """
        if self.problem.hopeless:
            return None
        layer = self._start()
        for place in self.places:
            layer = self._step(layer, place)
            if not layer:
                return None
            if sum(map(len, layer.values())) > MAX_STATES:
                raise TooManyStates
        return self._best(layer)

    def _start(self) -> Layer:
        lonely = [place for place, options in enumerate(self.problem.options) if not options]
        exempt = self.problem.leftovers.exempt
        left = 0 if self.limit is None else sum(place not in exempt for place in lonely)
        tracked = [(False, sum(place in group.members for place in lonely if place in group.places)) for group in self.tracked]
        if self.limit is not None and left > self.limit:
            return {}
        known: Known = (0,) * len(self.slot) if self.simple else ((),) * len(self.slot)
        return {_State((0,) * len(self.needs), (), tuple(tracked), left): [(known, None)]}

    def _step(self, layer: Layer, place: int) -> Layer:
        following: Layer = {}
        options, eager = self.problem.options[place], self.eager.get(place)
        settle = self.timeline.settled_from(place) if self.simple else 0
        for state, variants in layer.items():
            skipped = self._skip(state, place)
            for known, link in variants:
                met_now = False
                for need in options:
                    if self._feasible(state, known, place, need):
                        met_now = True
                        self._add(following, self._meet(state, place, need), self._learn(known, place, need, settle), (link, place, need))
                if skipped is not None and not (met_now and eager):
                    self._add(following, skipped, known, link)
        return self._settled(following, place + 1) if self.simple and self.slot else following

    def _feasible(self, state: _State, known: Known, place: int, need: int) -> bool:
        count = state.met[need]
        if count == _BLOCKED or count >= self.needs[need].count:
            return False
        if not all(self._precedes(state, known, place, pair) for pair in self.before[need]):
            return False
        if any(state.met[pair.right] > 0 and not self._late(place, pair) for pair in self.after[need]):
            return False
        return not self.needs[need].sources or self._takes(state, place, need)

    def _precedes(self, state: _State, known: Known, place: int, pair: Pair) -> bool:
        """Tell whether everything left of a pair is met and known when an attempt meets its right."""
        met = state.met[pair.left]
        whole = self.needs[pair.left].optional or met == self.needs[pair.left].count
        if pair.relation == ISSUED:
            return (whole or self.lenient) and (met <= 0 or self.timeline.lenient or not self.timeline.inferred[place])
        if not whole:
            return False
        answers = known[self.slot[pair.left]]
        if isinstance(answers, int):
            return answers <= place
        return all(self.timeline.holds(pair.relation, first, place) for first in answers)

    def _late(self, place: int, pair: Pair) -> bool:
        """Tell whether an attempt may meet the left of a pair whose right is met already: its true time of issue is not known."""
        return self.lenient and pair.relation == ISSUED and self.timeline.inferred[place]

    def _takes(self, state: _State, place: int, need: int) -> bool:
        assigned = {source: [first for at, first in state.bound if at == source] for source in self.needs[need].sources}
        return self.problem.fits(need, place, assigned)

    def _meet(self, state: _State, place: int, need: int) -> _State:
        met = (*state.met[:need], state.met[need] + 1, *state.met[need + 1 :])
        bound = tuple(sorted((*state.bound, (need, place)))) if self.needs[need].bound else state.bound
        return _State(met, bound, self._track(state.tracked, place, met=True), state.left)

    def _learn(self, known: Known, place: int, need: int, settle: int) -> Known:
        slot = self.slot.get(need)
        if slot is None:
            return known
        answers = known[slot]
        added = max(answers, settle) if isinstance(answers, int) else (*answers, place)
        return (*known[:slot], added, *known[slot + 1 :])  # type: ignore[return-value]

    def _skip(self, state: _State, place: int) -> _State | None:
        if place in self.problem.must:
            return None
        met = state.met
        for need, after in self.remaining[place]:
            if met[need] + after < self.needs[need].count:
                return None
        for need in self.problem.conflicts.get(place, ()):
            if met[need] > 0:
                return None
            met = (*met[:need], _BLOCKED, *met[need + 1 :])
        left = state.left + (self.limit is not None and place not in self.problem.leftovers.exempt)
        if self.limit is not None and left > self.limit:
            return None
        return _State(met, state.bound, self._track(state.tracked, place, met=False), left)

    def _track(self, tracked: tuple[tuple[bool, int], ...], place: int, *, met: bool) -> tuple[tuple[bool, int], ...]:
        at = self.tracks.get(place)
        if at is None:
            return tracked
        was_met, left = tracked[at]
        now = (was_met or met, left + (not met and place in self.tracked[at].members))
        return (*tracked[:at], now, *tracked[at + 1 :])

    def _add(self, layer: Layer, state: _State, known: Known, link: Link) -> None:
        variants = layer.get(state)
        if variants is None:
            layer[state] = [(known, link)]
            return
        if not self.simple:
            if all(known != other for other, _ in variants):
                variants.append((known, link))
            return
        if any(_no_later(other, known) for other, _ in variants):
            return
        variants[:] = [variant for variant in variants if not _no_later(known, variant[0])]
        variants.append((known, link))

    def _settled(self, layer: Layer, place: int) -> Layer:
        """Forget when answers became known that every later attempt knows."""
        result: Layer = {}
        for state, variants in layer.items():
            for known, link in variants:
                self._add(result, state, tuple([0 if at <= place else at for at in known]), link)  # type: ignore[operator]
        return result

    def _best(self, layer: Layer) -> list[int] | None:
        whole = [state for state in layer if self._goal(state)]
        if not whole:
            return None
        best = max(whole, key=lambda state: sum(count for count in state.met if count > 0))
        owner = [-1] * len(self.problem.options)
        link = layer[best][0][1]
        while link is not None:
            link, place, need = link
            owner[place] = need
        return owner

    def _goal(self, state: _State) -> bool:
        if any(met != need.count for met, need in zip(state.met, self.needs, strict=True) if not need.optional):
            return False
        used = {True: 0, False: 0}
        for (met, left), group in zip(state.tracked, self.tracked, strict=True):
            cost = group.cost(left, any_met=met)
            if cost is None:
                return False
            used[group.reads] += cost
        process = self.problem.attempts.compiled.process
        return (process.repeats_reads is None or used[True] <= process.repeats_reads) and used[False] <= process.repeats_writes

    def _remaining(self) -> dict[int, list[tuple[int, int]]]:
        """Return attempt → mandatory needs that it could meet, each with the number of later candidates."""
        return {
            place: [(need, self._later_candidates(need, place)) for need in self.problem.options[place] if not self.needs[need].optional]
            for place in self.places
        }

    def _later_candidates(self, need: int, place: int) -> int:
        found = self.problem.found[need]
        return len(found) - bisect_right(found, place)

    def _eager(self) -> dict[int, bool]:
        """Return the attempts that meet their need whenever they can: nobody else wants them, and no later one is better."""
        if not self.simple or self.timeline.any_inferred:
            return {}
        return {place: True for need in self.problem.attempts.compiled.mandatory for place in self._eager_places(need)}

    def _eager_places(self, need: int) -> Iterator[int]:
        found, each = self.problem.found[need], self.needs[need]
        if each.bound or each.sources or any(self.needs[pair.left].optional for pair in self.before[need]):
            return
        if any(len(self.problem.options[place]) > 1 or place in self.problem.must or place in self.tracks for place in found):
            return
        earliest = len(self.problem.options) + 1
        for place in reversed(found):
            settle = self.timeline.settled_from(place)
            if settle <= earliest:
                yield place
            earliest = min(earliest, settle)


def _no_later(one: Known, other: Known) -> bool:
    return all(first <= second for first, second in zip(one, other, strict=True))  # type: ignore[operator]
