"""Does a recording fit a fixture? Records that the agent looked up are compared with the fixture's own.

The benchmark's tools are not part of seatrial, so the trials are not replayed: only look-ups by key are compared, where the
tool's answer is the record itself. After a trial's first write values may differ by right, so only names of fields count.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, UnsetType, field

from seatrial.base.canonical import bytes_hash, content_hash
from seatrial.base.errors import ForeignFormatError
from seatrial.importers.tau_bench.json_rows import read_bytes
from seatrial.records.trace import ToolCall, Trace

_RENAMED = " was renamed to "
_COLLECTION = msgspec.json.Decoder(dict[str, Any])


class Fixture(Struct, frozen=True):
    """The records that the trials started from."""

    collections: dict[str, dict[str, Any]]
    """Collection → key → record."""
    hash: str
    """Hash over the files' bytes."""


class FixtureCheck(Struct):
    """How the recording's look-ups compare with a fixture."""

    compared: int = 0
    """Look-ups by key of a record that the fixture holds."""
    absent: int = 0
    """Look-ups that were answered with a record whose key the fixture does not hold."""
    different: int = 0
    """Compared look-ups whose record differs."""
    trials: int = 0
    """Trials with such a difference."""
    fields: Counter[str] = field(default_factory=Counter)
    """`tool: path` with what became of it → number of differences."""

    def add(self, trace: Trace, fixture: Fixture) -> None:
        """Compare the look-ups of one trial."""
        before, written = self.different, False
        for call in trace.calls:
            written = written or (call.effect == "write" and call.succeeded)
            self._add_call(call, fixture, names_only=written)
        self.trials += self.different > before

    def _add_call(self, call: ToolCall, fixture: Fixture, *, names_only: bool) -> None:
        if isinstance(call.observation, UnsetType) or not (call.succeeded and call.tool.startswith("get_")):
            return
        arguments, seen = msgspec.json.decode(call.proposed), msgspec.json.decode(call.observation)
        if len(arguments) != 1 or not isinstance(seen, dict):
            return
        key = str(next(iter(arguments.values())))
        record = next((rows[key] for rows in fixture.collections.values() if key in rows), None)
        if record is None:
            self.absent += 1
            return
        self.compared += 1
        found = [text for text in _differences(record, seen, "") if not names_only or _RENAMED in text]
        self.different += bool(found)
        self.fields.update(f"{call.tool}: {text}" for text in found)

    def note(self, fixture: Fixture) -> str:
        """Return the check in one sentence."""
        sizes = ", ".join(f"{name} {len(rows):,}" for name, rows in sorted(fixture.collections.items()))
        start = f"fixture {fixture.hash} ({sizes}): {self.compared:,} looked-up records compared, {self.absent:,} not in it, "
        if not self.different:
            return start + "none differs"
        causes = "; ".join(f"{text} ({count:,} times)" for text, count in self.fields.most_common(5))
        return start + f"{self.different:,} differ in {self.trials:,} trials: {causes}. The recording was made on another version"


def read_fixture(folder: Path) -> Fixture:
    """Read the collections of a fixture.

    Args:
        folder: Folder of JSON files, one collection a file: an object of records by key.

    Returns:
        The fixture.

    Raises:
        ForeignFormatError: The folder holds no such file, or one that is not whole.
    """
    parts: dict[str, str] = {}
    collections: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        data = read_bytes(path)
        try:
            rows = _COLLECTION.decode(data)
        except msgspec.ValidationError:  # another kind of file, for example the recording itself
            continue
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise ForeignFormatError(f"{path}: it is no whole JSON file: {error}") from error
        if rows and all(isinstance(record, dict) for record in rows.values()):
            parts[path.name], collections[path.stem] = bytes_hash(data), rows
    if not collections:
        raise ForeignFormatError(f"{folder}: no fixture is there; expected files such as users.json, each an object of records by key")
    return Fixture(collections, content_hash(parts))


def _differences(record: object, seen: object, path: str) -> list[str]:
    """Return the places where a fixture's record and the one seen differ; a value under another name is a renaming."""
    if not (isinstance(record, dict) and isinstance(seen, dict)):
        return [] if record == seen else [f"{path} has another value"]
    found = [text for name in seen if name in record for text in _differences(record[name], seen[name], _join(path, name))]
    come = [name for name in record if name not in seen]
    for old in (name for name in seen if name not in record):
        new = next((name for name in come if record[name] == seen[old]), None)
        if new is None:
            found.append(f"{_join(path, old)} is not in the fixture")
        else:
            come.remove(new)
            found.append(f"{_join(path, old)}{_RENAMED}{_join(path, new)}")
    return [*found, *(f"{_join(path, name)} is only in the fixture" for name in come)]


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
