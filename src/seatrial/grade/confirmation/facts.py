"""What tools had answered before a call: which record the call names, and how a record is told from its neighbours."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from functools import lru_cache
from itertools import islice
from operator import attrgetter

from msgspec import UNSET, Raw

from seatrial.grade.confirmation.notice import Notice, compact
from seatrial.grade.confirmation.values import Leaf
from seatrial.grade.lazy import lazy
from seatrial.grade.tokens import Day, number_of
from seatrial.grade.view import CallView

_MAX_RIVALS = 6
"""Different values under one name beyond which they are no closed list."""
_MAX_ALIKE = 50
"""Records of one kind that a record is told from."""
_MAX_SIDES = 12
_MAX_CODE = 40
_MAX_LIST = 50
_MAX_TRAITS = 200
_MAX_GLANCES = 8
"""Words that are looked for in answers as they were written; more are looked up in an index."""
_MAX_NODES = 200_000
"""Values of answers beyond which no more are read: then fewer calls are confirmed, never more."""

arrival = attrgetter("call.delivered_at")
"""Returns the sequence number at which the answer of a call arrived."""


class _Kept:
    """What stands in the records that one identifier names: a record that many calls name is read once."""

    def __init__(self, records: list[object]) -> None:
        self.records = records
        self._read = self._walked = 0
        self._values: set[tuple[str, str]] = set()
        self._objects: dict[tuple[str, object], list[Mapping[str, object]]] = {}

    def values(self) -> set[tuple[str, str]]:
        """Return the values, each with its name."""
        for record in self.records[self._read :]:
            self._values.update([(name, str(value)) for name, value in _scalars(record)])
        self._read = len(self.records)
        return self._values

    def holds(self, fields: Mapping[str, object]) -> bool:
        """Tell whether an object has all of some fields."""
        for record in self.records[self._walked :]:
            for one in _objects(record):
                for key, value in one.items():
                    if not isinstance(value, dict | list):
                        self._objects.setdefault((key, value), []).append(one)
        self._walked = len(self.records)
        alike = min((self._objects.get(field, []) for field in fields.items()), key=len, default=[])
        return any(all(one.get(key) == value for key, value in fields.items()) for one in alike)


class _Index:
    """What was taken from answers so far, by what it is asked for; most writes are judged without any of it."""

    def __init__(self) -> None:
        self.records: dict[str, list[object]] = {}
        self.kept: dict[str, _Kept] = {}
        self.homes: dict[str, list[tuple[Mapping[str, object], tuple[Mapping[str, object], ...]]]] = {}
        self.values: dict[str, set[str]] = {}
        self.codes: dict[str, set[str]] = {}
        self.lists: dict[str, set[str]] = {}
        self.sides: dict[str, frozenset[str]] = {}
        self.answers_by_kind: dict[frozenset[str], list[dict[str, object]]] = {}
        self.days: set[Day] = set()
        self.dated = 0
        """Answers whose days were read."""
        self.spelled: set[str] = set()
        self.spelled_to = 0
        """Answers whose values are spelled."""
        self.read: list[tuple[object, object]] = []
        self.nodes: dict[str, int] = defaultdict(int)
        self.taken: dict[str, int] = defaultdict(int)


class Facts:
    """The answers that were delivered before a call, read when something is first asked of them.

    Args:
        answered: Returns the calls that were answered, in the order in which their answers arrived.
        now: What the clock of the task says; empty: nobody knows.
        callers: Names of whoever speaks: keys of their records.
    """

    def __init__(self, answered: Callable[[], Sequence[CallView]], now: str = "", callers: Collection[str] = ()) -> None:
        self._ask, self._now, self._callers = answered, now, callers
        self._limit = 0
        self.used = False
        """Whether an answer was read since this was last set."""
        self.glanced: list[tuple[Leaf, frozenset[str]]] = []
        """Words of which the rivals were asked for, and what was said of them."""

    @lazy
    def _index(self) -> _Index:
        return _Index()

    @lazy
    def _answered(self) -> Sequence[CallView]:
        return self._ask()

    def advance(self, issued_at: int) -> None:
        """Let the answers count that had arrived before a sequence number; it may only rise."""
        self._limit = max(self._limit, issued_at)

    def keeps(self, leaf: Leaf, names: frozenset[str]) -> bool:
        """Tell whether a value stands, under the same name, in a record that one of some identifiers names: it is left as it is.

        Args:
            leaf: The value.
            names: The identifiers of the call, compact.
        """
        wanted = leaf.key, leaf.value
        return any(wanted in self._kept_of(name).values() for name in names)

    def keeps_all(self, fields: Mapping[str, object], names: frozenset[str]) -> bool:
        """Tell whether an object with these fields stands in a record that one of some identifiers names.

        Args:
            fields: The fields of the object.
            names: The identifiers of the call, compact.
        """
        return any(self._kept_of(name).holds(fields) for name in names)

    def _kept_of(self, name: str) -> _Kept:
        """Return what stands in the records that an identifier names."""
        self._take_records()
        found = self._index.kept.get(name)
        if found is None:
            found = self._index.kept[name] = _Kept(self._index.records.get(name, []))
        found.records = self._index.records.get(name, found.records)
        return found

    def knows(self, fields: Mapping[str, object]) -> bool:
        """Tell whether an answer holds an object, such as a person, with all of some values, two or more, whatever their names.

        Args:
            fields: The values by name.
        """
        self._take_homes()
        wanted = {str(value) for value in fields.values()}
        first = min(wanted, key=lambda text: len(self._index.homes.get(compact(text), ())), default="")
        homes = [home for home, _ in self._index.homes.get(compact(first), ())]
        whole = [answer for answers in self._index.answers_by_kind.values() for answer in answers]
        return len(wanted) > 1 and any(wanted <= _within(home) for home in (*homes, *whole)[:_MAX_ALIKE])

    def siblings(self, leaf: Leaf) -> frozenset[str]:
        """Return identifiers of the same kind, compact: those in one list with it, and those under its own name."""
        self._take_codes()
        return frozenset(self._index.lists.get(leaf.form, ())) | frozenset(self._index.codes.get(leaf.key, ()))

    def describes(self, leaf: Leaf, shown: Notice) -> bool:
        """Tell whether a turn names a record by what tells it from its neighbours: last digits, balance, the only one of its kind.

        Args:
            leaf: The identifier of the record.
            shown: The turn.
        """
        self._take_homes()
        for home, others in (*self._index.homes.get(leaf.form, ()), *self._whole(leaf)):
            rivals = [set(_traits(other)) for other in others]
            own = [trait for trait in _traits(home) if compact(trait) != leaf.form and not any(trait in rival for rival in rivals)]
            if any(_named(trait, shown) for trait in own):
                return True
        return False

    def ends_otherwise(self, leaf: Leaf, endings: frozenset[str], codes: frozenset[str]) -> bool:
        """Tell whether last digits that were shown belong to another record of the same kind, one that the call does not name.

        Args:
            leaf: The identifier of the record.
            endings: The last digits that were shown.
            codes: The identifiers of the call, compact.
        """
        self._take_homes()
        for home, others in (*self._index.homes.get(leaf.form, ()), *self._whole(leaf)):
            own = {trait for trait in _traits(home) if len(trait) == 4 and trait.isdigit()}
            if own and not own & endings:
                rivals = [set(_traits(other)) for other in others]
                if any(rival & endings and codes.isdisjoint(map(compact, rival)) for rival in rivals):
                    return True
        return False

    def listed(self, names: frozenset[str]) -> frozenset[tuple[str, str]]:
        """Return the values, each with its name, in the lists of the records that some identifiers name: a call with them leaves them in.

        Args:
            names: The identifiers of the call that stand in no list, compact.
        """
        self._take_records()
        records = [record for name in names for record in self._index.records.get(name, ())[-_MAX_ALIKE:] if isinstance(record, dict)]
        lists = [value for record in records for value in record.values() if isinstance(value, list)]
        return frozenset([(key, str(value)) for one in lists for key, value in _scalars(one)])

    def people(self, names: frozenset[str]) -> list[list[str]]:
        """Return, for each list of several people or things with names in the records that some identifiers name, their first names.

        Args:
            names: The identifiers of the call, compact.
        """
        self._take_records()
        records = [record for name in names for record in self._index.records.get(name, ())]
        values = [value for record in records[:_MAX_ALIKE] if isinstance(record, dict) for value in record.values()]
        return [found for value in values if isinstance(value, list) and len(value) > 1 and (found := _first_names(value))]

    def is_the_only_one(self, leaf: Leaf) -> bool:
        """Tell whether a record is the only one of its kind that tools had answered with."""
        self._take_homes()
        return any(not others for _, others in self._whole(leaf))

    def _whole(self, leaf: Leaf) -> Iterator[tuple[Mapping[str, object], Sequence[Mapping[str, object]]]]:
        """Yield the answer that is the record itself, with the other answers of its kind."""
        for key, answers in self._index.answers_by_kind.items():
            if leaf.key in key:
                for answer in answers:
                    if compact(str(answer.get(leaf.key))) == leaf.form:
                        yield answer, [other for other in answers if other.get(leaf.key) != answer.get(leaf.key)][:_MAX_ALIKE]

    def days(self) -> AbstractSet[Day]:
        """Return the days with a year in the answers, as ISO writes them."""
        self.used = True
        arrived = self._arrived()
        for seen in arrived[self._index.dated :]:
            found = _ISO_DAY.findall(_raw(seen))
            self._index.days.update([Day(int(month), int(day), int(year)) for year, month, day in found])
        self._index.dated = len(arrived)
        return self._index.days

    def years(self, day: date) -> frozenset[int]:
        """Return the years that a day without one means by the clock: this one, and that of the next such day.

        Where there is no clock they are those that tools were asked for before; empty: nobody knows.

        Args:
            day: The day.
        """
        self.used = True
        try:
            now = date.fromisoformat(self._now[:10])
        except ValueError:
            asked = [found for seen in self._arrived() for found in _ISO_DAY.findall(seen.call.proposed)]
            return frozenset([int(year) for year, _, _ in asked])
        return frozenset({now.year, now.year + ((day.month, day.day) < (now.month, now.day))})

    def again(self, leaf: Leaf) -> frozenset[str]:
        """Return what `rivals`, or `owners` for an owner, says of a value now."""
        return self.owners(leaf) if leaf.kind == "owner" else self.rivals(leaf)

    def owners(self, leaf: Leaf) -> frozenset[str]:
        """Return the name of an owner when it is the caller's, or a tool had answered with it, or for it; else nothing.

        Args:
            leaf: The name.
        """
        known = leaf.value in self._callers or any(_holds(seen, leaf.value) for seen in self._arrived())
        known = known or self._is_spelled(compact(leaf.value))
        found = frozenset([leaf.value]) if known else frozenset[str]()
        self.glanced.append((leaf, found))
        return found

    def _is_spelled(self, code: str) -> bool:
        """Tell whether an identifier is the caller's, or was answered or asked for by a read, in another spelling."""
        arrived = self._arrived()
        for seen in arrived[self._index.spelled_to :]:
            asked = _scalars(seen.arguments) if seen.call.effect == "read" else ()
            self._index.spelled.update([compact(str(value)) for _, value in (*_scalars(seen.observation), *asked)])
        self._index.spelled_to = len(arrived)
        return any(map(str.isdigit, code)) and (code in self._index.spelled or code in map(compact, self._callers))

    def rivals(self, leaf: Leaf) -> frozenset[str]:
        """Return what a word could have been instead: names beside it where each is priced, other values under its own name."""
        values, beside = self._at_a_glance(leaf) or self._all_names(leaf)
        found = (beside | values if len(values) <= _MAX_RIVALS else beside) - {leaf.value}
        self.glanced.append((leaf, found))
        return found

    def _at_a_glance(self, leaf: Leaf) -> tuple[frozenset[str], frozenset[str]] | None:
        """Return the values under a name, and what stands beside a name, without reading the answers; `None`: that takes the index."""
        looks = _looks(leaf.key, leaf.value) if len(self.glanced) < _MAX_GLANCES else None
        if looks is None:
            return None
        as_name, under = looks
        raw = b"\n".join([answer for seen in self._arrived() if (answer := seen.call.observation) is not UNSET])
        if _found(as_name, raw):
            return None
        found = [match[1].decode("utf-8", "replace") for match in _found(under, raw)]
        return frozenset([text for text in found if _is_word(text)]), frozenset()

    def _arrived(self) -> Sequence[CallView]:
        answered = self._answered
        return answered[: bisect_left(answered, self._limit, key=arrival)]

    def _all_names(self, leaf: Leaf) -> tuple[frozenset[str], frozenset[str]]:
        self._take_names()
        return frozenset(self._index.values.get(leaf.key, ())), self._index.sides.get(leaf.value, frozenset())

    def _new(self, part: str) -> Sequence[tuple[object, object]]:
        """Return the arguments and answers that one of the indices has not taken yet: each is made only when it is asked for."""
        self.used = True
        answered, start = self._answered, len(self._index.read)
        stop = bisect_left(answered, self._limit, start, key=arrival)
        self._index.read += [(seen.arguments, seen.observation) for seen in answered[start:stop]]
        new = self._index.read[self._index.taken[part] :]
        self._index.taken[part] = len(self._index.read)
        return new

    def _take_records(self) -> None:
        for arguments, answer in self._new("records"):
            for _, value in _scalars(arguments) if isinstance(answer, dict) else ():
                if isinstance(value, str | int):
                    self._index.records.setdefault(compact(str(value)), []).append(answer)

    def _take_homes(self) -> None:
        for _, answer in self._new("homes"):
            if isinstance(answer, dict):
                self._index.answers_by_kind.setdefault(frozenset(answer), []).append(answer)
            for _, children in self._nodes_of(answer, "homes"):
                objects = tuple([child for child in children if isinstance(child, dict)])
                for child in objects:
                    self._home(child, objects)

    def _take_codes(self) -> None:
        for _, answer in self._new("codes"):
            for value, children in self._nodes_of(answer, "codes"):
                if isinstance(value, dict):
                    self._code(value)
                else:
                    self._list(children)

    def _take_names(self) -> None:
        for _, answer in self._new("names"):
            pending: list[object] = [answer]
            while pending and self._index.nodes["names"] < _MAX_NODES:
                value = pending.pop()
                self._index.nodes["names"] += 1
                if type(value) is list:
                    pending.extend([child for child in value if type(child) in _CONTAINERS])
                elif type(value) is dict:
                    kinds = set(map(type, value.values()))
                    self._name(value, kinds)
                    if not kinds.isdisjoint(_CONTAINERS):
                        pending.extend([child for child in value.values() if type(child) in _CONTAINERS])

    def _name(self, value: Mapping[str, object], kinds: set[type]) -> None:
        """Note what a word could have been instead: names beside it where each is priced, other values under its own name."""
        if kinds in _ALL_ALIKE and 2 <= len(value) <= _MAX_SIDES:
            names = frozenset(value)
            self._index.sides.update(dict.fromkeys(names, names))
        for key, child in value.items() if str in kinds else ():
            if type(child) is str and _is_word(child):
                self._index.values.setdefault(key, set()).add(child)

    def _nodes_of(self, answer: object, part: str) -> Iterator[tuple[object, Sequence[object]]]:
        """Yield the objects and lists in an answer, and what is in them."""
        pending: list[object] = [answer]
        while pending and self._index.nodes[part] < _MAX_NODES:
            value = pending.pop()
            self._index.nodes[part] += 1
            children = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
            yield value, children
            pending.extend([child for child in children if isinstance(child, dict | list)])

    def _home(self, child: Mapping[str, object], objects: tuple[Mapping[str, object], ...]) -> None:
        rivals = tuple([other for other in objects if other is not child]) if len(objects) <= 100 else ()
        for value in child.values():
            if isinstance(value, str) and len(value) <= 100:
                self._index.homes.setdefault(compact(value), []).append((child, rivals))

    def _list(self, children: Sequence[object]) -> None:
        found = {compact(child) for child in children[:_MAX_LIST] if isinstance(child, str) and len(child) <= _MAX_CODE}
        for code in found:
            self._index.lists.setdefault(code, set()).update(found)

    def _code(self, value: Mapping[str, object]) -> None:
        for key, child in value.items():
            if type(child) is not str or not 1 < len(child) <= _MAX_CODE or (child.islower() and child.replace("_", "").isalpha()):
                continue
            if any(map(str.isdigit, child)):
                self._index.codes.setdefault(key, set()).add(compact(child))


