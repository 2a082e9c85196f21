"""`documents` state: collections of JSON records that tools change as plain dicts; records are copied only when touched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import UNSET, Raw, UnsetType

from seatrial.base.clock import Clock
from seatrial.base.errors import SuiteError, WorldError
from seatrial.records.paths import record_path
from seatrial.records.trace import Change, Effect
from seatrial.suite.fixtures import FixtureData
from seatrial.world.answers import UnfitAnswerError, encoded
from seatrial.world.calls import ToolError
from seatrial.world.states._collection import ABSENT, Collection, Records, Touched
from seatrial.world.states._nodes import deep_plain, settled

Laid = dict[str, Records]
"""Collection → key → record."""


class Documents:
    """A world whose state is nested JSON: collection → key → record.

    Args:
        keys: Collection → field of a record that holds its key; absent: `id`, or the collection's singular with `_id`.
            Only needed for records that are given as a list.
    """

    def __init__(self, *, keys: Mapping[str, str] | None = None) -> None:
        self._key_fields = dict(keys or {})
        self.warnings: tuple[str, ...] = ()
        self._shared: dict[str, Laid] = {}

    @property
    def collections(self) -> frozenset[str] | None:
        """`None`: the collections are those of the fixture."""
        return None

    @property
    def keys(self) -> Mapping[str, tuple[str, ...]]:
        """Collection → the declared field of its key."""
        return {collection: (field,) for collection, field in self._key_fields.items()}

    @property
    def source(self) -> str:
        """The kind and the declared keys."""
        return f"documents\n{sorted(self._key_fields.items())}"

    def prepare(self, fixture: FixtureData, rows: Mapping[str, Sequence[Raw]]) -> PreparedDocuments:
        """Return the initial state of a task.

        Args:
            fixture: The fixture's content: records by collection.
            rows: Collection → records laid over it; a record replaces the fixture's of the same key.

        Raises:
            SuiteError: A record has no key, or two records have one key.
        """
        shared = self._shared.get(fixture.hash) if fixture.hash else None
        if shared is None:
            shared = self._read(fixture)
            self._shared[fixture.hash] = shared
        return PreparedDocuments(shared, {name: self._laid(shared, name, given) for name, given in rows.items()})

    def _laid(self, shared: Laid, collection: str, rows: Sequence[Raw]) -> Records:
        if shared and collection not in shared:
            from seatrial.base.names import nearest

            raise SuiteError(
                f"fixture.with: the fixture has no collection {collection!r}; it has {', '.join(shared)}. An empty one may be given",
                nearest=nearest(collection, shared),
            )
        return self._keyed(collection, [msgspec.json.decode(row) for row in rows], "fixture.with")

    def _read(self, fixture: FixtureData) -> Laid:
        if fixture.sql is not None:
            raise SuiteError("the fixture is SQL, and the world's state is Documents(): give its records as JSON or CSV", file=fixture.file)
        return {name: self._keyed(name, rows, "fixture") for name, rows in (fixture.records or {}).items()}

    def _keyed(self, collection: str, rows: object, origin: str) -> Records:
        if isinstance(rows, Mapping):
            return {str(key): deep_plain(record) for key, record in rows.items()}
        if not isinstance(rows, list | tuple):
            raise SuiteError(f"{origin}: the collection {collection!r} is a {type(rows).__name__}, not records")
        found: Records = {}
        for number, record in enumerate(rows, 1):
            key = self._key(collection, record, f"{origin}: collection {collection!r}, record {number}")
            if key in found:
                raise SuiteError(f"{origin}: collection {collection!r}, record {number}: the key {key!r} is there twice")
            found[key] = deep_plain(record)
        return found

    def _key(self, collection: str, record: object, place: str) -> str:
        if not isinstance(record, Mapping):
            raise SuiteError(f"{place}: {record!r:.80} is not an object")
        fields = [self._key_fields[collection]] if collection in self._key_fields else ["id", *_singular_ids(collection)]
        for field in fields:
            value = record.get(field)
            if isinstance(value, str | int) and not isinstance(value, bool):
                return str(value)
        raise SuiteError(f"{place}: it has no key {' or '.join(fields)!s}; say which field it is: Documents(keys={{{collection!r}: ...}})")


class PreparedDocuments:
    """The initial records of one task.

    Args:
        shared: The fixture's records.
        laid: The task's own records.
    """

    def __init__(self, shared: Laid, laid: Laid) -> None:
        self._shared, self._laid = shared, laid

    def open(self, *, clock: Clock, seed: int) -> DocumentsState:  # noqa: ARG002 - no clock and no chance in plain records
        """Return fresh collections for one trial."""
        return DocumentsState(self._shared, self._laid)


class DocumentsState:
    """The records of one trial.

    Args:
        shared: The fixture's records.
        laid: The task's own records.
    """

    def __init__(self, shared: Laid, laid: Laid) -> None:
        self.changes_unknown = ""
        names = [*shared, *(name for name in laid if name not in shared)]
        self._collections = {name: Collection(shared.get(name, {}), laid.get(name, {})) for name in names}
        self._effect: Effect = "read"
        self.handle: dict[str, object] = dict(self._collections)

    def begin(self, effect: Effect) -> None:
        """Open a call; what anybody did to the records outside of a call is undone."""
        self.undo()
        self._effect = effect

    def keep(self) -> tuple[Change, ...]:
        """Close the call, keep what it wrote, and return the changes it made.

        Raises:
            WorldError: A tool that is declared to read has written; nothing is kept.
            ToolError: A collection was replaced by something that holds no records; nothing is kept.
        """
        replaced = [name for name in {*self.handle, *self._collections} if self.handle.get(name) is not self._collections.get(name)]
        found = {name: one.differences() for name, one in self._collections.items() if name not in replaced}
        whole = {name: self._whole(name) for name in replaced}
        found |= {name: self._replacement(name, records) for name, records in whole.items()}
        changes = tuple(sorted(_changes(found), key=lambda change: change.path))
        if changes and self._effect == "read":
            raise WorldError(f"it is declared effect='read' and changed {changes[0].path}")
        self._commit(found, whole)
        return changes

    def undo(self) -> None:
        """Close the call and undo what it wrote."""
        for collection in self._collections.values():
            collection.restore()
        self._reset_handle()

    def release(self, answer: object) -> object:
        """Return an answer whose collections hold all their records, as an encoder reads past Python's methods."""
        if any(collection.is_lazy for collection in self._collections.values()):
            _load_all(answer)
        return answer

    def close(self) -> None:
        """Let go of the records."""
        self._collections = {}
        self.handle.clear()

    def _whole(self, name: str) -> Records | None:
        """Return the records that stand in place of a collection; `None`: it is gone."""
        value = self.handle.get(name, ABSENT)
        if value is ABSENT:
            return None
        if not isinstance(value, Mapping):
            raise ToolError(f"the collection {name!r} became a {type(value).__name__}; it holds records by key")
        return dict(value)

    def _replacement(self, name: str, records: Records | None) -> list[Touched]:
        collection = self._collections.get(name)
        before: Records = collection.committed() if collection is not None else {}
        now = records or {}
        found = [Touched(key, old, ABSENT) for key, old in before.items() if key not in now]
        for key, value in now.items():
            old = before.get(key, ABSENT)
            after = settled(value, old)
            if after is not old:
                found.append(Touched(key, old, after))
        return found

    def _commit(self, found: Mapping[str, list[Touched]], whole: Mapping[str, Records | None]) -> None:
        for name, records in whole.items():
            collection = self._collections.pop(name, None)
            if records is not None:
                after = {one.key: one.after for one in found[name]}
                before = collection.committed() if collection is not None else {}
                self._collections[name] = Collection({key: after.get(key, before.get(key)) for key in records}, {})
        for name, differences in found.items():
            if name not in whole:
                self._collections[name].commit(differences)
        self._reset_handle()

    def _reset_handle(self) -> None:
        self.handle.clear()
        self.handle.update(self._collections)


