"""From SQLite's changeset to change records."""

from __future__ import annotations

from collections.abc import Mapping

import apsw
import msgspec
from msgspec import Raw

from seatrial.records.paths import record_path
from seatrial.records.trace import Change
from seatrial.world.states._schema import Table

_ENCODE = msgspec.json.Encoder().encode


def read_changeset(changeset: bytes, tables: Mapping[str, Table]) -> tuple[Change, ...]:
    """Return the changes that a changeset of SQLite's session extension holds.

    Args:
        changeset: Its bytes.
        tables: The tables that are records of the world; changes of others are left out.

    Returns:
        One change a row, sorted by path; of an updated row only the changed fields.
    """
    found = [_change(one, tables[one.name]) for one in apsw.Changeset.iter(changeset) if one.name in tables]
    return tuple(sorted(found, key=lambda change: change.path)) if len(found) > 1 else tuple(found)


def _change(one: apsw.TableChange, table: Table) -> Change:
    old, new = one.old or (), one.new or ()
    path = _path(table, old or new)
    if not table.key:  # the session puts the rowid in front
        old, new = old[1:], new[1:]
    if one.opcode == apsw.SQLITE_INSERT:
        return Change(path, "created", after=_fields(table, new, new))
    if one.opcode == apsw.SQLITE_DELETE:
        return Change(path, "deleted", before=_fields(table, old, old))
    return Change(path, "updated", before=_fields(table, old, new), after=_fields(table, new, new))


def _path(table: Table, row: tuple[object, ...]) -> str:
    return record_path(table.name, [row[position] for position in table.key_positions] if table.key else [row[0]])


def _fields(table: Table, row: tuple[object, ...], new: tuple[object, ...]) -> Raw:
    """Return the fields of a row that changed: those of which the new row has a value."""
    kept = {name: value for name, value, present in zip(table.names, row, new, strict=False) if present is not apsw.no_change}
    return Raw(_ENCODE(kept))
