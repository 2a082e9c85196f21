"""Whether a trace has an assignment that breaks nothing, and which assignment is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seatrial.grade.lazy import lazy
from seatrial.grade.process.attempts import Attempts
from seatrial.grade.process.classify import Classified, classify
from seatrial.grade.process.leftovers import Leftovers
from seatrial.grade.process.matching import Matching, covering
from seatrial.grade.process.ordering import FOLLOWS, ISSUED, Pair
from seatrial.grade.process.problem import Problem
from seatrial.grade.process.quick import plainly_right
from seatrial.grade.process.search import MAX_STATES, Search, TooManyStates
from seatrial.grade.process.timeline import Timeline
from seatrial.records.grade import Verdict

UNMET = -1


@dataclass(slots=True)
class Decision:
    """A verdict and the assignment that it rests on."""

    verdict: Verdict
    owner: list[int] | None = None
    """For each attempt the need that it meets, -1: none; `None`: each meets the one that it could meet, the others are extras."""
    classes: list[Classified] | None = None
    """The class of each attempt; `None`: as for `owner`."""
    doubt: str = ""
    """Why the verdict is undetermined; empty: it is not."""


class Judge:
    """Finds the decision on one trace, the cheap way where that is enough.

    Args:
        attempts: The judged attempts.
    """

    def __init__(self, attempts: Attempts) -> None:
        self.attempts, self.compiled = attempts, attempts.compiled

    @lazy
    def leftovers(self) -> Leftovers:
        """What becomes of attempts that meet nothing."""
        return Leftovers(self.attempts)

    @lazy
    def strict(self) -> Timeline:
        """The times, read strictly."""
        return Timeline(self.attempts)

    @lazy
    def problem(self) -> Problem:
        """The assignment problem under the strict reading."""
        return Problem(self.attempts, self.leftovers, self.strict)

    def decide(self) -> Decision:
        """Return the verdict and the assignment that it rests on."""
        return Decision(Verdict.PASS) if plainly_right(self.attempts) else self._searched()

    def _searched(self) -> Decision:
        try:
            owner = self._solve(self.problem)
            if owner is not None:
                return Decision(Verdict.PASS, owner, classify(self.leftovers, owner))
            if self.strict.any_inferred and (self.compiled.sequential or self.compiled.ordering.user_pairs):
                return self._lenient()
        except TooManyStates:
            return self._undetermined(self._shown(), f"more than {MAX_STATES} ways to assign overlapping calls are open")
        owner = self._shown()
        return Decision(Verdict.FAIL, owner, classify(self.leftovers, owner))

    def _lenient(self) -> Decision:
        owner = self._solve(Problem(self.attempts, self.leftovers, Timeline(self.attempts, lenient=True)))
        if owner is None:
            owner = self._shown()
            return Decision(Verdict.FAIL, owner, classify(self.leftovers, owner))
        doubt = "the order rests on the arrival of calls whose proposing message was not seen (`order_by: arrival` accepts it)"
        return self._undetermined(owner, doubt)

    def _undetermined(self, owner: list[int], doubt: str) -> Decision:
        return Decision(Verdict.UNDETERMINED, owner, classify(self.leftovers, owner), doubt)

    def _solve(self, problem: Problem) -> list[int] | None:
        if problem.hopeless:
            return None
        limited = self.compiled.process.extras.at_most is not None
        if not self.compiled.sequential and not self.leftovers.tracked and not (limited and self.leftovers.exempt):
            owner = covering(problem.options, problem.found, problem.needs, problem.must)
            fine = owner is not None and not any(each.fault for each in classify(self.leftovers, owner))
            return owner if fine else None
        return Search(problem).run()

    def _shown(self) -> list[int]:
        """Return a maximum assignment without order: in the order of the contract, calls that keep the order first."""
        matching = Matching(self.attempts.options, self.attempts.found, self.compiled.needs)
        for need in self.compiled.ordering.sequence:
            for place in self._best_first(need, matching):
                if len(matching.held[need]) < self.compiled.needs[need].count and matching.owner[place] < 0:
                    matching.take(place, need)
        matching.meet(self.compiled.mandatory)
        matching.cover(range(len(self.attempts.options)))
        return matching.owner

    def _best_first(self, need: int, matching: Matching) -> list[int]:
        def broken(place: int) -> int:
            return sum(
                not self.strict.holds(pair.relation, first, place)
                for pair in self.compiled.ordering.before[need]
                for first in matching.held[pair.left]
            )

        found = self.attempts.found[need]
        return sorted(found, key=lambda place: (broken(place), place)) if self.compiled.ordering.before[need] and len(found) > 1 else found

    def violations(self, owner: Sequence[int], timeline: Timeline) -> list[tuple[Pair, int, int]]:
        """Return every pair that an assignment does not keep, with the two attempts; the first is -1 when no call meets the left.

        A write that could meet the right of `<` counts even when it meets nothing.
        """
        held: list[list[int]] = [[] for _ in self.compiled.needs]
        for place, need in enumerate(owner):
            if need >= 0:
                held[need].append(place)
        broken = [
            (pair, first, second)
            for pair in self.compiled.ordering.all_pairs
            for first in held[pair.left]
            for second in held[pair.right]
            if not timeline.holds(pair.relation, first, second)
        ]
        return broken + self._unled(owner, held, timeline)

    def _unled(self, owner: Sequence[int], held: Sequence[Sequence[int]], timeline: Timeline) -> list[tuple[Pair, int, int]]:
        problem = self.problem if timeline is self.strict else Problem(self.attempts, self.leftovers, timeline)
        found: list[tuple[Pair, int, int]] = []
        if not self.compiled.ordering.pairs:
            return found
        for place, need in enumerate(owner):
            if need >= 0 or self.attempts.reads(place) or not self.leftovers.is_good[place]:
                continue
            for right in self.attempts.options[place]:
                unled = [left for left in problem.unfollowed(right, place) if held[left] or not self.compiled.needs[left].optional]
                found += [(self._pair(left, right), UNMET, place) for left in unled]
        return found

    def _pair(self, left: int, right: int) -> Pair:
        direct = [pair for pair in self.compiled.ordering.before[right] if pair.left == left and pair.relation != ISSUED]
        needs = self.compiled.needs
        return direct[0] if direct else Pair(left, FOLLOWS, right, f"{needs[left].members[0].id} < {needs[right].members[0].id}")
