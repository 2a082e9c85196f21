"""Which of many texts may hold a value: looked up, so that the time it takes does not grow with what was said.

The index errs towards yes: `Needle.held_by` decides. It is made only where many values are looked for, see `Sources`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence

from seatrial.grade.lazy import lazy
from seatrial.grade.provenance.needles import Needle, Text, own_form, phone
from seatrial.grade.tokens import caseless

_RUN = re.compile(r"[^\W_]+")
"""Letters and digits in a row: a value that stands whole in a text begins and ends where one does."""
_LOOKED_AT = 8
"""Runs of a value of which the rarest is looked up."""
_JOINED = 24
"""How many runs of a value another spelling may write as one."""
_LIKE = re.compile(r"\d+|\D+")
"""Digits or letters in a row: another spelling of an identifier may take them apart."""
_Places = dict[Hashable, list[int]]


class Index:
    """Texts by what is in them.

    Args:
        texts: The texts, in the order in which they are wanted.
    """

    def __init__(self, texts: Sequence[Text]) -> None:
        self._texts = texts
        self._own: dict[Callable[[object], object], _Places] = {}

    def places(self, needle: Needle) -> list[int]:
        """Return where among the texts those are that may hold a value, in their order."""
        joined, folded = bool(needle.identifier), caseless(needle.literal)
        found = set(self._written(_RUN.findall(needle.literal), joined=joined))
        if folded != needle.literal:
            found.update(self._written(_RUN.findall(folded), joined=joined))
        if joined and needle.normaliser == "identifier":
            found.update(self._written([like for run in _RUN.findall(folded) for like in _LIKE.findall(run)], joined=True))
        if needle.number is not None:
            found.update(self._numbers.get(needle.number, ()))
        if needle.day is not None:
            found.update(self._days.get((needle.day.month, needle.day.day), ()))
        if needle.identifier:
            found.update(self._identifiers.get(needle.identifier, ()))
        if needle.normaliser == "phone":
            found.update(self._phones.get(phone(needle.literal), ()))
        if needle.own is not None:
            found.update(self._in_own_form(needle.own).get(own_form(needle.own, needle.value), ()))
        return sorted(found)

    def _written(self, runs: Sequence[str], *, joined: bool) -> Iterable[int]:
        """Return the places of the rarest run of a value, perhaps written as one with those beside it."""
        if not runs:
            return range(len(self._texts))
        reach = _JOINED if joined else 1
        spans = (
            [
                "".join(runs[start:stop])
                for start in range(max(0, at - reach + 1), at + 1)
                for stop in range(at + 1, min(at + reach, len(runs)) + 1)
            ]
            for at in range(min(len(runs), _LOOKED_AT))
        )
        lists = ([self._runs.get(span, ()) for span in dict.fromkeys(each)] for each in spans)
        rarest = min(lists, key=lambda each: sum(map(len, each)))
        return (place for places in rarest for place in places)

    @lazy
    def _runs(self) -> _Places:
        return self._by(lambda text: {*_RUN.findall(text.lower), *_RUN.findall(text.plain)})

    @lazy
    def _numbers(self) -> _Places:
        return self._by(lambda text: text.numbers)

    @lazy
    def _days(self) -> _Places:
        return self._by(lambda text: {(day.month, day.day) for day in text.days})

    @lazy
    def _identifiers(self) -> _Places:
        return self._by(lambda text: text.identifiers)

    @lazy
    def _phones(self) -> _Places:
        return self._by(lambda text: text.phones)

    def _in_own_form(self, own: Callable[[object], object]) -> _Places:
        found = self._own.get(own)
        if found is None:
            found = self._own[own] = self._by(lambda text: {own_form(own, piece) for piece in text.pieces} - {None})
        return found

    def _by(self, parts: Callable[[Text], Iterable[Hashable]]) -> _Places:
        found: _Places = {}
        for place, text in enumerate(self._texts):
            for part in parts(text):
                found.setdefault(part, []).append(place)
        return found
