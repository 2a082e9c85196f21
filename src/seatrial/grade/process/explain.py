"""The rows of a result: what became of every requirement, order pair and call, and why the verdict is what it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from seatrial.base.wording import count
from seatrial.grade.lazy import lazy
from seatrial.grade.process.attempts import MAX_REMEMBERED, Attempts
from seatrial.grade.process.classify import IS_EXTRA, IS_MET, Classified
from seatrial.grade.process.decision import UNMET, Decision, Judge
from seatrial.grade.process.leftovers import MET
from seatrial.grade.process.near_miss import mistaken_for
from seatrial.grade.process.ordering import ISSUED, Pair, UserPair
from seatrial.grade.process.timeline import Timeline
from seatrial.records.contract import Order, Required
from seatrial.records.grade import Answer, CallClass, Counts, Difference, OrderRow, RequirementRow, Verdict

MAX_PROBLEMS = 4
"""How many faults a reason names; the rows hold all."""
_COUNTED = {
    "retried": "retried",
    "correction": "corrections",
    "stubborn": "stubborn",
    "repeat": "repeats",
    "recheck": "rechecks",
    "extra": "extras",
    "invalid": "invalid",
    "refused": "refused",
}
"""Class → the field of `Counts` that counts it."""


class Explanation:
    """Everything that can be said about one decision; each part is made when it is asked for.

    Args:
        judge: Who decided.
        decision: The decision.
    """

    def __init__(self, judge: Judge, decision: Decision) -> None:
        self.judge, self.decision = judge, decision
        self.attempts, self.compiled = judge.attempts, judge.compiled
        self.calls, self.needs = judge.attempts.calls, judge.compiled.needs

    @lazy
    def owner(self) -> list[int]:
        """For each attempt the need that it meets, -1: none."""
        owner = self.decision.owner
        return [options[0] if options else UNMET for options in self.attempts.options] if owner is None else owner

    @lazy
    def kinds(self) -> list[Classified]:
        """The class of each attempt."""
        classes = self.decision.classes
        return [IS_MET if need >= 0 else IS_EXTRA for need in self.owner] if classes is None else classes

    @lazy
    def held(self) -> list[list[int]]:
        """For each need the attempts that meet it, in issue order."""
        if self.decision.owner is None:
            return self.attempts.found
        held: list[list[int]] = [[] for _ in self.needs]
        for place, need in enumerate(self.owner):
            if need >= 0:
                held[need].append(place)
        return held

    @lazy
    def of_member(self) -> dict[str, list[int]]:
        """Id of a required call → the attempts that meet it."""
        found: dict[str, list[int]] = {}
        for need, places in zip(self.needs, self.held, strict=True):
            if len(need.members) == 1:
                found[need.members[0].id] = places
                continue
            start = 0
            for member in need.members:
                found[member.id] = places[start : start + member.count]
                start += member.count
        return found

    @lazy
    def broken(self) -> list[tuple[Pair, int, int]]:
        """Order pairs that the shown assignment does not keep."""
        return [] if self.decision.verdict == Verdict.PASS else self.judge.violations(self.owner, self.judge.strict)

    @lazy
    def certainly_broken(self) -> set[tuple[str, int, int]]:
        """Those of them that no reading of inferred times can keep."""
        if not self.judge.strict.any_inferred:
            return {(pair.shown, first, second) for pair, first, second in self.broken}
        found = self.judge.violations(self.owner, Timeline(self.attempts, lenient=True))
        return {(pair.shown, first, second) for pair, first, second in found}

    @lazy
    def late(self) -> list[tuple[UserPair, int]]:
        """Calls that met a requirement, or could have, before the user turn that they had to wait for."""
        options = self.attempts.options
        return [
            (pair, place)
            for pair in self.compiled.ordering.turn_pairs
            for place, need in enumerate(self.owner)
            if (need == pair.right or (need < 0 and pair.right in options[place] and not self.attempts.reads(place)))
            and not self.judge.strict.after_turn(pair.turn, place)
        ]

    def answer(self) -> Answer:
        """Return the verdict with its reason and the steps that show it."""
        verdict = self.decision.verdict
        if self.decision.owner is None:
            return plain_answer(self.attempts)
        if verdict == Verdict.PASS:
            return _passed(self.attempts, [call.sequence for call, need in zip(self.calls, self.owner, strict=True) if need >= 0])
        if verdict == Verdict.UNDETERMINED:
            return Answer(verdict, self.decision.doubt, tuple(self.calls[place].sequence for _, _, place in self.broken))
        problems = list(self._problems())
        reason = "; ".join(text for text, _ in problems[:MAX_PROBLEMS]) or "no assignment of calls to requirements keeps the whole contract"
        more = f"; and {len(problems) - MAX_PROBLEMS} more" if len(problems) > MAX_PROBLEMS else ""
        return Answer(verdict, reason + more, tuple(dict.fromkeys(step for _, steps in problems for step in steps)))

    def _problems(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        for row in self.requirements():
            if row.status == "missing":
                yield row.reason, (row.nearest,) if row.nearest is not None else ()
        seen = set[tuple[str, int]]()
        for pair, first, second in self.broken:
            if (pair.shown, second) not in seen:
                seen.add((pair.shown, second))
                steps = (self._step(second),) if first < 0 else (self._step(first), self._step(second))
                yield self._breach(pair, first, second), steps
        for pair, place in self.late:
            yield self._too_early(pair, place), (self._step(place),)
        yield from self._unsourced()
        for place, each in enumerate(self.kinds):
            if each.fault:
                yield f"step {self._step(place)}, {self.calls[place].tool}: {each.fault}", (self._step(place),)

    def _unsourced(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        for index, need in enumerate(self.needs):
            assigned = {source: self.held[source] for source in need.sources}
            for place in self.held[index] if need.sources else ():
                if not self.judge.problem.fits(index, place, assigned):
                    named = " and ".join(repr(self.needs[source].id) for source in need.sources)
                    yield f"{need.id!r} at step {self._step(place)} does not take its value from {named}", (self._step(place),)

    def _step(self, place: int) -> int:
        return self.calls[place].sequence

    def _breach(self, pair: Pair, first: int, second: int) -> str:
        left, right = self.needs[pair.left], self.needs[pair.right]
        one, other = f"{left.id!r}", f"{right.id!r} (step {self._step(second)})"
        if first < 0:
            alone = f"{self.calls[second].tool} at step {self._step(second)} follows no call that meets {one}"
            return f"the order {pair.shown!r} is not kept: {alone}"
        if pair.relation == ISSUED:
            return f"the order {pair.shown!r} is not kept: {other} was not issued after {one} (step {self._step(first)})"
        known = self.calls[first].delivered_at
        when = "never reached the agent" if known is None else "was not known"
        return f"the order {pair.shown!r} is not kept: when {other} was issued, the answer of {one} (step {self._step(first)}) {when}"

    def _too_early(self, pair: UserPair, place: int) -> str:
        said = len(self.judge.strict.turns)
        why = f"the user spoke only {count(said, 'time')}" if said < pair.turn else f"it was issued before user turn {pair.turn}"
        return f"the order {pair.shown!r} is not kept by step {self._step(place)}: {why}"

    def requirements(self) -> tuple[RequirementRow, ...]:
        """Return one row a required call, in the order of the contract."""
        if self.decision.verdict is Verdict.PASS:
            if self.compiled.single:
                known, calls = self.compiled.rows, self.calls
                return tuple(
                    [
                        (known.get((need, calls[places[0]].sequence)) if places else None) or self._remember(need, places)
                        for need, places in enumerate(self.held)
                    ]
                )
            return tuple([self._met(each, self.of_member[each.id]) for each in self.compiled.process.required])
        wrong = {self.owner[second] for _, _, second in self.broken} | {self.owner[place] for _, place in self.late}
        status = "undetermined" if self.decision.verdict == Verdict.UNDETERMINED else "out_of_order"
        return tuple(self._row(each, wrong, status) for each in self.compiled.process.required)

    def _remember(self, need: int, places: Sequence[int]) -> RequirementRow:
        """Return the row of a requirement, and remember it: the trials of a task meet it at much the same steps."""
        row, known = self._met_once(self.compiled.heads[need], places), self.compiled.rows
        if row.step is not None:
            if len(known) >= MAX_REMEMBERED:
                known.clear()
            known[need, row.step] = row
        return row

    def _met_once(self, head: tuple[str, str], places: Sequence[int]) -> RequirementRow:
        if not places:
            return RequirementRow(*head, "optional_unmet", None, None, (), "optional, and not made")
        step = self.calls[places[0]].sequence
        return RequirementRow(*head, "met", step, None, (), f"met by step {step}")

    def _met(self, each: Required, places: Sequence[int]) -> RequirementRow:
        head = each.id, self.needs[self.compiled.need_of[each.id]].label
        if len(places) < 2:
            return self._met_once(head, places)
        return RequirementRow(*head, "met", self._step(places[0]), None, (), self._all_steps(places))

    def _all_steps(self, places: Sequence[int]) -> str:
        return f"met by steps {', '.join(str(self._step(place)) for place in places)}"

    def _row(self, each: Required, wrong: set[int], status: str) -> RequirementRow:
        places = self.of_member[each.id]
        if len(places) < each.count and not each.optional:
            return self._missing(each, len(places))
        row = self._met(each, places)
        if places and self.compiled.need_of[each.id] in wrong:
            return RequirementRow(each.id, row.call, status, row.step, reason=f"{row.reason}, {status.replace('_', ' ')}")
        return row

    def _missing(self, each: Required, made: int) -> RequirementRow:
        label = " | ".join(each.call)
        short = (
            f"required call {each.id!r} ({label}) was not made"
            if each.count == 1
            else f"{each.id!r} ({label}): {made} of {each.count} made"
        )
        place = self._nearest(each)
        if place == UNMET:
            return RequirementRow(each.id, label, "missing", reason=f"{short}: {_either(each.call)} never called")
        differences = self._differences(each, place)
        failure = self.calls[place].failure
        if differences:
            why = ", ".join(f"{one.path or 'arguments'} is {one.actual}, not {one.expected}" for one in differences[:3])
        elif failure is not None:
            why = f"it failed: {failure.message or failure.kind}"
        else:
            why = "its answer told nothing" if self.owner[place] < 0 else "it meets another requirement"
        return RequirementRow(
            each.id, label, "missing", None, self._step(place), differences, f"{short}; nearest is step {self._step(place)}: {why}"
        )

    def _nearest(self, each: Required) -> int:
        need = self.compiled.need_of[each.id]
        best, nearest = (-1, -1.0), UNMET
        for place, plan in enumerate(self.attempts.plans):
            for wanted, matcher in plan.wanted:
                if wanted == need:
                    rank = (int(self.owner[place] < 0), matcher.share(self.attempts.views[place].arguments))
                    if rank > best:
                        best, nearest = rank, place
        return nearest

    def _differences(self, each: Required, place: int) -> tuple[Difference, ...]:
        need = self.compiled.need_of[each.id]
        matcher = next(matcher for wanted, matcher in self.attempts.plans[place].wanted if wanted == need)
        return () if need in self.attempts.options[place] else matcher.differences(self.attempts.views[place].arguments)

    def order(self) -> tuple[OrderRow, ...]:
        """Return one row an order pair, as written."""
        if self.decision.verdict == Verdict.PASS and all(self.held):
            return self.compiled.kept
        return tuple(
            self._order_row(order, shown) for order, shown in zip(self.compiled.process.order, self.compiled.declared, strict=True)
        )

    def _order_row(self, order: Order, shown: str) -> OrderRow:
        right = self.compiled.need_of[order.right]
        left = self.compiled.need_of.get(order.left)
        if left is None:
            return self._turn_row(order, shown, right)
        broken = [each for each in self.broken if each[0].left == left and each[0].right == right and each[0].relation == order.relation]
        if broken:
            pair, first, second = broken[0]
            certain = any((one.shown, a, b) in self.certainly_broken for one, a, b in broken)
            return OrderRow(shown, "violated" if certain else "undetermined", self._breach(pair, first, second))
        if self.held[left] and self.held[right]:
            return OrderRow(shown, "kept")
        if self.held[right] and not self.needs[left].optional:
            return OrderRow(shown, "violated", f"{order.left!r} was not met at all")
        return OrderRow(shown, "vacuous", f"{order.left if not self.held[left] else order.right!r} was not made")

    def _turn_row(self, order: Order, shown: str, right: int) -> OrderRow:
        turn = int(order.left.partition(".")[2])
        early = [(pair, place) for pair, place in self.late if pair.turn == turn and pair.right == right]
        if early:
            uncertain = self.decision.verdict == Verdict.UNDETERMINED
            return OrderRow(shown, "undetermined" if uncertain else "violated", self._too_early(*early[0]))
        return OrderRow(shown, "kept") if self.held[right] else OrderRow(shown, "vacuous", f"{order.right!r} was not made")

    def classes(self) -> tuple[CallClass, ...]:
        """Return one row an attempt, in issue order."""
        if self.decision.owner is None and self.compiled.single:
            heads, options = self.compiled.heads, self.attempts.options
            return tuple(
                [
                    CallClass(call.sequence, MET, heads[met[0]][0]) if met else self._class_row(at, IS_EXTRA)
                    for at, (call, met) in enumerate(zip(self.calls, options, strict=True))
                ]
            )
        member = {place: name for name, places in self.of_member.items() for place in places}
        rows = enumerate(zip(self.calls, self.kinds, strict=True))
        return tuple(
            [CallClass(call.sequence, MET, member[at]) if each is IS_MET else self._class_row(at, each) for at, (call, each) in rows]
        )

    def _class_row(self, place: int, each: Classified) -> CallClass:
        return CallClass(self.calls[place].sequence, each.kind, "", self._near[place], each.fault)

    @lazy
    def _near(self) -> dict[int, str]:
        """Attempt that meets nothing → the expected tool that it was mistaken for; empty: none."""
        unmet = self.attempts.rest if self.decision.owner is None else [place for place, need in enumerate(self.owner) if need < 0]
        return {place: self._near_miss_of(place) for place in unmet}

    def _near_miss_of(self, place: int) -> str:
        """Return the expected tool that a call was mistaken for; what had been called as often as required was no longer expected."""
        near = mistaken_for(self.compiled, self.attempts.plans[place].name)
        if not near:
            return ""
        needs = {need for need, _ in self.compiled.plans.of(near).wanted}
        return near if any(sum(one < place for one in self.held[need]) < self.needs[need].count for need in needs) else ""

    def counts(self) -> Counts:
        """Return how many attempts are of each class."""
        plans, rest = self.attempts.plans, self.attempts.rest
        if self.decision.owner is None:
            near = sum([1 for place in rest if self._near[place]])
            return Counts(len(plans), len(plans) - len(rest), extras=len(rest), near_misses=near)
        unmet = [(place, each.kind) for place, each in enumerate(self.kinds) if each is not IS_MET]
        near = sum(1 for place, _ in unmet if self._near[place])
        numbers = {_COUNTED[kind]: count for kind, count in Counter(kind for _, kind in unmet).items()}
        return Counts(len(plans), len(plans) - len(unmet), near_misses=near, **numbers)


def _either(tools: Sequence[str]) -> str:
    return f"{tools[0]} was" if len(tools) == 1 else "none of them was"


def plain_answer(attempts: Attempts) -> Answer:
    """Return the answer on a trace that is plainly right: every attempt meets the need that it could meet, the others are extras.

    Args:
        attempts: The judged attempts.
    """
    return _passed(attempts, [call.sequence for call, options in zip(attempts.calls, attempts.options, strict=True) if options])


def _passed(attempts: Attempts, steps: list[int]) -> Answer:
    compiled, met = attempts.compiled, len(steps)
    optional = f" and {met - compiled.required_total} optional" if met > compiled.required_total else ""
    beyond = len(attempts.calls) - met
    further = f"; {beyond} further calls, all allowed" if beyond else ""
    return Answer(Verdict.PASS, f"{compiled.all_met}{optional}{compiled.order_kept}{further}", tuple(steps))
