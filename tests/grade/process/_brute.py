"""The process judged the slow way: every assignment is tried, every rule is checked as written, and no code is shared with the matcher."""

from __future__ import annotations

from itertools import product

import msgspec
from msgspec import UNSET

from seatrial.records.contract import Process, ToolSpec
from seatrial.records.trace import Approval, Handoff, ToolCall, Trace, UserTurn

SPOILT = {"malformed", "truncated", "empty", "lost_response"}
STRENGTH = {"<": 2, "delivered": 1, "then": 0}
UNKNOWN = None


class Brute:
    """One process and one trace.

    Args:
        process: The process; expected arguments are literals and `{"$from": "id"}` only.
        tools: Tool name → its specification.
        trace: The trace.
    """

    def __init__(self, process: Process, tools: dict[str, ToolSpec], trace: Trace) -> None:
        self.process, self.tools, self.trace = process, tools, trace
        self.calls = sorted(
            (step for step in trace.steps if type(step) is ToolCall and step.by == "agent"),
            key=lambda call: (call.issued_at, call.position, call.sequence),
        )
        self.size = len(self.calls)
        self.arguments = [self.decoded(call.executed if call.executed is not UNSET else call.proposed) for call in self.calls]
        self.observations = [None if call.observation is UNSET else self.decoded(call.observation) for call in self.calls]
        self.required = {each.id: each for each in process.required}
        self.closure = self.closed()
        self.candidates = {each.id: [place for place in range(self.size) if self.could_meet(each, place)] for each in process.required}

    @staticmethod
    def decoded(data):
        return msgspec.json.decode(data)

    # What a call came to.

    def reads(self, place):
        return self.tools[self.calls[place].tool].effect == "read"

    def good(self, place):
        call = self.calls[place]
        if call.executed is UNSET:
            return False
        return call.failure is None or (not self.reads(place) and call.failure.kind in SPOILT)

    def refused(self, place):
        return self.calls[place].failure is not None and self.calls[place].failure.kind == "refused"

    def permanent(self, place):
        return not self.good(place) and self.calls[place].failure.transient is False

    def could_meet(self, each, place, sources=None):
        call = self.calls[place]
        if call.tool not in each.call:
            return False
        if each.status == "ok" and not self.good(place):
            return False
        if each.status != "ok":
            return self.failed_as(each.status, place) and self.fits(each, place, sources)
        return self.fits(each, place, sources)

    def failed_as(self, status, place):
        failure = self.calls[place].failure
        return failure is not None and not self.refused(place) and status in ("error", failure.status)

    def fits(self, each, place, sources):
        if each.with_ is UNSET:
            return True
        expected, actual = self.decoded(each.with_), self.arguments[place]
        if each.match == "subset":
            actual = {key: value for key, value in actual.items() if key in expected}
        if set(expected) != set(actual):
            return False
        return all(self.equal(value, actual[key], sources) for key, value in expected.items())

    @staticmethod
    def equal(expected, actual, sources):
        if isinstance(expected, dict):
            name = expected["$from"]
            if sources is None or sources.get(name, ()) is None:
                return True
            return any(value == actual for value in sources.get(name, ()))
        return expected == actual

    def froms(self, each):
        return [] if each.with_ is UNSET else [value["$from"] for value in self.decoded(each.with_).values() if isinstance(value, dict)]

    # Order.

    def closed(self):
        pairs = {}
        for order in self.process.order:
            self.stronger(pairs, (order.left, order.right), order.relation)
        for each in self.process.required:
            for name in self.froms(each):
                self.stronger(pairs, (name, each.id), "<")
        names = [*self.required, *(f"user.{n}" for n in range(1, 5))]
        for middle in names:
            for left, right in product(names, names):
                if (left, middle) in pairs and (middle, right) in pairs:
                    one, other = pairs[left, middle], pairs[middle, right]
                    both = "then" if one == "then" else "<" if one == other == "<" else "delivered"
                    self.stronger(pairs, (left, right), both)
        return pairs

    @staticmethod
    def stronger(pairs, key, relation):
        if key not in pairs or STRENGTH[relation] > STRENGTH[pairs[key]]:
            pairs[key] = relation

    def doubtful(self, place):
        return self.calls[place].inferred and self.process.order_by == "message"

    def known_in(self, place, context):
        call = self.calls[place]
        if call.delivered_at is None:
            return None
        known = {call.context: call.delivered_at}
        for step in self.trace.steps:
            if type(step) is Handoff and step.source in known and known[step.source] < step.sequence:
                known.setdefault(step.target, step.sequence)
        return known.get(context)

    def holds(self, relation, first, second):
        """True, False, or UNKNOWN."""
        one, other = self.calls[first], self.calls[second]
        if relation == "then":
            before = (one.issued_at, one.position, one.sequence) < (other.issued_at, other.position, other.sequence)
            if before:
                return UNKNOWN if self.doubtful(second) else True
            return UNKNOWN if self.doubtful(first) else False
        at = one.delivered_at if relation == "delivered" else self.known_in(first, other.context)
        if at is None or at >= other.issued_at:
            return False
        return UNKNOWN if self.doubtful(second) else True

    def after_turn(self, number, place):
        turns = [step.sequence for step in self.trace.steps if type(step) is UserTurn]
        if number > len(turns) or turns[number - 1] >= self.calls[place].issued_at:
            return False
        return UNKNOWN if self.doubtful(place) and number > 1 else True

    def order_of(self, met):
        """Whether an assignment keeps the order: the worst of all its pairs."""
        found = [True]
        direct = {(order.left, order.right, order.relation) for order in self.process.order}
        for (left, right), relation in self.closure.items():
            if right not in self.required:
                continue
            for second in met[right]:
                if left.startswith("user."):
                    found.append(self.after_turn(int(left[5:]), second))
                    continue
                for first in met[left]:
                    found.append(self.holds(relation, first, second))
                    found += [self.holds(name, first, second) for a, b, name in direct if (a, b) == (left, right)]
        return worst(found)

    def writes_led(self, met):
        """Whether every write that could meet the right of `<` follows a call that meets the left; calls that meet another are free."""
        found = [True]
        taken = {place for places in met.values() for place in places}
        for (left, right), relation in self.closure.items():
            if right not in self.required:
                continue
            for place in self.candidates[right]:
                if place in taken or self.reads(place) or not self.good(place):
                    continue
                if left.startswith("user."):
                    found.append(self.after_turn(int(left[5:]), place))
                elif relation == "<" and (met[left] or not self.required[left].optional):
                    found.append(self.led(left, right, place))
        return worst(found)

    def led(self, left, right, place):
        options = [False]
        for first in self.candidates[left]:
            others = dict.fromkeys(self.froms(self.required[right]))
            if left in others and not self.could_meet(self.required[right], place, others | {left: [self.observations[first]]}):
                continue
            options.append(self.holds("<", first, place))
        return best(options)

    # Classes.

    def later(self, first, second):
        one, other = self.calls[first], self.calls[second]
        at = one.issued_at if one.delivered_at is None else one.delivered_at
        return first < second and at < other.issued_at

    def same(self, first, second):
        return self.calls[first].tool == self.calls[second].tool and self.arguments[first] == self.arguments[second]

    def twins(self, place):
        return [other for other in range(self.size) if self.same(place, other) and not self.refused(other)]

    def changed(self, first, second):
        start, end = self.calls[first].issued_at, self.calls[second].issued_at
        return any(
            other != first
            and start <= self.calls[other].issued_at < end
            and (self.calls[other].changes or (not self.reads(other) and self.good(other)))
            for other in range(self.size)
        )

    def kind(self, place, taken):  # noqa: C901, PLR0911 - the list of classes, first that fits
        if place in taken:
            return "met"
        if self.refused(place):
            return "refused"
        twins = self.twins(place)
        again = [other for other in twins if self.later(place, other)]
        if not self.good(place):
            retryable = again and (not self.permanent(place) or self.changed(place, again[0]))
            if retryable and self.run_length(place, twins) <= self.process.retries:
                return "retried"
            if self.corrected(place):
                return "correction"
        if any(self.later(other, place) and self.permanent(other) and not self.changed(other, place) for other in twins):
            return "stubborn"
        if again and self.permanent(place) and not self.changed(place, again[0]):
            if self.kind(again[0], taken) in ("met", "retried", "correction"):
                return "stubborn"
            return self.plain_kind(place)
        goods = [other for other in twins if self.good(other)]
        earlier = [other for other in goods if other < place]
        if earlier and self.good(place) and self.reads(place) and self.later(earlier[-1], place) and self.changed(earlier[-1], place):
            return "recheck"
        if any(other in taken for other in twins) or (goods and goods[0] != place):
            return "repeat"
        return self.plain_kind(place)

    def plain_kind(self, place):
        return "extra" if self.calls[place].validity == "valid" else "invalid"

    def run_length(self, place, twins):
        length = 0
        for other in twins:
            if other > place:
                break
            length = 0 if self.good(other) else length + 1
        return length

    def corrected(self, place):
        of_tool = [
            other
            for other in range(self.size)
            if self.calls[other].tool == self.calls[place].tool and not self.refused(other) and self.later(place, other)
        ]
        following = [other for other in of_tool if self.calls[other].issued_at == self.calls[of_tool[0]].issued_at]
        return bool(following) and not any(self.same(place, other) for other in following)

    def over_limit(self, place):
        again = [other for other in self.twins(place) if self.later(place, other)]
        if self.good(place) or not again:
            return False
        return not (self.permanent(place) and not self.changed(place, again[0]))

    def allowed(self, place):
        allow = self.process.extras.allow
        if isinstance(allow, tuple):
            return self.calls[place].tool in allow
        return allow == "any" or (allow == "reads" and self.reads(place))

    def fault(self, place, kind):  # noqa: PLR0911 - the list of rules, first that fits
        allow = self.process.extras.allow
        if kind in ("met", "retried"):
            return False
        if allow == "none":
            return True
        if kind == "refused":
            return not any(type(s) is Approval and s.call == self.calls[place].sequence and not s.approved for s in self.trace.steps)
        if allow == "any":
            return False
        if kind == "stubborn" or (kind in ("repeat", "extra", "invalid") and self.over_limit(place)):
            return True
        if kind == "correction":
            return bool(self.calls[place].changes)
        return kind in ("extra", "invalid") and not self.allowed(place)

    def tidy(self, taken):
        """Whether every call that meets nothing is allowed to."""
        kinds = [self.kind(place, taken) for place in range(self.size)]
        if any(self.fault(place, kind) for place, kind in enumerate(kinds)):
            return False
        if self.process.extras.allow == "none":
            return True
        for reads, quota in ((True, self.process.repeats_reads), (False, self.process.repeats_writes)):
            repeats = sum(kind == "repeat" and self.reads(place) == reads for place, kind in enumerate(kinds))
            if quota is not None and repeats > quota:
                return False
        limit = self.process.extras.at_most
        return limit is None or sum(kind not in ("met", "retried") for kind in kinds) <= limit

    # Assignments.

    def assignments(self):
        names = list(self.required)
        options = [[None, *(name for name in names if place in self.candidates[name])] for place in range(self.size)]
        for choice in product(*options):
            met = {name: [place for place, chosen in enumerate(choice) if chosen == name] for name in names}
            if all(len(met[n]) == e.count or (e.optional and len(met[n]) < e.count) for n, e in self.required.items()):
                yield met

    def sourced(self, met):
        for name, each in self.required.items():
            froms = self.froms(each)
            for place in met[name] if froms else ():
                sources = {source: [self.observations[first] for first in met[source]] for source in froms}
                if not self.could_meet(each, place, sources):
                    return False
        return True

    def verdict(self):
        found = [False]
        for met in self.assignments():
            if self.sourced(met) and self.tidy({place for places in met.values() for place in places}):
                found.append(worst([self.order_of(met), self.writes_led(met)]))
                if found[-1] is True:
                    break
        return {True: "pass", False: "fail", UNKNOWN: "undetermined"}[best(found)]


def worst(values):
    return False if False in values else UNKNOWN if UNKNOWN in values else True


def best(values):
    return True if True in values else UNKNOWN if UNKNOWN in values else False
