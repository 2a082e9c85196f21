"""Whose the records of a fixture are: which field of a record names its owner, and what a task's caller therefore has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from seatrial.base.errors import SuiteError
from seatrial.base.names import nearest
from seatrial.records.paths import record_key
from seatrial.suite.definition import SuiteDefinition
from seatrial.suite.fixture_checks import FixtureIndex, Record, Records
from seatrial.suite.part import Part, listed

KEYS = {"field": "Field of a record that holds the key of its owner, or a list of keys.", "of": "Collection of the owners."}
"""Keys of an ownership and what they mean."""


@dataclass(frozen=True)
class Belonging:
    """How the records of a collection name their owner.

    Args:
        field: The field that holds the owner's key, or a list of keys.
        of: The collection of the owners.
    """

    field: str
    of: str


Ownership = Mapping[str, Belonging]
"""Collection → how its records name their owner."""
Caller = dict[str, tuple[str, ...]]
"""Collection → keys of the records that are the caller's."""


def read_ownership(part: Part, definition: SuiteDefinition) -> dict[str, Belonging]:
    """Read who owns the records of which collections: `{policies: {field: customer_id, of: customers}}`.

    Args:
        part: The mapping.
        definition: What the world offers.

    Raises:
        SuiteError: A collection is not known, or a key is missing or unknown.
    """
    return {name: _belonging(name, value, definition) for name, value in part.entries()}


def _belonging(name: str, part: Part, definition: SuiteDefinition) -> Belonging:
    part.mapping(KEYS)
    for key in KEYS:
        if part.get(key) is None or not part[key].text():
            part.fail(f"an ownership needs `{key}`; write it like {{field: customer_id, of: customers}}")
    known = definition.collections
    for collection, where in ((name, part), (part["of"].text(), part["of"])):
        if known is not None and collection not in known:
            where.fail(f"there is no collection {collection!r}; known: {listed(known)}.", close_to=collection, among=known)
    if part["of"].text() == name:
        part.fail(f"the owners of {name!r} are {name!r} themselves, which says nothing")
    return Belonging(part["field"].text(), part["of"].text())


@dataclass
class Owned:
    """The records of a fixture by their owner, looked up once for all tasks.

    Args:
        index: The fixture.
        ownership: How its records name their owner.
    """

    index: FixtureIndex
    ownership: Ownership
    _by_owner: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    def caller(self, declared: Mapping[str, tuple[str, ...]], laid: Records) -> Caller:
        """Return who speaks, with all that is theirs: also what belongs to what belongs to them.

        Args:
            declared: What the task says. Nothing is added to a caller of whom it says nothing.
            laid: The records that the task lays over the fixture.

        Returns:
            Collection → keys. A collection whose owner is known stands there even if nothing in it is theirs.

        Raises:
            SuiteError: The fixture is given as SQL, whose records are not known here, or no record has the field that names the owner.
        """
        theirs: dict[str, dict[str, None]] = {name: dict.fromkeys(keys) for name, keys in declared.items()}
        waiting = list(theirs)
        while waiting:
            owner = waiting.pop()
            for name, belonging in self.ownership.items():
                if belonging.of == owner:
                    found = dict.fromkeys(self._of(name, belonging, theirs[owner], laid.get(name, {})))
                    if name not in theirs or not theirs[name].keys() >= found.keys():
                        theirs.setdefault(name, {}).update(found)
                        waiting.append(name)
        return {name: tuple(keys) for name, keys in sorted(theirs.items())}

    def _of(self, name: str, belonging: Belonging, owners: Iterable[str], laid: Mapping[str, Record]) -> Iterator[str]:
        by_owner = self._indexed(name, belonging)
        for owner in owners:
            yield from (key for key in by_owner.get(owner, ()) if key not in laid)
        among = frozenset(owners)
        yield from (key for key, record in laid.items() if not among.isdisjoint(_owners(record, belonging)))

    def _indexed(self, name: str, belonging: Belonging) -> dict[str, list[str]]:
        if name not in self._by_owner:
            records = self._records(name, belonging)
            by_owner: dict[str, list[str]] = {}
            for key, record in records.items():
                for owner in _owners(record, belonging):
                    by_owner.setdefault(owner, []).append(key)
            self._by_owner[name] = by_owner
        return self._by_owner[name]

    def _records(self, name: str, belonging: Belonging) -> Mapping[str, Record]:
        data = self.index.data
        if data.sql is not None:
            message = "`ownership` is worked out from records, and this fixture is given as SQL; give it as .json or .csv, or name in each"
            raise SuiteError(f"{message} task all that is the caller's", file=data.file)
        records = self.index.records.get(name, {})
        if records and not any(belonging.field in record for record in records.values()):
            fields = sorted({field for record in records.values() for field in record})
            message = f"no record of {name!r} has the field {belonging.field!r}, which `ownership` says names its owner"
            raise SuiteError(f"{message}; known: {listed(fields)}.", file=data.file, nearest=nearest(belonging.field, fields))
        return records


def _owners(record: Record, belonging: Belonging) -> list[str]:
    value = record.get(belonging.field)
    return [record_key([each]) for each in (value if isinstance(value, list) else [value]) if each is not None]
