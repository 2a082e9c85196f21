"""A top-level collection of records: it knows which keys a call has touched, so that its size costs nothing."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from typing import NamedTuple, Self

from seatrial.world.states._nodes import deep_plain, settled, wrapped

EAGER = 5_000
"""Records up to which a collection is copied (by reference) when a trial opens; a larger one falls through to the shared one."""
ABSENT: object = object()
"""Stands for a record that is not there."""

Records = dict[str, object]
_set = dict.__setitem__


class Touched(NamedTuple):
    """A record that differs from before the call."""

    key: str
    before: object
    """The record as it was; `ABSENT`: there was none."""
    after: object
    """The record as it is; `ABSENT`: it is gone."""


class Collection(dict[str, object]):
    """A tool's own view of a shared collection.

    Above `EAGER` records its store holds only the records that were touched, and one more: an empty store would look empty to
    code that reads it past Python, as `json` does. Whatever needs all records loads them first.

    Args:
        shared: The fixture's records; never changed.
        laid: The task's own records over them; never changed.
    """

    __slots__ = ("_before", "_order", "_shared")

    def __init__(self, shared: Records, laid: Records) -> None:
        lazy = len(shared) > EAGER
        dict.__init__(self, laid if lazy else shared)
        self._before: dict[str, object] = {}
        self._order: list[str] | None = None
        self._shared: Records | None = shared if lazy else None
        if not lazy:
            dict.update(self, laid)
        elif not laid:
            key = next(iter(shared))
            _set(self, key, shared[key])

    @property
    def is_lazy(self) -> bool:
        """Whether the store does not hold all records."""
        return self._shared is not None

    def load(self) -> None:
        """Take all records into the store, in their order."""
        if self._shared is not None:
            own = dict(dict.items(self))
            dict.clear(self)
            dict.update(self, self._shared)
            dict.update(self, own)
            self._shared = None

    def differences(self) -> list[Touched]:
        """Return the touched records that differ from before the call, as plain data."""
        found = []
        for key, before in self._before.items():
            now = dict.get(self, key, ABSENT)
            after = now if now is ABSENT else settled(now, before)
            if after is not before:
                found.append(Touched(key, before, after))
        return found

    def commit(self, differences: Iterable[Touched]) -> None:
        """End the call: the differing records become shared data, and no view that was handed out counts any longer."""
        for key, before in self._before.items():
            if before is not ABSENT and dict.__contains__(self, key):
                _set(self, key, before)
        for one in differences:
            if one.after is not ABSENT:
                _set(self, one.key, one.after)
        self._forget()

    def restore(self) -> None:
        """End the call: every record is as before, in the order of before."""
        for key, before in self._before.items():
            if before is ABSENT:
                dict.pop(self, key, None)
            else:
                _set(self, key, before)
        if self._order is not None:
            records = {key: dict.__getitem__(self, key) for key in self._order}
            dict.clear(self)
            dict.update(self, records)
        self._forget()

    def committed(self) -> Records:
        """Return all records as they were before the call, in their order, as shared data."""
        self.load()
        records: Records = {}
        records.update((key, dict.get(self, key)) for key in (dict.keys(self) if self._order is None else self._order))
        for key, before in self._before.items():
            if before is ABSENT:
                records.pop(key, None)
            else:
                records[key] = before
        return records

    def _forget(self) -> None:
        self._before, self._order = {}, None

    def _raw(self, key: str) -> object:
        found = dict.get(self, key, ABSENT)
        return self._shared.get(key, ABSENT) if found is ABSENT and self._shared is not None else found

    def _touch(self, key: str) -> object:
        """Note what a record was before the call, when this is its first touch, and return what stands there now."""
        value = self._raw(key)
        if key not in self._before:
            self._before[key] = value
        return value

    def __getitem__(self, key: str) -> object:
        value = dict.get(self, key, ABSENT)
        if value is ABSENT:
            value = self._raw(key)
            if value is ABSENT:
                raise KeyError(key)
        kind = type(value)
        if (kind is dict or kind is list) and key not in self._before:
            self._before[key] = value
            value = wrapped(value)
            _set(self, key, value)
        return value

    def get(self, key: str, default: object = None) -> object:  # type: ignore[override]
        """Return a record, or the default when the key is missing."""
        return default if self._raw(key) is ABSENT else self[key]

    def __contains__(self, key: object) -> bool:
        return dict.__contains__(self, key) or (self._shared is not None and key in self._shared)

    def __len__(self) -> int:
        if self._shared is None:
            return dict.__len__(self)
        return len(self._shared) + sum(key not in self._shared for key in dict.keys(self))

    def __iter__(self) -> Iterator[str]:
        self.load()
        return dict.__iter__(self)

    def __reversed__(self) -> Iterator[str]:
        self.load()
        return dict.__reversed__(self)

    def __repr__(self) -> str:
        self.load()
        return dict.__repr__(self)

    def __eq__(self, other: object) -> bool:
        self.load()
        return dict.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        """Return a view of the keys."""
        self.load()
        return dict.keys(self)  # type: ignore[return-value]

    def values(self) -> ValuesView[object]:  # type: ignore[override]
        """Return a view of the records."""
        self.load()
        return ValuesView(self)

    def items(self) -> ItemsView[str, object]:  # type: ignore[override]
        """Return a view of the keys and records."""
        self.load()
        return ItemsView(self)

    def __setitem__(self, key: str, value: object) -> None:
        self._touch(key)
        _set(self, key, value)

    def __delitem__(self, key: str) -> None:
        self.load()
        if not dict.__contains__(self, key):
            raise KeyError(key)
        if self._order is None:  # only a deletion can change the order of what was there
            self._order = [name for name in dict.keys(self) if self._before.get(name, self) is not ABSENT]
        self._touch(key)
        dict.__delitem__(self, key)

    def pop(self, key: str, *default: object) -> object:  # type: ignore[override]
        """Remove a record and return it."""
        if key not in self:
            if default:
                return default[0]
            raise KeyError(key)
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, object]:
        """Remove the last record and return it with its key."""
        for key in reversed(self):
            return key, self.pop(key)
        raise KeyError("popitem(): dictionary is empty")

    def clear(self) -> None:
        """Remove all records."""
        for key in list(self):
            del self[key]

    def setdefault(self, key: str, default: object = None) -> object:  # type: ignore[override]
        """Return a record; a missing key first gets the default."""
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *others: object, **named: object) -> None:  # type: ignore[override]
        """Set records from mappings or pairs."""
        for key, value in dict(*others, **named).items():  # type: ignore[call-overload]
            self[key] = value

    def copy(self) -> Records:
        """Return a plain dict with the same records."""
        return {key: self[key] for key in self}

    def __or__(self, other: object) -> Records:  # type: ignore[override]
        return self.copy() | dict(other) if isinstance(other, Mapping) else NotImplemented

    def __ror__(self, other: object) -> Records:  # type: ignore[override]
        return dict(other) | self.copy() if isinstance(other, Mapping) else NotImplemented

    def __ior__(self, other: object) -> Self:  # type: ignore[override,misc]
        self.update(other)
        return self

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, object]) -> Records:
        self.load()
        return deep_plain(self)  # type: ignore[return-value]

    def __reduce_ex__(self, _protocol: object) -> tuple[object, ...]:
        self.load()
        return dict, (deep_plain(self),)