def _first_names(value: Sequence[object]) -> list[str]:
    """Return the first word of what each element of a list is called; empty: they have no names, or share them."""
    elements = [element for element in value[:_MAX_LIST] if isinstance(element, dict)]
    called = [next((child for key, child in one.items() if "name" in key and isinstance(child, str)), "") for one in elements]
    found = [name.lower().split()[0] for name in called if name.strip() and name.split()[0].isalpha()]
    return found if len(set(found)) == len(value) else []


def _is_word(text: str) -> bool:
    return text.islower() and 1 < len(text) <= _MAX_CODE and text.replace("_", "").isalpha()


def _raw(seen: CallView) -> bytes | Raw:
    return b"" if seen.call.observation is UNSET else seen.call.observation


def _holds(seen: CallView, value: str) -> bool:
    """Tell whether an answer, or what a reading call asked for, holds a value as a whole."""
    texts = (_raw(seen), seen.call.proposed) if seen.call.effect == "read" else (_raw(seen),)
    plain = value.encode()
    for text in texts:
        raw = bytes(text)
        at = raw.find(plain)
        while at >= 0:
            if not _NAME.match(raw[at + len(plain) : at + len(plain) + 1]) and not _NAME.match(raw[max(0, at - 1) : at]):
                return True
            at = raw.find(plain, at + 1)
    return False


