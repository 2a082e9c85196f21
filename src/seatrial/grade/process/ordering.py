"""The order pairs of a process, compiled: what must precede what, directly and through calls that may be missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from seatrial.records.contract import Order

FOLLOWS, ISSUED, DELIVERED = "<", "then", "delivered"
"""`FOLLOWS`: issued after the other's answer was delivered to the issuing context. `ISSUED`: issue order. `DELIVERED`: issued
after the other's answer was delivered to any context; it arises only where `a < b` and `b then c` are taken together."""
_USER = "user."


@dataclass(frozen=True, slots=True)
class Pair:
    """One order pair between two required calls."""

    left: int
    relation: str
    right: int
    shown: str
    """As written, or the chain it follows from."""


@dataclass(frozen=True, slots=True)
class UserPair:
    """One required call that must be issued after a user turn."""

    turn: int
    """Number of the turn, from 1."""
    right: int
    shown: str


class Ordering:
    """All pairs of a process.

    Args:
        orders: The pairs as written, and those that `{$from: …}` implies.
        ids: Id → index of the required call.
        optional: Whether each required call may be missing.

    Raises:
        ValueError: A pair names an unknown id, or the order has a cycle.
    """

    def __init__(self, orders: Sequence[Order], ids: Mapping[str, int], optional: Sequence[bool]) -> None:
        self.size = len(optional)
        self.pairs: list[Pair] = []
        self.user_pairs: list[UserPair] = []
        for order in orders:
            self._add(order, ids)
        self.sequence = self._sorted()
        self.derived = self._through_optional(optional)
        self.all_pairs = (*self.pairs, *self.derived)
        self.before = self.by_right(self.all_pairs)
        self.after = self.by_left(self.all_pairs)
        self.turn = self._turns()
        self.turn_pairs = (*self.user_pairs, *self._inherited({index: name for name, index in ids.items()}))
        self._closed: list[dict[int, str]] | None = None

    def _add(self, order: Order, ids: Mapping[str, int]) -> None:
        shown = f"{order.left} {order.relation} {order.right}"
        if order.right not in ids:
            raise ValueError(f"the order {shown!r} names no required call {order.right!r}")
        if order.left in ids:
            self.pairs.append(Pair(ids[order.left], order.relation, ids[order.right], shown))
        elif order.left.startswith(_USER) and order.left[len(_USER) :].isdecimal():
            self.user_pairs.append(UserPair(int(order.left[len(_USER) :]), ids[order.right], shown))
        else:
            raise ValueError(f"the order {shown!r} names no required call {order.left!r}")

    def _sorted(self) -> list[int]:
        """Return the required calls so that left comes before right (Kahn, 1962)."""
        waiting, following = [0] * self.size, [[] for _ in range(self.size)]
        for pair in self.pairs:
            waiting[pair.right] += 1
            following[pair.left].append(pair.right)
        ready = [index for index, count in enumerate(waiting) if not count]
        for index in ready:
            for right in following[index]:
                waiting[right] -= 1
                if not waiting[right]:
                    ready.append(right)
        if len(ready) < self.size:
            raise ValueError(f"the order has a cycle through {[pair.shown for pair in self.pairs if waiting[pair.right]]}")
        return ready

    def _through_optional(self, optional: Sequence[bool]) -> list[Pair]:
        """Return the pairs that follow from others through optional calls only: they hold also when those are missing."""
        if not any(optional):
            return []
        direct = {(pair.left, pair.relation, pair.right) for pair in self.pairs}
        after, found = self.by_left(self.pairs), dict[tuple[int, str, int], Pair]()
        waiting = [pair for pair in self.pairs if optional[pair.right]]
        while waiting:
            first = waiting.pop()
            for second in after[first.right]:
                pair = _chained(first, second)
                key = (pair.left, pair.relation, pair.right)
                if key in direct or key in found:
                    continue
                found[key] = pair
                if optional[pair.right]:
                    waiting.append(pair)
        return list(found.values())

    def by_right(self, pairs: Sequence[Pair]) -> list[list[Pair]]:
        """Return for each required call the pairs that it is on the right of."""
        found: list[list[Pair]] = [[] for _ in range(self.size)]
        for pair in pairs:
            found[pair.right].append(pair)
        return found

    def by_left(self, pairs: Sequence[Pair]) -> list[list[Pair]]:
        """Return for each required call the pairs that it is on the left of."""
        found: list[list[Pair]] = [[] for _ in range(self.size)]
        for pair in pairs:
            found[pair.left].append(pair)
        return found

    def _turns(self) -> list[int]:
        """Return for each required call the last user turn that must precede it, directly or through others; 0: none."""
        turn = [0] * self.size
        for pair in self.user_pairs:
            turn[pair.right] = max(turn[pair.right], pair.turn)
        for index in self.sequence:
            for pair in self.before[index]:
                turn[index] = max(turn[index], turn[pair.left])
        return turn

    def _inherited(self, names: Mapping[int, str]) -> list[UserPair]:
        """Return the user turns that must precede a required call because they must precede what comes before it."""
        own = {(pair.turn, pair.right) for pair in self.user_pairs}
        found = [(turn, index) for index, turn in enumerate(self.turn) if turn and (turn, index) not in own]
        return [UserPair(turn, index, f"user.{turn} < {names[index]}") for turn, index in found]

    def closure(self) -> list[Pair]:
        """Return all pairs of the transitive closure."""
        return [Pair(left, relation, right, "") for right in range(self.size) for left, relation in self.closed(right).items()]

    def closed(self, right: int) -> dict[int, str]:
        """Return everything that precedes a required call in the transitive closure, with its relation."""
        if self._closed is None:
            self._closed = [{} for _ in range(self.size)]
            for index in self.sequence:
                self._close(index)
        return self._closed[right]

    def _close(self, right: int) -> None:
        assert self._closed is not None  # noqa: S101 - set by the only caller
        found = self._closed[right]
        for pair in self.before[right]:
            found[pair.left] = _stronger(found.get(pair.left), pair.relation)
            for left, relation in self._closed[pair.left].items():
                found[left] = _stronger(found.get(left), composed(relation, pair.relation))


def composed(first: str, second: str) -> str:
    """Return the relation of a to c when `a first b` and `b second c`."""
    if first == ISSUED:
        return ISSUED
    return FOLLOWS if first == FOLLOWS and second == FOLLOWS else DELIVERED


def _chained(first: Pair, second: Pair) -> Pair:
    return Pair(first.left, composed(first.relation, second.relation), second.right, f"{first.shown}, {second.shown}")


_STRENGTH = {FOLLOWS: 2, DELIVERED: 1, ISSUED: 0}


def _stronger(one: str | None, other: str) -> str:
    return other if one is None or _STRENGTH[other] > _STRENGTH[one] else one
