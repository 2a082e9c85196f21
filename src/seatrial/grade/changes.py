"""Net end-state changes against those expected: exactly these, nothing else."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

import msgspec
from msgspec import Raw

from seatrial.base import catalogue
from seatrial.base.errors import SuiteError, UsageError
from seatrial.base.names import nearest
from seatrial.grade.arguments import ValueMatcher, compile_value
from seatrial.grade.assignment import heaviest_matching, maximum_matching
from seatrial.grade.matchers import ABSENT, Literal, shown
from seatrial.grade.view import read_json
from seatrial.records.contract import Outcome
from seatrial.records.grade import Difference
from seatrial.records.trace import Change

Normaliser = Callable[[object], object]
"""A suite's own normaliser: returns the normal form of a value, or raises `ValueError`."""
UNCHANGED = "(unchanged)"
DELETED = "(deleted)"
_UNLISTED = object()
_CREATED = re.compile(r"(?P<collection>.+)/\+\d*")


class Globs:
    """Patterns over `path/field`; `*` also spans `/`.

    Args:
        patterns: As the contract writes them.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        joined = "|".join(fnmatch.translate(pattern) for pattern in patterns)
        self._matches = re.compile(joined).match if joined else None

    def __contains__(self, place: object) -> bool:
        return self._matches is not None and self._matches(str(place)) is not None


@dataclass(frozen=True, slots=True)
class ExpectedRecord:
    """What should have become of one record.

    Args:
        path: `collection/key`, or `collection/+N` for a record that is created under any key.
        fields: Field → expected value; `None`: the record is deleted.
    """

    path: str
    fields: Mapping[str, ValueMatcher] | None

    @property
    def shown(self) -> str:
        """It as JSON text."""
        return DELETED if self.fields is None else shown({name: matcher.expected for name, matcher in self.fields.items()})

    @property
    def plain(self) -> Mapping[str, object] | None:
        """Field → the one value that it must just equal; `None`: some may be otherwise, or the record is deleted."""
        if self.fields is None or not all(type(matcher) is Literal and matcher.plain for matcher in self.fields.values()):
            return None
        return {name: matcher.expected for name, matcher in self.fields.items()}


@dataclass(frozen=True, slots=True)
class ExpectedChanges:
    """The changes that a contract expects, compiled.

    Args:
        named: Path → record.
        created: Collection → records created under any key.
        ignore: Fields that are left out; never the creation or deletion of a record.
        plain: Path → the record's fields, if each must just equal one value.
    """

    named: Mapping[str, ExpectedRecord]
    created: Mapping[str, tuple[ExpectedRecord, ...]]
    ignore: Globs
    plain: Mapping[str, Mapping[str, object]]

    @property
    def count(self) -> int:
        """How many records change."""
        return len(self.named) + sum(map(len, self.created.values()))


def compile_changes(outcome: Outcome, *, normalisers: Mapping[str, Normaliser] | None = None) -> ExpectedChanges | None:
    """Prepare the changes that an outcome expects.

    Args:
        outcome: The outcome: its `changes`, or what its `reference` did, whose values are literal.
        normalisers: The suite's own normalisers by name.

    Returns:
        The changes; `None`: neither is known.

    Raises:
        SuiteError: A record is no object, or a matcher or a normaliser is wrong.
    """
    expected = outcome.changes if outcome.changes is not None else outcome.reference
    if expected is None:
        return None
    compiler = _Compiler(outcome, normalisers or {}, literal=outcome.changes is None)
    records = [record for path, raw in expected.items() if (record := compiler.record(path, raw)) is not None]
    created: dict[str, list[ExpectedRecord]] = {}
    for record in records:
        if match := _CREATED.fullmatch(record.path):
            created.setdefault(match["collection"], []).append(record)
    named = {record.path: record for record in records if not _CREATED.fullmatch(record.path)}
    plain = {path: fields for path, record in named.items() if (fields := record.plain) is not None}
    return ExpectedChanges(named, {collection: tuple(group) for collection, group in created.items()}, Globs(outcome.ignore), plain)


class _Compiler:
    def __init__(self, outcome: Outcome, own: Mapping[str, Normaliser], *, literal: bool) -> None:
        self.literal = literal
        self.ignore = Globs(outcome.ignore)
        self.as_set = Globs(outcome.as_set)
        specific_first = sorted(outcome.normalise.items(), key=lambda item: len(item[0]), reverse=True)
        self.normalise = [(Globs([glob]), _normaliser(name, own)) for glob, name in specific_first]

    def record(self, path: str, raw: Raw) -> ExpectedRecord | None:
        fields = msgspec.json.decode(raw)
        if fields is None and not _CREATED.fullmatch(path):
            return ExpectedRecord(path, None)
        if not isinstance(fields, dict):
            raise SuiteError(f"the change of {path!r} is {shown(fields)}; expected are its fields, or null for a deleted record")
        # Where the reference only touched fields that are left out, nothing is expected of the agent.
        if self.literal and fields and all(f"{path}/{name}" in self.ignore for name in fields):
            return None
        return ExpectedRecord(path, {name: self._matcher(f"{path}/{name}", value) for name, value in fields.items()})

    def _matcher(self, place: str, value: object) -> ValueMatcher:
        normaliser = next((found for globs, found in self.normalise if place in globs), None)
        return compile_expected(
            {"$literal": value} if self.literal else value, where=place, normaliser=normaliser, as_set=place in self.as_set
        )


def _normaliser(name: str, own: Mapping[str, Normaliser]) -> str | Normaliser:
    if name in own:
        return own[name]
    try:
        catalogue.load("normaliser", name)
    except UsageError as error:
        known = (*catalogue.built_in("normaliser"), *own)
        raise SuiteError(
            f"there is no normaliser {name!r} for an end state; known: {', '.join(known)}.", nearest=nearest(name, known)
        ) from error
    return name


def compile_expected(value: object, *, where: str, normaliser: str | Normaliser | None = None, as_set: bool = False) -> ValueMatcher:
    """Compile an expected value of an end state.

    Raises:
        SuiteError: A matcher or a normaliser is wrong, or the value refers to a call (`$from`).
    """
    try:
        matcher = compile_value(value, normaliser=normaliser, as_set=as_set)
    except ValueError as error:
        raise SuiteError(f"the expected value of {where!r} is wrong: {error}") from error
    if any(True for _ in matcher.sources()):
        raise SuiteError(f"the expected value of {where!r} refers to a call with $from; an end state can only name values")
    return matcher


def compare_changes(expected: ExpectedChanges, actual: Sequence[Change]) -> tuple[Difference, ...]:
    """Return every place where the net changes differ from those expected; none: they are exactly those.

    Args:
        expected: The compiled changes.
        actual: The net changes of the trial.
    """
    found: list[Difference] = []
    created: dict[str, list[Change]] = {}
    seen: set[str] = set()
    for change in actual:
        record = expected.named.get(change.path)
        if record is not None:
            seen.add(change.path)
            if not _as_written(change, expected.plain.get(change.path), expected.ignore):
                found.extend(_differences(record, change, expected.ignore))
            continue
        collection = change.path.rpartition("/")[0]
        if change.kind == "created" and collection in expected.created:
            created.setdefault(collection, []).append(change)
        elif not _is_ignored(change, expected.ignore):
            found.append(_unexpected(change))
    if len(seen) < len(expected.named):
        found.extend(Difference(path, record.shown, UNCHANGED) for path, record in expected.named.items() if path not in seen)
    for collection, records in expected.created.items():
        found.extend(_assign(records, created.get(collection, []), expected.ignore))
    return tuple(sorted(found, key=lambda difference: difference.path)) if found else ()


def _as_written(change: Change, fields: Mapping[str, object] | None, ignore: Globs) -> bool:
    """Tell at a glance whether a record became just what is expected, value by value: then nothing of it differs."""
    if fields is None or change.kind == "deleted":
        return False
    met = 0
    for name, value in _fields(change).items():
        wanted = fields.get(name, _UNLISTED)
        if type(wanted) is type(value) and wanted == value:
            met += 1
        elif wanted is not _UNLISTED or f"{change.path}/{name}" not in ignore:
            return False
    return met == len(fields)


def _assign(records: Sequence[ExpectedRecord], changes: Sequence[Change], ignore: Globs) -> Iterator[Difference]:
    """Match created records to those expected under any key, as many as possible; on failure the nearest pairs are shown."""
    found = [[tuple(_differences(record, change, ignore)) for change in changes] for record in records]
    options = [[index for index, differences in enumerate(row) if not differences] for row in found]
    match = maximum_matching(options, len(changes))
    left = [index for index, right in enumerate(match) if right < 0]
    free = [index for index in range(len(changes)) if index not in match]
    if left and free:
        most = max(len(found[i][j]) for i in left for j in free) + 1
        nearest = heaviest_matching([[float(most - len(found[i][j])) for j in free] for i in left])
        for i, j in zip(tuple(left), nearest, strict=True):
            if j >= 0:
                yield from found[i][free[j]]
                left.remove(i)
        free = [index for position, index in enumerate(free) if position not in nearest]
    yield from (Difference(records[i].path, records[i].shown, ABSENT) for i in left)
    yield from (_unexpected(changes[j]) for j in free)


def _differences(record: ExpectedRecord, change: Change, ignore: Globs) -> Iterator[Difference]:
    if record.fields is None or change.kind == "deleted":
        if (record.fields is None) != (change.kind == "deleted"):
            yield Difference(change.path, record.shown, DELETED if change.kind == "deleted" else _after(change))
        return
    actual = _fields(change)
    for name, matcher in record.fields.items():
        place = f"{change.path}/{name}"
        if place in ignore:
            continue
        if name not in actual:
            if change.kind != "created" or not matcher.matches(None):
                yield Difference(place, shown(matcher.expected), UNCHANGED if change.kind == "updated" else ABSENT)
        else:
            yield from matcher.differences(actual[name], place)
    yield from _unlisted(record.fields, change, actual, ignore)


def _unlisted(fields: Mapping[str, ValueMatcher], change: Change, actual: Mapping[str, object], ignore: Globs) -> Iterator[Difference]:
    spare = _key_parts(change) if change.kind == "created" else []
    for name, value in actual.items():
        place = f"{change.path}/{name}"
        if name in fields or place in ignore or (change.kind == "created" and value is None):
            continue
        # The key is in the path already; each of its parts exempts one field that equals it.
        if not isinstance(value, bool) and isinstance(value, str | int) and str(value) in spare:
            spare.remove(str(value))
            continue
        yield Difference(place, ABSENT if change.kind == "created" else UNCHANGED, shown(value))


def _key_parts(change: Change) -> list[str]:
    return [unquote(part) for part in change.path.rpartition("/")[2].split(",")]


def _is_ignored(change: Change, ignore: Globs) -> bool:
    """Tell whether all that was updated are fields that are left out."""
    return change.kind == "updated" and all(f"{change.path}/{name}" in ignore for name in _fields(change))


def _unexpected(change: Change) -> Difference:
    became = DELETED if change.kind == "deleted" else _after(change)
    return Difference(change.path, ABSENT if change.kind == "created" else UNCHANGED, became)


def _after(change: Change) -> str:
    return shown(_fields(change))


def _fields(change: Change) -> Mapping[str, object]:
    decoded = read_json(change.after) if isinstance(change.after, Raw) else {}
    return decoded if isinstance(decoded, dict) else {"": decoded}