_NAME = re.compile(rb"[\w-]")
_ISO_DAY = re.compile(rb"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)")
_Look = tuple[bytes, re.Pattern[bytes]]
"""A name in quotes, and a pattern that starts with it: to look for the name first is much quicker."""


def _found(look: _Look, raw: bytes) -> list[re.Match[bytes]]:
    """Return where a pattern fits."""
    start, pattern = look
    matches: list[re.Match[bytes]] = []
    at = raw.find(start)
    while at >= 0:
        found = pattern.match(raw, at)
        if found is not None:
            matches.append(found)
        at = raw.find(start, at + 1 if found is None else found.end())
    return matches


@lru_cache(maxsize=1024)
def _looks(key: str, value: str) -> tuple[_Look, _Look] | None:
    """Return how a value is found where it is a name in JSON, and how texts are found under a name; `None`: they are no plain words.

    Texts with escapes are not found: they are no words.
    """
    if not (key + value).replace("_", "").isalnum():
        return None
    name, word = b'"%s"' % key.encode(), b'"%s"' % value.encode()
    return (word, re.compile(rb"%s\s*:" % re.escape(word))), (name, re.compile(rb'%s\s*:\s*"([^"\\]*)"' % re.escape(name)))


_CONTAINERS = frozenset({dict, list})
_ALL_ALIKE = ({int}, {float}, {int, float}, {str})
"""Types of the values of an object whose keys are the names of alternatives."""


