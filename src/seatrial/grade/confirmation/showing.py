"""Whether a value of a call is what was shown: in the proposal, the reply, an earlier turn, or the record that it leaves as it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import islice

from msgspec import Struct

from seatrial.grade.confirmation.facts import Facts
from seatrial.grade.confirmation.notice import Notice, shape, stands
from seatrial.grade.confirmation.scene import Moment
from seatrial.grade.confirmation.scope import beyond, moved_from, reversed_way, shown_with_another, sums_beside
from seatrial.grade.confirmation.values import Leaf
from seatrial.grade.tokens import Day, find

_PART = re.compile(r"[^\W_]+")
_CODE_LIKE = re.compile(r"\w+(?:[_-]\w+)*")
_ADDRESS = re.compile(r"[^\s<>()\[\],;]+@[\w-]+(?:\.[\w-]+)+")
_SHORTEST_JOINED = 5
_SHORTEST_SEEN = 4
"""Characters of an identifier of one word below which it may stand in a turn without being seen."""
_LONG_AGO = 10
"""Years by which a day that was told lies before another, and says nothing of its year: a date of birth."""
_MAX_MENTIONS = 20
"""Mentions of one identifier in one turn whose days are looked for."""


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
        asked: Whether the user's own words are enough: what the reply names need not have been shown.
    """

    def __init__(
        self,
        leaves: Sequence[Leaf],
        arguments: object,
        moment: Moment,
        facts: Facts,
        choices: Mapping[str, frozenset[str]],
        *,
        asked: bool = False,
    ) -> None:
        self.leaves, self.arguments, self.moment, self.facts, self.choices = leaves, arguments, moment, facts, choices
        self.codes = frozenset([leaf.form for leaf in leaves if leaf.kind == "code"])
        self.shown, self.named = moment.shown, moment.named
        self._asked = asked
        self._sums: dict[tuple[str, ...], Showing] = {}

    def of(self, leaf: Leaf) -> Showing:
        """Return how one value stands to what was shown."""
        return _BY_KIND[leaf.kind](self, leaf)

    def money(self, leaf: Leaf) -> Showing:
        """Amounts of one group compare by their sum, or each by itself."""
        said = self._sums.get(leaf.group)
        if said is None:
            said = self._sums[leaf.group] = self._money(leaf)
        return said

    def _money(self, leaf: Leaf) -> Showing:
        group = [other.form for other in self.leaves if other.kind == "money" and other.group == leaf.group]
        total = _decimal(sum(map(Decimal, group)))
        sums = self.shown.sums or self.shown.numbers
        wanted = {form for form in group if form != "0"}
        if total in sums or wanted <= sums or total == "0":
            return self._beside(leaf, total, wanted)
        named = self.named.sums or self.named.numbers
        memory = self.moment.memory
        if (total in named or wanted <= named) and (self._asked or self.shown.open or total in memory.ever_sums):
            return SHOWN
        if not self.shown.sums and total in memory.sums:
            return SHOWN
        if total in self.shown.numbers:
            return Showing("unclear", f"{leaf.title}: the proposal shows {total}, but not as an amount of money")
        if self.shown.sums and not (total in memory.ever_sums or wanted <= memory.ever_sums):
            return Showing("differs", f"{leaf.title}: {total} was never shown; the proposal shows {_some(self.shown.sums)}")
        return Showing("missing", f"{leaf.title}: the amount {total} was not shown")

    def _beside(self, leaf: Leaf, total: str, wanted: Collection[str]) -> Showing:
        """Return whether an amount that was shown does not stand with another record of the plan."""
        codes = [other for other in self.leaves if other.kind == "code" and len(other.path) == 1]
        for beside in [sums_beside(code, self.shown) for code in codes]:
            if beside and total not in beside and not beside.issuperset(wanted):
                return Showing("unclear", f"{leaf.title}: {total} stands with another record of the plan")
        return SHOWN

    def day(self, leaf: Leaf) -> Showing:
        """A day must be the one that stands with what it belongs to, in the year that was meant."""
        said = self._day(leaf)
        return (
            said if said is not SHOWN or self._in_its_year(leaf) else Showing("unclear", f"{leaf.title}: {leaf.value} is of another year")
        )

    def _in_its_year(self, leaf: Leaf) -> bool:
        """Tell whether a day that was shown is of the year that was said; where none was, of one that speaks for itself."""
        if leaf.day is None or _years_of(leaf.day, self.shown, self.named) >= {leaf.day.year}:
            return True
        days, first = (*self.moment.memory.days, *self.facts.days()), leaf.day.year - _LONG_AGO
        told = [(day.year, (day.month, day.day)) for day in days if day.year is not None and day.year > first]
        same = {year for year, day in told if day == (leaf.day.month, leaf.day.day)}
        years = same or {year for year, _ in told} | self.facts.years(leaf.day)
        return not years or leaf.day.year in years

    def _day(self, leaf: Leaf) -> Showing:
        place, bound = self._bound(leaf)
        if any(_is(day, leaf) for day in bound):
            return SHOWN
        kept = self._kept(leaf)
        if bound:
            if kept and place is not self.shown:
                return SHOWN
            status = "differs" if place is self.shown and not kept else "unclear"
            return Showing(status, f"{leaf.title}: {leaf.value} is not the day that was shown with it")
        named_anew = place is self.shown and self.moment.memory.dated is not None
        return SHOWN if (kept and not named_anew) or self._of_somebody(leaf) else self._among_days(leaf)

    def _of_somebody(self, leaf: Leaf) -> bool:
        """Tell whether a day, such as a date of birth, is known to belong to what it stands with, which has no identifier, or was told."""
        fields = self._element(leaf)
        if fields is None or any(other.kind == "code" and other.path[:-1] == leaf.path[:-1] for other in self.leaves):
            return False
        return self.facts.knows(fields) or any(_is(day, leaf) for day in self.moment.memory.days)

    def _among_days(self, leaf: Leaf) -> Showing:
        """Return how a day stands to the days of the latest turn that has any, where none is tied to what it belongs to."""
        shown = self.shown if self.shown.days else self.named if self.named.days else self.moment.memory.dated
        if shown is None:
            return Showing("missing", f"{leaf.title}: {leaf.value} was not shown")
        days = {day for _, day in shown.days}
        if not any(_is(day, leaf) for day in days):
            return Showing(
                "differs" if shown is self.shown else "unclear", f"{leaf.title}: {leaf.value} is not among the days that were shown"
            )
        if len(days) > 1 and moved_from(leaf, shown):
            return Showing("unclear", f"{leaf.title}: {leaf.value} is shown as the day that is moved")
        if len(days) > 1 and len(leaf.path) > 1:
            return Showing("unclear", f"{leaf.title}: {leaf.value} is one of several days that were shown")
        return SHOWN

    def code(self, leaf: Leaf) -> Showing:
        """An identifier must stand in the proposal, be named by the reply, be the one last spoken of, or be left as it is."""
        rivals = self.named.shapes.get(leaf.shape, frozenset())
        if rivals and leaf.form not in rivals and not (rivals & self.codes):
            return Showing("unclear", f"{leaf.title}: the reply names {_some(rivals)}, not {leaf.value}")
        if self.shown.holds_code(leaf.form) or self.shown.holds_ending(leaf.form):
            turned = reversed_way(leaf, self.shown)
            return Showing("differs", f"{leaf.title}: {leaf.value} is shown as the other end") if turned else self._alone(leaf)
        if self.named.holds_code(leaf.form):
            known = self._asked or self.shown.open or leaf.form in self.moment.memory.shown
            return SHOWN if known else Showing("unclear", f"{leaf.title}: the user named {leaf.value}, the agent never showed it")
        return self._implied(leaf)

    def _implied(self, leaf: Leaf) -> Showing:
        """Return how an identifier stands that neither proposal nor reply spells out: against the latest turn with one of its kind."""
        masked = self.shown if self.shown.endings else self.named
        if masked.endings and self.facts.ends_otherwise(leaf, masked.endings, self.codes):
            return Showing("differs", f"{leaf.title}: {leaf.value} has other last digits than those shown")
        kin = self.facts.siblings(leaf)
        memory = self.moment.memory
        place = self.shown if self._of_kind(self.shown, leaf, kin) else memory.with_kin(leaf.shape, kin)
        spoken = frozenset[str]() if place is None else self._of_kind(place, leaf, kin)
        beside = spoken - self.codes
        if not spoken:
            described = self.facts.is_the_only_one(leaf) or any(self.facts.describes(leaf, seen) for seen in (self.shown, self.named))
            implied = described or (not masked.endings and self._kept(leaf))
        else:
            last = leaf.form in spoken
            implied = (not beside and (last or self._kept(leaf))) or (last and place is not self.shown and self._kept(leaf))
        if implied:
            return SHOWN
        seen = len(leaf.form) >= _SHORTEST_SEEN or len(leaf.parts) > 1
        if seen and beside and place is self.shown and leaf.form not in memory.shown:
            return Showing("differs", f"{leaf.title}: {leaf.value} was never shown; the proposal shows {_some(beside)}")
        return Showing("missing", f"{leaf.title}: {leaf.value} was not shown")

    def _of_kind(self, place: Notice, leaf: Leaf, kin: frozenset[str]) -> frozenset[str]:
        return place.shapes.get(leaf.shape, frozenset()) | (place.codes & kin)

    def words(self, leaf: Leaf) -> Showing:
        """Words must stand in the proposal as what will be, rather than another value of the same argument."""
        if "@" in leaf.value:
            return self._address(leaf)
        rivals = [parts for other in self._rivals(leaf) if (parts := tuple(_PART.findall(other.lower())))]
        other = shown_with_another(leaf, self.leaves, self.shown, rivals) or self._stays(leaf, rivals)
        if other:
            return Showing("differs", f"{leaf.title}: {leaf.value!r} is not what was shown with {other}")
        for place in (self.named, self.shown):
            said = _said(place, leaf.parts, rivals)
            if said == "this":
                further = beyond(leaf, self.leaves, self.shown, self.named, self.facts)
                return Showing("differs", f"{leaf.title}: it changes {further} too, which was not shown") if further else SHOWN
            if said:
                return Showing("unclear", f"{leaf.title}: {leaf.value!r} is not, or not alone, what was shown")
        place = self.moment.memory.with_words([leaf.parts, *rivals])
        said = "" if place is None else _said(place, leaf.parts, rivals)
        spoken = not rivals and any(seen is not None and _spells(seen, leaf) for seen in (self.shown, self.named, place))
        if said == "this" or spoken or (said != "other" and self._kept(leaf)):
            return SHOWN
        return Showing("unclear" if said else "missing", f"{leaf.title}: {leaf.value!r} was not shown")

    def _address(self, leaf: Leaf) -> Showing:
        """An e-mail address must stand whole in the proposal, the reply or the latest turn that has it, or be left as it is."""
        value = leaf.value.strip().lower()
        memory = self.moment.memory
        places = (self.shown, self.named, memory.turn(memory.at.get(leaf.parts[0], -1)) if leaf.parts else None)
        if any(place is not None and find(place.text, value) >= 0 for place in places):
            return SHOWN
        others = frozenset(_ADDRESS.findall(self.shown.text))
        if others and not self._kept(leaf):
            return Showing("differs", f"{leaf.title}: {leaf.value} was never shown; the proposal shows {_some(others)}")
        return SHOWN if self._kept(leaf) else Showing("missing", f"{leaf.title}: {leaf.value} was not shown")

    def _stays(self, leaf: Leaf, rivals: Sequence[tuple[str, ...]]) -> str:
        """Return the word that the proposal changes something to, where the word of the call only stands where something stays as it is."""
        lines = [line for line in self.shown.new_parts if stands(line, leaf.parts, rivals)]
        if not lines or any(self.shown.words.kept.isdisjoint(line) for line in lines):
            return ""
        new = [("to", *rival) for rival in rivals if not stands(self.named.parts, rival, ())]
        return next((" ".join(wanted[1:]) for wanted in new if any(stands(line, wanted, ()) for line in self.shown.new_parts)), "")

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
            return self.facts.keeps_all(fields, names)
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

    def _bound(self, leaf: Leaf) -> tuple[Notice | None, Sequence[Day]]:
        """Return the days that stand with the identifier beside a value in the same list element, and where they stand."""
        codes = [other for other in self.leaves if other.kind == "code" and other.path[:-1] == leaf.path[:-1] and len(other.path) > 1]
        if not codes:
            return None, ()
        memory = self.moment.memory
        for place in (self.shown, memory.turn(memory.code_at.get(codes[0].form, -1))):
            if place is not None and place.holds_code(codes[0].form):
                return place, _days_with(place, codes[0])
        return None, ()


