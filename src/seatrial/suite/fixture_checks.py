"""What a fixture and the tasks on it must agree on."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, MutableMapping

import msgspec

from seatrial.base.canonical import canonical
from seatrial.base.normal_forms import BUILT_IN
from seatrial.records.contract import Contract
from seatrial.records.paths import record_key, split_path
from seatrial.suite.definition import SuiteDefinition
from seatrial.suite.fixtures import FixtureData, Rows
from seatrial.suite.part import Part, shown
from seatrial.suite.place import Place

Record = Mapping[str, object]
Records = Mapping[str, Mapping[str, Record]]
"""Collection to key to record."""
Collision = tuple[str, str, str, str]
"""Collection, normaliser, and two keys that have one normal form."""


class FixtureIndex:
    """The records of a fixture by key and by the normal forms of their keys, each form computed once.

    Args:
        fixture: The content; one given as SQL has no records that are known here.
        definition: What the world offers. The key of a record in a list is what `definition.keys` says, or its first field.

    Raises:
        SuiteError: Two records have one key, of which one would be lost; or a record names another key than it stands under.
    """

    def __init__(self, fixture: FixtureData, definition: SuiteDefinition) -> None:
        self.data, self.definition = fixture, definition
        self.records: Records = {
            name: _keyed(rows, definition.keys.get(name), Part(rows, Place(fixture.file), (name,)))
            for name, rows in (fixture.records or {}).items()
        }
        self._forms: dict[tuple[str, str], tuple[dict[object, str], list[tuple[str, str]]]] = {}

    def collisions(self, normalisers: Iterable[tuple[str, str]]) -> Iterator[Collision]:
        """Yield keys of the fixture that have one normal form, so that a call could mean either.

        Args:
            normalisers: Pairs of an argument and its normaliser. They apply to the keys of records that hold their key in a
                field of that name, or whose collection names the argument: `policies` names `policy_id`.
        """
        pairs = sorted(set(normalisers))
        for collection, rows in self.records.items():
            for argument, normaliser in pairs:
                if normaliser in BUILT_IN and _is_key(collection, rows, argument):
                    for first, second in self._indexed(collection, normaliser)[1]:
                        yield collection, normaliser, first, second

    def collisions_with(self, laid: Records, normalisers: Iterable[tuple[str, str]]) -> Iterator[Collision]:
        """Yield keys of records laid over the fixture that have one normal form with another key. See `collisions`."""
        pairs = sorted(set(normalisers))
        for collection, rows in laid.items():
            for argument, normaliser in pairs:
                if normaliser in BUILT_IN and _is_key(collection, rows, argument):
                    forms = self._indexed(collection, normaliser)[0] if collection in self.records else {}
                    for first, second in _collisions(rows, normaliser, ChainMap({}, forms)):
                        yield collection, normaliser, first, second

    def record(self, path: str, laid: Records) -> Record | None:
        """Return the record of a path `collection/key`, those of a task laid over the fixture's; `None`: not known."""
        found = split_path(path)
        if found is None:
            return None
        collection, key = found
        return laid.get(collection, {}).get(key) or self.records.get(collection, {}).get(key)

    def _indexed(self, collection: str, normaliser: str) -> tuple[dict[object, str], list[tuple[str, str]]]:
        if (collection, normaliser) not in self._forms:
            forms: dict[object, str] = {}
            self._forms[collection, normaliser] = forms, list(_collisions(self.records[collection], normaliser, forms))
        return self._forms[collection, normaliser]


def laid_records(rows: Mapping[str, Iterable[msgspec.Raw]], definition: SuiteDefinition, part: Part | None) -> Records:
    """Return the records that a task lays over its fixture, by collection and key.

    Args:
        rows: Collection to records.
        definition: What the world offers.
        part: The task's `fixture.with`, for the place of an error; `None`: it has none.

    Raises:
        SuiteError: Two records have one key, of which one would be lost.
    """
    if part is None:
        return {}
    return {name: _keyed([msgspec.json.decode(row) for row in each], definition.keys.get(name), part[name]) for name, each in rows.items()}


def check_changes(part: Part | None, contract: Contract, index: FixtureIndex, laid: Records) -> None:
    """Check that what a contract expects to change is not already so in the fixture.

    Args:
        part: What the task expects, for the place of the error.
        contract: The contract that was read from it.
        index: The fixture.
        laid: The task's own records.

    Raises:
        SuiteError: An expected change equals the fixture.
    """
    for alternative in contract.alternatives:
        changes = alternative.outcome.changes if alternative.outcome is not None else None
        for path, raw in (changes or {}).items():
            expected, before = msgspec.json.decode(raw), index.record(path, laid)
            if expected and before is not None and all(_same(value, before.get(field)) for field, value in expected.items()):
                where = _change_part(part, alternative.name, path)
                if where is not None:
                    where.fail(
                        f"the expected change {shown(expected)} is what the fixture already holds; a run that does nothing would pass"
                    )


def _keyed(rows: Rows, fields: tuple[str, ...] | None, part: Part) -> dict[str, Record]:
    if isinstance(rows, dict):
        for key, row in rows.items():
            if fields and len(fields) == 1 and record_key([row.get(fields[0], key)]) != record_key([key]):
                part[key].fail(f"the record stands under the key {key!r} and names the key {shown(row[fields[0]])}; keep one")
        return dict(rows)
    found: dict[str, Record] = {}
    for position, row in enumerate(rows):
        names = fields or tuple(row)[:1]
        if names and all(row.get(name) is not None for name in names):
            key = record_key(row[name] for name in names)
            if fields and key in found:
                part[position].fail(f"two records have the key {key!r}, of which one would be lost; keep one")
            found[key] = row
    return found


def _is_key(collection: str, rows: Mapping[str, Record], argument: str) -> bool:
    if argument in (f"{collection}_id", f"{collection[:-1]}_id", f"{collection[:-3]}y_id"):
        return True
    return bool(rows) and all(argument in row and record_key([row[argument]]) == key for key, row in rows.items())


def _collisions(rows: Mapping[str, object], normaliser: str, seen: MutableMapping[object, str]) -> Iterator[tuple[str, str]]:
    for key in rows:
        try:
            first = seen.setdefault(BUILT_IN[normaliser](key), key)
        except (ValueError, TypeError):
            continue
        if first != key:
            yield first, key


def _same(expected: object, actual: object) -> bool:
    return canonical(expected) == canonical(actual)


def _change_part(part: Part | None, alternative: str, path: str) -> Part | None:
    for key in (*(("any_of", alternative) if alternative else ()), "outcome", "changes", path):
        part = part.get(key) if part is not None else None
    return part
