"""Whether a trace has an assignment that breaks nothing, and which assignment is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from seatrial.grade.process.attempts import Attempts
from seatrial.grade.process.classify import IS_EXTRA, IS_MET, Classified, classify
from seatrial.grade.process.leftovers import Leftovers
from seatrial.grade.process.matching import Matching, covering
from seatrial.grade.process.ordering import FOLLOWS, ISSUED, Pair
from seatrial.grade.process.problem import Problem
from seatrial.grade.process.search import MAX_STATES, Search, TooManyStates
from seatrial.grade.process.timeline import Timeline
from seatrial.records.grade import Verdict

UNMET = -1


@dataclass(slots=True)
class Decision:
    """A verdict and the assignment that it rests on."""

    verdict: Verdict
    owner: list[int]
    """For each attempt the need that it meets, -1: none."""
    classes: list[Classified]
    doubt: str = ""
    """Why the verdict is undetermined; empty: it is not."""


class Judge:
    """Finds the decision on one trace, the cheap way where that is enough.

    Args:
        attempts: The judged attempts.
    """

    def __init__(self, attempts: Attempts) -> None:
        self.attempts, self.compiled = attempts, attempts.compiled

    @cached_property
    def leftovers(self) -> Leftovers:
        """What becomes of attempts that meet nothing."""
        return Leftovers(self.attempts)

    @cached_property
    def strict(self) -> Timeline:
        """The times, read strictly."""
        return Timeline(self.attempts)

    @cached_property
    def problem(self) -> Problem:
        """The assignment problem under the strict reading."""
        return Problem(self.attempts, self.leftovers, self.strict)

    def decide(self) -> Decision:
        """Return the verdict and the assignment that it rests on."""
        owner = self._only_owner()
        if owner is not None:
            classes = self._classes(owner)
            if not any(each.fault for each in classes) and self._ordered(owner):
                return Decision(Verdict.PASS, owner, classes)
        return self._searched()

    def _only_owner(self) -> list[int] | None:
        """Return the only assignment, `None` when there is a choice or something is missing."""
        attempts = self.attempts
        if attempts.shared:
            return None
        for (_, count, optional), found in zip(self.compiled.counted, attempts.found, strict=True):
            have = len(found)
            if have != count and not (optional and have < count):
                return None
        return [options[0] if options else UNMET for options in attempts.options]

    def _ordered(self, owner: list[int]) -> bool:
        ordering, found, calls = self.compiled.ordering, self.attempts.found, self.attempts.calls
        if any(need.sources for need in self.compiled.needs):
            return False
        for pair in ordering.all_pairs:
            for first in found[pair.left]:
                for second in found[pair.right]:
                    one, other = calls[first], calls[second]
                    known = one.delivered_at
                    certain = known is not None and known < other.issued_at and not other.inferred and one.context == other.context
                    if not certain and not self.strict.holds(pair.relation, first, second):
                        return False
        return not ordering.user_pairs or all(
            need < 0 or not ordering.turn[need] or self.strict.after_turn(ordering.turn[need], place) for place, need in enumerate(owner)
        )

    def _classes(self, owner: list[int]) -> list[Classified]:
        """Return the class of every attempt; extras of tools that were called once need no closer look."""
        if UNMET not in owner:
            return [IS_MET] * len(owner)
        process, plans = self.compiled.process, self.attempts.plans
        names = [plan.name for plan in plans]
        if process.extras.at_most is not None or process.extras.allow == "none":
            return classify(self.leftovers, owner)
        for place, need in enumerate(owner):
            call = self.attempts.calls[place]
            plain = call.failure is None and self.attempts.good(place) and self.attempts.extra_allowed(place)
            if need < 0 and not (plain and names.count(names[place]) == 1):
                return classify(self.leftovers, owner)
        return [IS_MET if need >= 0 else IS_EXTRA for need in owner]

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