def _singular_ids(collection: str) -> list[str]:
    singular = f"{collection[:-3]}y" if collection.endswith("ies") else collection.removesuffix("s")
    return [f"{singular}_id", f"{collection}_id", "key"]


def _load_all(value: object) -> None:
    if isinstance(value, Collection):
        value.load()
    elif isinstance(value, dict):
        for item in dict.values(value):
            _load_all(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _load_all(item)


def _changes(found: Mapping[str, list[Touched]]) -> Iterable[Change]:
    for name, differences in found.items():
        for key, before, after in differences:
            path = record_path(name, [key])
            try:
                change = _change(path, before, after)
            except UnfitAnswerError as error:
                raise ToolError(f"the record {path} cannot be kept: {error}") from error
            if change is not None:
                yield change


def _change(path: str, before: object, after: object) -> Change | None:
    if before is ABSENT:
        return Change(path, "created", after=_fields(after))
    if after is ABSENT:
        return Change(path, "deleted", before=_fields(before))
    if not isinstance(before, dict) or not isinstance(after, dict):
        return Change(path, "updated", before=_fields(before), after=_fields(after))
    old = {name: value for name, value in before.items() if after.get(name, ABSENT) is not value}
    new = {name: value for name, value in after.items() if before.get(name, ABSENT) is not value}
    return Change(path, "updated", before=_fields(old), after=_fields(new)) if old or new else None


def _fields(record: object) -> Raw | UnsetType:
    """Return a record's fields as JSON; a record that is no object is its own only field `value`."""
    return UNSET if record is ABSENT else Raw(encoded(record if isinstance(record, dict) else {"value": record}))
