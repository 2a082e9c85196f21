"""Whether a value of a call is what was shown: in the proposal, the reply, an earlier turn, or the record that it leaves as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from msgspec import Struct

from seatrial.grade.confirmation.facts import Facts
from seatrial.grade.confirmation.notice import Notice
from seatrial.grade.confirmation.scene import Moment
from seatrial.grade.confirmation.values import Leaf
from seatrial.grade.tokens import Day

_PART = re.compile(r"[^\W_]+")


class Showing(Struct, frozen=True, gc=False):
    """How a value stands to what was shown."""

    status: str
    """`shown`, `unclear` (it may be another than the one shown), `missing` (nothing of its kind was shown), `differs`."""
    why: str = ""


SHOWN = Showing("shown")


class Comparison:
    """One call against what was shown before it.

    Args:
        leaves: The values of the call that count.
        arguments: All arguments.
        moment: What was said.
        facts: What tools had answered.
        choices: Name of an argument → the values that its schema allows.
    """

    def __init__(
        self, leaves: Sequence[Leaf], arguments: object, moment: Moment, facts: Facts, choices: Mapping[str, frozenset[str]]
    ) -> None:
        self.leaves, self.arguments, self.moment, self.facts, self.choices = leaves, arguments, moment, facts, choices
        self.codes = frozenset([leaf.form for leaf in leaves if leaf.kind == "code"])
        self.shown, self.named = moment.shown, moment.named

    def of(self, leaf: Leaf) -> Showing:
        """Return how one value stands to what was shown."""
        return _BY_KIND[leaf.kind](self, leaf)

    def money(self, leaf: Leaf) -> Showing:
        """Amounts of one group compare by their sum, or each by itself."""
        group = [other.form for other in self.leaves if other.kind == "money" and other.group == leaf.group]
        total = _decimal(sum(map(Decimal, group)))
        sums = self.shown.sums or self.shown.numbers
        wanted = {form for form in group if form != "0"}
        if total in sums or wanted <= sums or total == "0":
            return SHOWN
        named = self.named.sums or self.named.numbers
        memory = self.moment.memory
        if (total in named or wanted <= named) and (total in memory.ever_sums or self.shown.open):
            return SHOWN
        if not self.shown.sums and total in memory.sums:
            return SHOWN
        if self.shown.sums and not (total in memory.ever_sums or wanted <= memory.ever_sums):
            return Showing("differs", f"{leaf.title}: {total} was never shown; the proposal shows {_some(self.shown.sums)}")
        return Showing("missing", f"{leaf.title}: the amount {total} was not shown")

    def day(self, leaf: Leaf) -> Showing:
        """A day must be the one that stands with what it belongs to."""
        place, bound = self._bound(leaf)
        if bound is not None:
            if _is(bound, leaf) or self._kept(leaf):
                return SHOWN
            return Showing(
                "differs" if place is self.shown else "unclear", f"{leaf.title}: {leaf.value} is not the day that was shown with it"
            )
        if any(_is(one, leaf) for seen in (self.shown, self.named) for _, one in seen.days) or self._kept(leaf):
            return SHOWN
        if self.shown.days:
            return Showing("differs", f"{leaf.title}: {leaf.value} is not among the days that were shown")
        dated = self.moment.memory.dated
        if dated is None:
            return Showing("missing", f"{leaf.title}: {leaf.value} was not shown")
        last = any(_is(one, leaf) for _, one in dated.days)
        return SHOWN if last else Showing("unclear", f"{leaf.title}: {leaf.value} is not the day that was last spoken of")

    def code(self, leaf: Leaf) -> Showing:
        """An identifier must stand in the proposal, be named by the reply, be the one last spoken of, or be left as it is."""
        rivals = self.named.shapes.get(leaf.shape, frozenset())
        if rivals and leaf.form not in rivals and not (rivals & self.codes):
            return Showing("unclear", f"{leaf.title}: the reply names {_some(rivals)}, not {leaf.value}")
        if self.shown.holds_code(leaf.form) or self.shown.holds_ending(leaf.form):
            return self._alone(leaf)
        if self.named.holds_code(leaf.form):
            known = leaf.form in self.moment.memory.shown or self.shown.open
            return SHOWN if known else Showing("unclear", f"{leaf.title}: the user named {leaf.value}, the agent never showed it")
        return self._implied(leaf)

    def _implied(self, leaf: Leaf) -> Showing:
        """Return how an identifier stands that neither proposal nor reply spells out."""
        memory = self.moment.memory
        beside = self.shown.shapes.get(leaf.shape, frozenset()) - self.codes
        last = not beside and leaf.form in memory.codes.get(leaf.shape, frozenset())
        described = any(self.facts.describes(leaf, seen, self.codes) for seen in (self.shown, self.named))
        if last or described or self._kept(leaf):
            return SHOWN
        if beside and leaf.form not in memory.shown:
            return Showing("differs", f"{leaf.title}: {leaf.value} was never shown; the proposal shows {_some(beside)}")
        return Showing("missing", f"{leaf.title}: {leaf.value} was not shown")

    def words(self, leaf: Leaf) -> Showing:
        """Words must stand in the proposal as what will be, rather than another value of the same argument."""
        rivals = [parts for other in self._rivals(leaf) if (parts := tuple(_PART.findall(other.lower())))]
        here = self.shown.holds_new(leaf.parts, rivals)
        in_reply = self.named.holds_new(leaf.parts, rivals)
        others = [rival for rival in rivals if self.shown.holds_new(rival, [leaf.parts], leaf.parts)]
        if here and (not others or in_reply):
            return SHOWN
        if here:
            return Showing("unclear", f"{leaf.title}: the proposal shows {leaf.value!r} and {' '.join(others[0])!r}")
        if in_reply:
            return SHOWN
        if others or any(self.named.holds_new(rival, [leaf.parts]) for rival in rivals):
            return Showing("unclear", f"{leaf.title}: the proposal does not show {leaf.value!r} but another value")
        if self.shown.holds_words(leaf.parts) or self._kept(leaf) or self._last_spoken(leaf, rivals):
            return SHOWN
        return Showing("missing", f"{leaf.title}: {leaf.value!r} was not shown")

    def count(self, leaf: Leaf) -> Showing:
        """A number that a suite wants shown must stand in the proposal or the reply."""
        if leaf.form in self.shown.numbers or leaf.form in self.named.numbers:
            return SHOWN
        return Showing("missing", f"{leaf.title}: {leaf.value} was not shown")

    def _alone(self, leaf: Leaf) -> Showing:
        """Return whether an identifier in a list is not one of several alternatives that the proposal shows."""
        if not any(isinstance(step, int) for step in leaf.path) or not (self.shown.part_set & self.shown.words.option):
            return SHOWN
        others = self.shown.shapes.get(leaf.shape, frozenset()) - self.codes
        if not others or leaf.form in self.named.codes or self._kept(leaf):
            return SHOWN
        return Showing("unclear", f"{leaf.title}: {leaf.value} is one of several that were offered")

    def _kept(self, leaf: Leaf) -> bool:
        names = self.codes - {leaf.form}
        fields = self._element(leaf)
        if fields is not None:
            return self.facts.knows(fields)
        return self.facts.keeps(leaf, names)

    def _element(self, leaf: Leaf) -> Mapping[str, object] | None:
        """Return the scalars of the list element that a value belongs to; `None`: it is in no list."""
        value, found = self.arguments, None
        for step in leaf.path[:-1]:
            value = value[step]  # type: ignore[index]  # the path was walked in these arguments
            if isinstance(step, int):
                found = value
        return {key: child for key, child in found.items() if not isinstance(child, dict | list)} if isinstance(found, dict) else None

    def _rivals(self, leaf: Leaf) -> frozenset[str]:
        choices = self.choices.get(leaf.key)
        return choices - {leaf.value} if choices else self.facts.rivals(leaf)

    def _last_spoken(self, leaf: Leaf, rivals: Sequence[tuple[str, ...]]) -> bool:
        memory = self.moment.memory
        seen = memory.holding(leaf.parts[0])
        if seen is None or not seen.holds_words(leaf.parts):
            return False
        latest = max((memory.at.get(rival[0], -1) for rival in rivals if rival[0] != leaf.parts[0]), default=-1)
        return memory.at[leaf.parts[0]] >= latest

    def _bound(self, leaf: Leaf) -> tuple[Notice | None, Day | None]:
        """Return the day that stands with the identifier beside a value in the same list element, and where it stands."""
        codes = [other for other in self.leaves if other.kind == "code" and other.path[:-1] == leaf.path[:-1] and len(other.path) > 1]
        if not codes:
            return None, None
        memory = self.moment.memory
        for place in (self.shown, memory.holding(codes[0].parts[0])):
            if place is not None and place.holds_code(codes[0].form):
                return place, _day_with(place, codes[0])
        return None, None


_BY_KIND = {"money": Comparison.money, "day": Comparison.day, "code": Comparison.code, "words": Comparison.words, "count": Comparison.count}


def _day_with(place: Notice, code: Leaf) -> Day | None:
    """Return the first day between an identifier's line and the next identifier of its shape, else the last day before it."""
    at = place.text.find(code.value.lower())
    if at < 0 or not place.days:
        return None
    start = place.text.rfind("\n", 0, at) + 1
    others = [place.text.find(other, at + 1) for other in place.shapes.get(code.shape, frozenset()) if other != code.form]
    stop = min((other for other in others if other > at), default=len(place.text))
    inside = [day for position, day in place.days if start <= position < stop]
    before = [day for position, day in place.days if position < start]
    return inside[0] if inside else before[-1] if before else None


def _is(day: Day, leaf: Leaf) -> bool:
    return leaf.day is not None and day.is_day(leaf.day)


def _decimal(value: Decimal | int) -> str:
    written = f"{value:f}"
    return written.rstrip("0").rstrip(".") if "." in written else written


def _some(found: frozenset[str]) -> str:
    names = sorted(found)
    return ", ".join(names[:3]) + (" and others" if len(names) > 3 else "")
