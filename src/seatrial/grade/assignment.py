"""Assignments of one set to another: as many pairs as possible, or pairs of the greatest total weight.

Both are recursion-free: a thousand calls of one kind must not end in a recursion error.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence


def maximum_matching(options: Sequence[Sequence[int]], rights: int) -> list[int]:
    """Match as many left members as possible, each to one right member of its own.

    Augmenting paths by breadth-first search (Kuhn, 1955; Berge, 1957).

    Args:
        options: For each left member the right members it may have, best first.
        rights: How many right members there are.

    Returns:
        For each left member its right member, -1: none.
    """
    left_of, right_of = [-1] * rights, [-1] * len(options)
    for left in range(len(options)):
        _augment(left, options, left_of, right_of)
    return right_of


def _augment(start: int, options: Sequence[Sequence[int]], left_of: list[int], right_of: list[int]) -> bool:
    reached: dict[int, int] = {}
    queue = deque((start,))
    while queue:
        left = queue.popleft()
        for right in options[left]:
            if right in reached:
                continue
            reached[right] = left
            if left_of[right] < 0:
                _flip(right, reached, left_of, right_of)
                return True
            queue.append(left_of[right])
    return False


def _flip(right: int, reached: dict[int, int], left_of: list[int], right_of: list[int]) -> None:
    while right >= 0:
        left = reached[right]
        left_of[right], right_of[left], right = left, right, right_of[left]


def heaviest_matching(weights: Sequence[Sequence[float]]) -> list[int]:
    """Match every left member to one right member of its own so that the sum of the weights is greatest.

    The Hungarian method with shortest augmenting paths (Kuhn, 1955; Jonker and Volgenant, 1987): cost cubic in the size.

    Args:
        weights: For each left member the weight with each right member, 0 or more; all rows are of one length.

    Returns:
        For each left member its right member, -1: none (there are fewer right than left members).
    """
    lefts, rights = len(weights), len(weights[0]) if weights else 0
    if lefts > rights:
        by_right = heaviest_matching([[row[right] for row in weights] for right in range(rights)]) if rights else []
        result = [-1] * lefts
        for right, left in enumerate(by_right):
            result[left] = right
        return result
    return _shortest_paths(weights, lefts, rights)


def _shortest_paths(weights: Sequence[Sequence[float]], lefts: int, rights: int) -> list[int]:
    of_left, of_right = [0.0] * (lefts + 1), [0.0] * (rights + 1)
    match = [0] * (rights + 1)
    for left in range(1, lefts + 1):
        match[0] = left
        way, column = _grow_tree(weights, of_left, of_right, match)
        while column:
            match[column], column = match[way[column]], way[column]
    result = [-1] * lefts
    for right in range(1, rights + 1):
        if match[right]:
            result[match[right] - 1] = right - 1
    return result


def _grow_tree(weights: Sequence[Sequence[float]], of_left: list[float], of_right: list[float], match: list[int]) -> tuple[list[int], int]:
    rights = len(match) - 1
    least, way, used = [float("inf")] * (rights + 1), [0] * (rights + 1), [False] * (rights + 1)
    column = 0
    while True:
        used[column] = True
        row, delta, following = match[column], float("inf"), 0
        costs, potential = weights[row - 1], of_left[row]
        for right in range(1, rights + 1):
            if used[right]:
                continue
            cost = -costs[right - 1] - potential - of_right[right]
            if cost < least[right]:
                least[right], way[right] = cost, column
            if least[right] < delta:
                delta, following = least[right], right
        _shift(delta, used, least, of_left, of_right, match)
        column = following
        if not match[column]:
            return way, column


def _shift(delta: float, used: list[bool], least: list[float], of_left: list[float], of_right: list[float], match: list[int]) -> None:
    for right, taken in enumerate(used):
        if taken:
            of_left[match[right]] += delta
            of_right[right] -= delta
        else:
            least[right] -= delta
