"""Whose a record is, as far as it was shown: the task's caller, an identification, an answer that names the owner, a record just made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple
from urllib.parse import unquote

from msgspec import UNSET, Struct

from seatrial.grade.ends import committed
from seatrial.grade.paths import parse_path, parsed, values_at
from seatrial.grade.selection import Names, is_named, key_form, leaves, places_in, refuse_empty, rows_in, values_in
from seatrial.grade.view import CallView, read_json
from seatrial.records.paths import split_path
from seatrial.records.task import Task
from seatrial.records.trace import Change

Whose = Literal["theirs", "another's", "unknown"]
Record = tuple[str, object]
"""Collection, and the normal form of a key."""


class Owner(Struct, frozen=True, forbid_unknown_fields=True):
    """Where answers show whose the records of a collection are."""

    key: str
    """Path to the record's key in the answer, or else in the arguments of the call; `reservations[*]`: several records."""
    field: str
    """Path to the owner's key in the answer – beside the record's where both stand in one list –, or else in the arguments."""
    of: str
    """Collection of the owners: `customers`."""
    tool: Names | None = None
    """Read tool that answers so, or several; absent: any."""

    def __post_init__(self) -> None:
        """Refuse what no answer could show."""
        for name, value in (("key", self.key), ("field", self.field), ("of", self.of)):
            refuse_empty(name, value)
        parse_path(self.key)
        parse_path(self.field)
        if self.tool is not None:
            refuse_empty("tool", self.tool)


class Evidence(NamedTuple):
    """Whose a record is, and what shows it."""

    whose: Whose
    """The answer."""
    why: str
    """In words."""
    step: int | None = None
    """Sequence number of the step that shows it; `None`: the task says so, or nothing does."""


class _Shown(NamedTuple):
    """The owners of a record that an answer, or its making, showed."""

    owners: frozenset[object]
    of: str
    step: int


class Ownership:
    """Whose the records are at one point of an attempt, which starts with what the task says.

    Args:
        task: The task: its caller.
        owners: Collection → where answers show the owners of its records.
        identified: Collection → the argument whose first successful call says who speaks, where the task does not.
        creates: Collection → the answers that give the key of a record just made: `TOOL.path`.
    """

    def __init__(
        self, task: Task, owners: Mapping[str, tuple[Owner, ...]], identified: Mapping[str, str], creates: Mapping[str, tuple[str, ...]]
    ) -> None:
        self.owners, self.creates = owners, creates
        self.identified = {name: text for name, text in identified.items() if name not in task.caller}
        self.callers = {name: declared_keys(keys) for name, keys in task.caller.items()}
        self.declared = frozenset(task.caller)
        self._shown: dict[Record, _Shown] = {}
        self._first: dict[Record, _Shown] = {}
        self._made: dict[Record, int] = {}

    def of(self, collection: str, forms: tuple[object, ...]) -> Evidence:
        """Return whose a record is, as far as it was shown up to now.

        Args:
            collection: Its collection.
            forms: The normal forms of its key.
        """
        if any(form in self.callers.get(collection, ()) for form in forms):
            return Evidence("theirs", "it is the caller's")
        shown = self._by(self._shown, collection, forms)
        if shown is not None:
            return shown
        made = next((self._made[collection, form] for form in forms if (collection, form) in self._made), None)
        if made is not None:
            return Evidence("theirs", f"it was made at step {made}", made)
        if collection in self.callers:
            who = "the task names" if collection in self.declared else "were identified"
            return Evidence("another's", f"it is not among the {collection} of the caller that {who}")
        return Evidence("unknown", f"nobody said whose it is: the task names no {collection} of the caller, and no answer showed an owner")

    def first_shown(self, collection: str, forms: tuple[object, ...]) -> Evidence | None:
        """Return whose a record is by the first answer that showed an owner; `None`: none did. See `of`."""
        return self._by(self._first, collection, forms)

    def see(self, tool: str, seen: CallView) -> None:
        """Take note of what a call shows about owners; only a read does, for a write may have made it so."""
        if seen.call.effect != "read" or not committed(seen.call):
            return
        for collection, text in self.identified.items():
            if collection not in self.callers and (keys := values_in(text, tool, seen)):
                self.callers[collection] = frozenset(map(key_form, keys))
        for collection, places in self.owners.items():
            for place in places:
                if place.tool is None or is_named(tool, place.tool):
                    self._note(collection, place, seen)

    def make(self, tool: str, seen: CallView) -> None:
        """Take note of the records that a call made."""
        for change in seen.call.changes:
            if change.kind == "created":
                self._create(change, seen.call.sequence)
        if not committed(seen.call):
            return
        for collection, texts in self.creates.items():
            for text in texts:
                wanted, _, path = text.partition(".")
                if is_named(tool, wanted):
                    keys = leaves(values_at(seen.observation, parsed(path)))
                    self._made.update({(collection, key_form(key)): seen.call.sequence for key in keys})

    def _note(self, collection: str, place: Owner, seen: CallView) -> None:
        for row, values, prefix in rows_in(seen, place.key):
            keys = leaves(values) if prefix else places_in(seen, place.key)
            owners = frozenset(map(key_form, places_in(seen, place.field, row, prefix)))
            if owners:
                for key in keys:
                    self._show((collection, key_form(key)), _Shown(owners, place.of, seen.call.sequence))

    def _create(self, change: Change, step: int) -> None:
        collection, key = split_path(change.path) or ("", "")
        record = collection, key_form(unquote(key))
        after = {} if change.after is UNSET else read_json(change.after)
        named = [(place.of, values_at(after, parsed(place.field))) for place in self.owners.get(collection, ())]
        shown = next(((of, values) for of, values in named if leaves(values)), None)
        if shown is not None:
            self._show(record, _Shown(frozenset(map(key_form, leaves(shown[1]))), shown[0], step))
        self._made[record] = step

    def _show(self, record: Record, shown: _Shown) -> None:
        self._shown[record] = shown
        self._first.setdefault(record, shown)

    def _by(self, known: Mapping[Record, _Shown], collection: str, forms: tuple[object, ...]) -> Evidence | None:
        shown = next((known[collection, form] for form in forms if (collection, form) in known), None)
        return shown and self._whose(shown)

    def _whose(self, shown: _Shown) -> Evidence:
        callers = self.callers.get(shown.of)
        if callers is None:
            return Evidence("unknown", f"an answer shows its owner, and nobody said who of the {shown.of} speaks", shown.step)
        if callers & shown.owners:
            return Evidence("theirs", f"step {shown.step} shows that it is the caller's", shown.step)
        return Evidence("another's", f"step {shown.step} shows another owner", shown.step)


def declared_keys(keys: Iterable[str]) -> frozenset[object]:
    """Return the normal forms of keys that a task declares."""
    return frozenset(key_form(form) for key in keys for form in (key, unquote(key)))
