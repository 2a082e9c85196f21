"""Assignment without order: a matching that meets every mandatory need and covers every attempt that has to be met.

A matching that covers one given set on each side exists when each set can be covered by itself (Mendelsohn and Dulmage, 1958):
the attempts are covered first, and augmenting paths for the needs never uncover one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence

from seatrial.grade.process.compiled import Need

UNMET = -1


class Matching:
    """A growing assignment of attempts to needs.

    Args:
        options: For each attempt the needs that it could meet.
        found: For each need the attempts that could meet it, best first.
        needs: The needs.
    """

    def __init__(self, options: Sequence[Sequence[int]], found: Sequence[Sequence[int]], needs: Sequence[Need]) -> None:
        self.options, self.found, self.needs = options, found, needs
        self.owner = [UNMET] * len(options)
        self.held: list[set[int]] = [set() for _ in needs]

    def cover(self, places: Iterable[int]) -> bool:
        """Cover attempts, and tell whether all could be."""
        missed = [place for place in places if self.owner[place] < 0 and not self._cover_one(place)]
        return not missed

    def meet(self, needs: Iterable[int]) -> bool:
        """Meet mandatory needs as often as they require, at the cost of optional ones; tell whether all could be met."""
        whole = True
        for need in needs:
            while len(self.held[need]) < self.needs[need].count:
                if not self._meet_one(need):
                    whole = False
                    break
        return whole

    def take(self, place: int, need: int) -> None:
        """Let an attempt meet a need, and nothing else."""
        if self.owner[place] >= 0:
            self.held[self.owner[place]].discard(place)
        self.owner[place] = need
        self.held[need].add(place)

    def _cover_one(self, start: int) -> bool:
        came: dict[int, int] = {}
        queue = deque((start,))
        while queue:
            place = queue.popleft()
            for need in self.options[place]:
                if need in came:
                    continue
                came[need] = place
                if len(self.held[need]) < self.needs[need].count:
                    self._shift_places(need, came, start)
                    return True
                queue.extend(sorted(self.held[need]))
        return False

    def _shift_places(self, need: int, came: dict[int, int], start: int) -> None:
        while True:
            place = came[need]
            before = self.owner[place]
            self.take(place, need)
            if place == start:
                return
            need = before

    def _meet_one(self, start: int) -> bool:
        came: dict[int, int] = {}
        wanting: dict[int, int] = {}
        queue = deque((start,))
        seen = {start}
        while queue:
            need = queue.popleft()
            for place in self.found[need]:
                if place in came or self.owner[place] == need:
                    continue
                came[place] = need
                holder = self.owner[place]
                if holder < 0 or self.needs[holder].optional:
                    self._shift_needs(place, came, wanting, start)
                    return True
                if holder not in seen:
                    seen.add(holder)
                    wanting[holder] = place
                    queue.append(holder)
        return False

    def _shift_needs(self, place: int, came: dict[int, int], wanting: dict[int, int], start: int) -> None:
        while True:
            need = came[place]
            self.take(place, need)
            if need == start:
                return
            place = wanting[need]


def covering(
    options: Sequence[Sequence[int]], found: Sequence[Sequence[int]], needs: Sequence[Need], must: Collection[int]
) -> list[int] | None:
    """Return an assignment that meets every mandatory need and covers the given attempts, and as many others as possible.

    Args:
        options: For each attempt the needs that it could meet.
        found: For each need the attempts that could meet it.
        needs: The needs.
        must: Attempts that have to meet a need.

    Returns:
        For each attempt its need, -1: none; `None` when there is no such assignment.
    """
    matching = Matching(options, found, needs)
    if not matching.cover(sorted(must)) or not matching.meet(need for need, each in enumerate(needs) if not each.optional):
        return None
    matching.cover(range(len(options)))
    return matching.owner
