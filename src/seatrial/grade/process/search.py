"""Assignment under order: a search over the attempts in issue order, equal states merged.

Most traces are decided by going deep first, which finds a right assignment after about as many steps as there are attempts. Where that
gets lost, the search goes broad: all states after one attempt, then all after the next; of two that differ only in when answers are
known, the earlier one is kept. No recursion: a trace may have thousands of calls.
"""

from __future__ import annotations

from seatrial.grade.process.matching import covering
from seatrial.grade.process.problem import Problem
from seatrial.grade.process.states import Known, Link, Moves, Node, State

MAX_STATES = 65_536
"""Live states beyond which the verdict is undetermined."""
MAX_DEEP = 4_096
"""States that the search looks at in depth before it goes broad."""
Layer = dict[State, list[tuple[Known, Link]]]


class TooManyStates(Exception):
    """The trace allows more live states than are looked at."""


class Search:
    """One search for an assignment without fault.

    Args:
        problem: What the assignment has to achieve.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem, self.moves = problem, Moves(problem)
        self.places, self.simple = self.moves.places, self.moves.simple

    def run(self) -> list[int] | None:
        """Return for each attempt its need, -1: none; `None` when there is no assignment without fault.

        Raises:
            TooManyStates: More than `MAX_STATES` are live at once.
        """
        start = self.moves.start()
        if start is None or covering(self.moves.options, self.moves.found, self.problem.needs, self.problem.must) is None:
            return None
        sure, found = self._deep(start)
        return self._owner(found[2]) if found is not None else None if sure else self._broad(start)

    def _deep(self, start: Node) -> tuple[bool, Node | None]:
        """Return whether the search came to an end, and the goal it found."""
        stack = [(0, start)]
        seen = set[tuple[int, State, Known]]()
        while stack:
            depth, node = stack.pop()
            key = (depth, node[0], node[1])
            if key in seen:
                continue
            if len(seen) >= MAX_DEEP:
                return False, None
            seen.add(key)
            if depth < len(self.places):
                stack += [(depth + 1, each) for each in reversed([*self.moves.moves(node, self.places[depth])])]
            elif self.moves.goal(node[0]):
                return True, node
        return True, None

    def _broad(self, start: Node) -> list[int] | None:
        layer: Layer = {start[0]: [start[1:]]}
        for place in self.places:
            following: Layer = {}
            for state, variants in layer.items():
                for known, link in variants:
                    for each in self.moves.moves((state, known, link), place):
                        self._add(following, *each)
            layer = following
            if sum(map(len, layer.values())) > MAX_STATES:
                raise TooManyStates
        whole = [state for state in layer if self.moves.goal(state)]
        return self._owner(layer[whole[0]][0][1]) if whole else None

    def _add(self, layer: Layer, state: State, known: Known, link: Link) -> None:
        variants = layer.setdefault(state, [])
        if not self.simple:
            if all(known != other for other, _ in variants):
                variants.append((known, link))
        elif not any(_no_later(other, known) for other, _ in variants):
            variants[:] = [variant for variant in variants if not _no_later(known, variant[0])]
            variants.append((known, link))

    def _owner(self, link: Link) -> list[int]:
        owner = [-1] * len(self.moves.options)
        while link is not None:
            link, place, need = link
            owner[place] = need
        return owner


def _no_later(one: Known, other: Known) -> bool:
    return all(first <= second for first, second in zip(one, other, strict=True))  # type: ignore[operator]