def _within(home: Mapping[str, object]) -> set[str]:
    return {str(value) for _, value in islice(_scalars(home), _MAX_TRAITS)}


def _objects(value: object) -> Iterator[Mapping[str, object]]:
    pending: list[object] = [value]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            yield value
        if isinstance(value, dict | list):
            pending.extend(value.values() if isinstance(value, dict) else value)


def _scalars(value: object, name: str = "") -> Iterator[tuple[str, object]]:
    pending: list[tuple[str, object]] = [(name, value)]
    while pending:
        name, value = pending.pop()
        if isinstance(value, dict):
            pending.extend(value.items())
        elif isinstance(value, list):
            pending.extend([(name, child) for child in value])
        else:
            yield name, value


def _traits(home: Mapping[str, object]) -> Iterator[str]:
    for _, value in islice(_scalars(home), _MAX_TRAITS):
        if isinstance(value, str) and 2 <= len(value) <= 40:
            yield value
        elif isinstance(value, int | float) and not isinstance(value, bool) and (written := number_of(value)) is not None:
            yield written


def _named(trait: str, shown: Notice) -> bool:
    if trait.replace(".", "").isdigit():
        return trait in shown.sums or (trait in shown.part_set and len(trait) >= 3)
    parts = tuple(compact(part) for part in trait.replace("_", " ").replace("-", " ").split())
    return bool(parts) and all(parts) and shown.holds_words(parts)