_BY_KIND = {"money": Comparison.money, "day": Comparison.day, "code": Comparison.code, "words": Comparison.words, "count": Comparison.count}


def _days_with(place: Notice, code: Leaf) -> Sequence[Day]:
    """Return the day that stands with each mention of an identifier.

    It is the first between the start of its line and the next identifier of its shape, else the last before that line.
    """
    if not place.days:
        return ()
    wanted = code.value.lower()
    others = [other.start() for other in _CODE_LIKE.finditer(place.text) if other[0] != wanted and shape(other[0]) == code.shape]
    spots = [found.start() for found in islice(re.finditer(re.escape(wanted), place.text), _MAX_MENTIONS)]
    return [day for at in spots if (day := _day_near(place, at, others, spots)) is not None]


def _day_near(place: Notice, at: int, others: Sequence[int], spots: Sequence[int]) -> Day | None:
    start = place.text.rfind("\n", 0, at) + 1
    stop = min((spot for spot in (*others, *spots) if spot > at), default=len(place.text))
    inside = next((day for position, day in place.days if start <= position < stop), None)
    return inside or next((day for position, day in reversed(place.days) if position < start), None)


def _said(place: Notice, wanted: tuple[str, ...], rivals: Sequence[tuple[str, ...]]) -> str:
    """Return whether a turn says `this`, an `other` value, or `both`; empty: neither."""
    here = place.holds_new(wanted, [rival for rival in rivals if len(rival) > len(wanted)])
    others = any(place.holds_new(rival, [wanted] if len(wanted) > len(rival) else [], wanted) for rival in rivals)
    return ("both" if others else "this") if here else "other" if others else ""


def _spells(seen: Notice, leaf: Leaf) -> bool:
    """Tell whether a turn spells words, abbreviated or without the spaces of a postcode."""
    joined = len(leaf.form) >= _SHORTEST_JOINED and any(map(str.isdigit, leaf.form)) and leaf.form in seen.part_set
    return joined or seen.holds_words(leaf.parts) or seen.holds_abbreviated(leaf.parts)


def _is(day: Day, leaf: Leaf) -> bool:
    return leaf.day is not None and day.is_day(leaf.day)


def _years_of(wanted: date, *places: Notice) -> set[int]:
    """Return the years that some turns say of a day."""
    days = [day for place in places for _, day in place.days if (day.month, day.day) == (wanted.month, wanted.day)]
    return {day.year for day in days if day.year is not None}


def _decimal(value: Decimal | int) -> str:
    written = f"{value:f}"
    return written.rstrip("0").rstrip(".") if "." in written else written


def _some(found: frozenset[str]) -> str:
    names = sorted(found)
    return ", ".join(names[:3]) + (" and others" if len(names) > 3 else "")
