"""What came before what: issue, delivery, contexts and hand-overs, under a strict and a lenient reading.

A call whose proposing message was not seen has only its arrival (`inferred`); it was issued then or earlier. Under the strict
reading a pair that rests on such an arrival does not hold, under the lenient one it holds unless it is certainly violated.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from seatrial.grade.process.attempts import Attempts
from seatrial.grade.process.ordering import DELIVERED, FOLLOWS
from seatrial.records.trace import Handoff


class Timeline:
    """The times of all judged attempts.

    Args:
        attempts: The attempts in issue order.
        lenient: Whether a pair holds that an inferred time leaves open.
    """

    def __init__(self, attempts: Attempts, *, lenient: bool = False) -> None:
        calls = attempts.calls
        self.calls, self.lenient = calls, lenient
        by_arrival = attempts.compiled.process.order_by == "arrival"
        self.issued = [call.issued_at for call in calls]
        self.inferred = [call.inferred and not by_arrival for call in calls]
        self.any_inferred = any(self.inferred)
        self.turns = [turn.sequence for turn in attempts.view.user_turns]
        self.handoffs: Sequence[Handoff] = ()
        if len({call.context for call in calls}) > 1:
            self.handoffs = sorted(attempts.view.handoffs, key=lambda step: step.sequence)
            self._known = [self._spread(call.context, call.delivered_at) for call in calls]
        else:
            self._known = None
        self.simple = self._known is None and (lenient or not self.any_inferred)

    def follows(self, first: int, second: int) -> bool:
        """Tell whether the second was issued after the first's answer was delivered to the context that issued the second."""
        delivered = self.calls[first].delivered_at
        if self._known is not None:
            delivered = self._known[first].get(self.calls[second].context)
        return delivered is not None and delivered < self.issued[second] and (self.lenient or not self.inferred[second])

    def issued_before(self, first: int, second: int) -> bool:
        """Tell whether the first was issued before the second: in an earlier message, or earlier in one message."""
        if first < second:
            return self.lenient or not self.inferred[second]
        return self.lenient and self.inferred[first]

    def holds(self, relation: str, first: int, second: int) -> bool:
        """Tell whether an order pair holds between two attempts."""
        if relation == FOLLOWS:
            return self.follows(first, second)
        if relation == DELIVERED:
            delivered = self.calls[first].delivered_at
            return delivered is not None and delivered < self.issued[second] and (self.lenient or not self.inferred[second])
        return self.issued_before(first, second)

    def after_turn(self, turn: int, place: int) -> bool:
        """Tell whether an attempt was issued after the nth user turn."""
        if turn > len(self.turns):
            return False
        return self.turns[turn - 1] < self.issued[place] and (self.lenient or turn <= 1 or not self.inferred[place])

    def settled_from(self, place: int) -> int:
        """Return the first place from which on every attempt follows this one; the number of attempts when none does.

        Only where `simple`: with several contexts, or inferred times read strictly, there is no such place.
        """
        delivered = self.calls[place].delivered_at
        return len(self.issued) if delivered is None else bisect_right(self.issued, delivered)

    def _spread(self, context: str, delivered: int | None) -> dict[str, int]:
        if delivered is None:
            return {}
        known = {context: delivered}
        for step in self.handoffs:
            at = known.get(step.source)
            if at is not None and at < step.sequence and step.target not in known:
                known[step.target] = step.sequence
        return known
