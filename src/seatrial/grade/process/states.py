"""What a forward search over attempts knows, and how one attempt changes it.

A state says how often each need is met, which answers later calls take values from, and what was left out so far; beside it stands
from which attempt on the answers of those that others wait for are known.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from seatrial.grade.equality import canonical_form
from seatrial.grade.process.leftovers import Group
from seatrial.grade.process.ordering import ISSUED, Pair
from seatrial.grade.process.problem import Problem
from seatrial.grade.process.pruning import pruned

_BLOCKED = -1
Link = tuple["Link", int, int] | None
"""Assignments made so far: the earlier ones, an attempt, its need."""
Known = tuple[int, ...] | tuple[tuple[int, ...], ...]
"""For each awaited need: the first attempt that knows all its answers (0: every one to come), or, where contexts or inferred times
make it no single attempt, the attempts that met it."""


class State(NamedTuple):
    """What was decided on the attempts so far, as far as it matters for those to come."""

    met: tuple[int, ...]
    """How often each need is met; -1: an optional one that cannot be met any more."""
    bound: tuple[tuple[int, int], ...]
    """Needs that others take values from, with the first attempt that answered as the one did that met them."""
    tracked: tuple[tuple[bool, int], ...]
    """For each tracked group: whether one of it is met, how many are left out."""
    left: int
    """Attempts left out that `at_most` counts."""


Node = tuple[State, Known, Link]


class Moves:
    """What each attempt may do to a state: meet a need, or be left out.

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
        self.options, self.found = pruned(problem, self.before)
        self.places = [place for place, options in enumerate(self.options) if options or place in problem.conflicts]
        """Attempts that there is something to decide on; what the others do to a state is the same in all of them."""
        self.alike = self._alike()
        self.remaining = self._remaining()
        self.eager = self._eager()

    def start(self) -> Node | None:
        """Return the state before the first attempt; `None`: too many attempts meet nothing, whatever is decided."""
        decided = set(self.places)
        lonely = [place for place in range(len(self.options)) if place not in decided]
        exempt = self.problem.leftovers.exempt
        left = 0 if self.limit is None else sum(place not in exempt for place in lonely)
        tracked = [(False, sum(place in group.members for place in lonely if place in group.places)) for group in self.tracked]
        if self.limit is not None and left > self.limit:
            return None
        known: Known = (0,) * len(self.slot) if self.simple else ((),) * len(self.slot)
        return State((0,) * len(self.needs), (), tuple(tracked), left), known, None

    def moves(self, node: Node, place: int) -> Iterator[Node]:
        """Yield what may follow when an attempt has been decided on, meeting a need first."""
        state, known, link = node
        met_now = False
        for need in self.options[place]:
            if self._feasible(state, known, place, need):
                met_now = True
                yield self._meet(state, place, need), self._learn(known, place, need), (link, place, need)
        if not (met_now and place in self.eager):
            skipped = self._skip(state, place)
            if skipped is not None:
                yield skipped, self._settled(known, place), link

    def _feasible(self, state: State, known: Known, place: int, need: int) -> bool:
        count = state.met[need]
        if count == _BLOCKED or count >= self.needs[need].count:
            return False
        if not all(self._precedes(state, known, place, pair) for pair in self.before[need]):
            return False
        if any(state.met[pair.right] > 0 and not self._late(place, pair) for pair in self.after[need]):
            return False
        return not self.needs[need].sources or self._takes(state, place, need)

    def _precedes(self, state: State, known: Known, place: int, pair: Pair) -> bool:
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

    def _takes(self, state: State, place: int, need: int) -> bool:
        assigned = {source: [first for at, first in state.bound if at == source] for source in self.needs[need].sources}
        return self.problem.fits(need, place, assigned)

    def _meet(self, state: State, place: int, need: int) -> State:
        met = (*state.met[:need], state.met[need] + 1, *state.met[need + 1 :])
        bound = tuple(sorted((*state.bound, (need, self.alike[place])))) if self.needs[need].bound else state.bound
        return State(met, bound, self._track(state.tracked, place, met=True), state.left)

    def _learn(self, known: Known, place: int, need: int) -> Known:
        slot = self.slot.get(need)
        if slot is None:
            return self._settled(known, place)
        answers = known[slot]
        added = max(answers, self.timeline.settled_from(place)) if isinstance(answers, int) else (*answers, place)
        return self._settled((*known[:slot], added, *known[slot + 1 :]), place)  # type: ignore[arg-type]

    def _settled(self, known: Known, place: int) -> Known:
        """Forget when answers became known that every later attempt knows."""
        if not self.simple or not any(known):
            return known
        return tuple([0 if at <= place + 1 else at for at in known])  # type: ignore[operator]

    def _skip(self, state: State, place: int) -> State | None:
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
        return State(met, state.bound, self._track(state.tracked, place, met=False), left)

    def _track(self, tracked: tuple[tuple[bool, int], ...], place: int, *, met: bool) -> tuple[tuple[bool, int], ...]:
        at = self.tracks.get(place)
        if at is None:
            return tracked
        was_met, left = tracked[at]
        now = (was_met or met, left + (not met and place in self.tracked[at].members))
        return (*tracked[:at], now, *tracked[at + 1 :])

    def goal(self, state: State) -> bool:
        """Tell whether nothing is missing, and no more was left out than is allowed."""
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

    def _alike(self) -> dict[int, int]:
        """Return attempt → the first attempt with an equal answer, for those that others take values from: they are interchangeable."""
        first: dict[object, int] = {}
        views = self.problem.attempts.views
        answering = sorted({place for need, places in enumerate(self.found) if self.needs[need].bound for place in places})
        return {place: first.setdefault(canonical_form(views[place].observation), place) for place in answering}

    def _remaining(self) -> dict[int, list[tuple[int, int]]]:
        """Return attempt → mandatory needs that it could meet, each with the number of later candidates."""
        return {
            place: [(need, self._later_candidates(need, place)) for need in self.options[place] if not self.needs[need].optional]
            for place in self.places
        }

    def _later_candidates(self, need: int, place: int) -> int:
        found = self.found[need]
        return len(found) - bisect_right(found, place)

    def _eager(self) -> frozenset[int]:
        """Return the attempts that meet their need whenever they can: nobody else wants them, and no later one is better."""
        if not self.simple or self.timeline.any_inferred:
            return frozenset()
        return frozenset(place for need in self.problem.attempts.compiled.mandatory for place in self._eager_places(need))

    def _eager_places(self, need: int) -> Iterator[int]:
        found, each = self.found[need], self.needs[need]
        if each.bound or each.sources or any(self.needs[pair.left].optional for pair in self.before[need]):
            return
        if any(len(self.options[place]) > 1 or place in self.problem.must or place in self.tracks for place in found):
            return
        earliest = len(self.options) + 1
        for place in reversed(found):
            settle = self.timeline.settled_from(place)
            if settle <= earliest:
                yield place
            earliest = min(earliest, settle)
