"""The assignment problem of one trace under one reading of its times: who could meet what, and who must be met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from seatrial.grade.matchers import Bindings
from seatrial.grade.process.attempts import Attempts
from seatrial.grade.process.leftovers import Leftovers
from seatrial.grade.process.ordering import FOLLOWS
from seatrial.grade.process.timeline import Timeline


class Problem:
    """What an assignment has to achieve.

    Args:
        attempts: The judged attempts.
        leftovers: What becomes of those that meet nothing.
        timeline: What came before what.
    """

    def __init__(self, attempts: Attempts, leftovers: Leftovers, timeline: Timeline) -> None:
        self.attempts, self.leftovers, self.timeline = attempts, leftovers, timeline
        self.needs, self.ordering = attempts.compiled.needs, attempts.compiled.ordering
        self.options = [self._timely(place) for place in range(leftovers.size)]
        self.found: list[list[int]] = [[] for _ in self.needs]
        for place, options in enumerate(self.options):
            for need in options:
                self.found[need].append(place)
        self.must = set(leftovers.must)
        self.conflicts: dict[int, set[int]] = {}
        """Attempt → optional needs that cannot be met when it meets nothing."""
        if self.ordering.pairs or self.ordering.user_pairs:
            for place in range(leftovers.size):
                self._check_write(place)

    @property
    def short(self) -> list[int]:
        """Mandatory needs with fewer candidates than they require."""
        return [need for need in self.attempts.compiled.mandatory if len(self.found[need]) < self.needs[need].count]

    @property
    def hopeless(self) -> bool:
        """Whether some need, or some attempt that has to meet one, has no partner."""
        return bool(self.short) or any(not self.options[place] for place in self.must)

    def _timely(self, place: int) -> tuple[int, ...]:
        options, turn = self.attempts.options[place], self.ordering.turn
        if not options or not self.ordering.user_pairs:
            return options
        return tuple(need for need in options if not turn[need] or self.timeline.after_turn(turn[need], place))

    def _check_write(self, place: int) -> None:
        """A write that could meet the right side of `<` must follow the left side, even when it meets nothing."""
        options = self.attempts.options[place]
        if not options or self.attempts.reads(place) or not self.leftovers.is_good[place]:
            return
        for need in options:
            turn = self.ordering.turn[need]
            if turn and not self.timeline.after_turn(turn, place):
                self.must.add(place)
            for left in self.unfollowed(need, place):
                if self.needs[left].optional:
                    self.conflicts.setdefault(place, set()).add(left)
                else:
                    self.must.add(place)

    def unfollowed(self, need: int, place: int) -> list[int]:
        """Return the needs left of `<` that no call meets before a write that could meet this need."""
        closed = self.ordering.closed(need) if self.ordering.before[need] else {}
        return [left for left, relation in closed.items() if relation == FOLLOWS and not self._followed(left, need, place)]

    def _followed(self, left: int, need: int, place: int) -> bool:
        bound = left in self.needs[need].sources
        return any(
            self.timeline.follows(first, place) and (not bound or self.fits(need, place, {left: (first,)}))
            for first in self.attempts.found[left]
        )

    def fits(self, need: int, place: int, assigned: Mapping[int, Sequence[int]]) -> bool:
        """Tell whether an attempt has the values that its need takes from other calls.

        Args:
            need: The need.
            place: The attempt.
            assigned: Need → the attempts that meet it; a source that is not named here may have answered anything.
        """
        matcher = next(matcher for wanted, matcher in self.attempts.plans[place].wanted if wanted == need)
        return matcher.matches(self.attempts.views[place].arguments, self.attempts.calls[place], self.bindings(need, assigned))

    def bindings(self, need: int, assigned: Mapping[int, Sequence[int]]) -> Bindings:
        """Return what the sources of a need have answered."""
        views = self.attempts.views
        return {
            self.needs[source].members[0].id: [views[place].observation for place in assigned[source]] if source in assigned else None
            for source in self.needs[need].sources
        }
