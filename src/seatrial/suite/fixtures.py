"""Fixtures: the initial state of a world as data, from SQL, JSON or CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath

import msgspec

from seatrial.base.canonical import bytes_hash, content_hash
from seatrial.base.errors import SuiteError
from seatrial.base.names import is_identifier, nearest
from seatrial.base.wording import listed
from seatrial.suite.files import decoded, is_there, read_bytes, read_text, refuse_outside
from seatrial.suite.json_source import parse_json
from seatrial.suite.part import Part, checked
from seatrial.suite.place import Place

MAX_BYTES = 512 * 1024 * 1024
"""Size of a fixture, all files together, beyond which it is refused."""
SMALL = 8 * 1024 * 1024
"""Size of a JSON file up to which keys that stand in one object twice are found; larger ones are read faster."""
Rows = list[dict[str, object]] | dict[str, dict[str, object]]
"""The records of a collection: a list, or by key."""
_COLLECTION = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
_FORMS = (".sql", ".json", "")
_SHOWN = 10


@dataclass(frozen=True)
class FixtureData:
    """The content of a fixture.

    Args:
        sql: SQL statements that fill the state; `None`: it is given as records.
        records: Collection to its records; `None`: it is given as SQL.
        hash: Hash of the content.
        file: Where it came from; empty: the fixture is empty.
    """

    sql: str | None = None
    records: Mapping[str, Rows] | None = None
    hash: str = ""
    file: str = ""


EMPTY = FixtureData(records={}, hash=content_hash({}))
"""A fixture that holds nothing."""


def read_fixture(folder: FilePath, name: str) -> FixtureData:
    """Read a fixture of a suite.

    Args:
        folder: The suite's folder. Looked for are `fixtures/NAME.sql`, `fixtures/NAME.json` (collection to a list of records,
            or to records by key) and the folder `fixtures/NAME` with one `.json` or `.csv` file a collection.
        name: Name of the fixture; `base` may be missing, and is then empty.

    Returns:
        Its content. Values from CSV are texts, and empty ones are missing.

    Raises:
        SuiteError: There is no such fixture, it lies outside of the folder, is too large, or cannot be read.
    """
    path = _locate(FilePath(folder) / "fixtures", name)
    if path is None:
        return EMPTY
    if path.is_dir():
        files = _files_of(path)
        _bounded(path, sum(each.stat().st_size for each in files))
        records = _collections(files)
        return FixtureData(records=records, hash=content_hash(records), file=str(path))
    _bounded(path, path.stat().st_size)
    if path.suffix == ".sql":
        data = read_bytes(path, MAX_BYTES)
        return FixtureData(sql=decoded(data, path), hash=bytes_hash(data), file=str(path))
    records = {_collection(each, path): _rows(rows, each, path) for each, rows in _object(path).items()}
    return FixtureData(records=records, hash=content_hash(records), file=str(path))


def _files_of(folder: FilePath) -> list[FilePath]:
    """Return the files of a fixture's folder; what would not be read is refused, for its records would be missed without a word."""
    found = sorted(each for each in folder.iterdir() if not each.name.startswith(".") and each.suffix != ".md")
    for each in found:
        if each.suffix not in (".json", ".csv") or not each.is_file():
            raise SuiteError("a fixture's folder holds only files that end in .json or .csv, one a collection", file=str(each))
    return found


def fixture_home(folder: FilePath, apart: FilePath | None, name: str) -> FilePath:
    """Return the folder that a fixture lies in: the holdout's, where that has one of the name, else the suite's.

    Args:
        folder: The suite's folder.
        apart: Folder of the suite's holdout; `None`: there is none.
        name: Name of the fixture.

    Raises:
        SuiteError: Both have a fixture of that name, so that a task could mean either.
    """
    if apart is None or name not in fixture_names(apart):
        return folder
    if name in fixture_names(folder):
        raise SuiteError(f"the suite has a fixture {name!r} too; give the holdout's another name", file=str(apart / "fixtures"))
    return apart


def fixture_names(folder: FilePath) -> list[str]:
    """Return the names of the fixtures of a suite."""
    found = FilePath(folder) / "fixtures"
    return sorted({each.stem for each in found.iterdir() if each.is_dir() or each.suffix in _FORMS}) if found.is_dir() else []


def _locate(fixtures: FilePath, name: str) -> FilePath | None:
    if not is_identifier(name):
        raise SuiteError(f"{name!r} cannot be the name of a fixture; a name has letters, digits and ._- and is no path")
    if fixtures.exists() and not fixtures.is_dir():
        raise SuiteError("fixtures must be a folder", file=str(fixtures))
    found = [path for suffix in _FORMS if is_there(path := fixtures / f"{name}{suffix}") and (suffix or path.is_dir())]
    if len(found) > 1:
        raise SuiteError(f"the fixture {name!r} is there twice: {found[0].name} and {found[1].name}; keep one", file=str(fixtures))
    if not found and name != "base":
        known = fixture_names(fixtures.parent)
        raise SuiteError(
            f"there is no fixture {name!r}; known: {listed(known, _SHOWN) or 'none'}.", file=str(fixtures), nearest=nearest(name, known)
        )
    for path in found:
        for each in (path, *(path.iterdir() if path.is_dir() else ())):
            refuse_outside(fixtures.parent, each)
        if path.suffix and not path.is_file():
            raise SuiteError("the fixture is no plain file", file=str(path))
    return found[0] if found else None


def _bounded(path: FilePath, size: int) -> None:
    if size > MAX_BYTES:
        raise SuiteError(f"the fixture holds {size} bytes; the limit is {MAX_BYTES}", file=str(path))


def _object(path: FilePath) -> dict[str, object]:
    value = _json(path)
    if not isinstance(value, dict):
        raise SuiteError("expected a mapping of collections to records", file=str(path))
    return value


def _json(path: FilePath) -> object:
    data = read_bytes(path, MAX_BYTES)
    if len(data) <= SMALL:
        return parse_json(data, Place(str(path))).value
    try:
        return checked(Part(msgspec.json.decode(data), Place(str(path)))).value
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        at = re.search(r"byte (\d+)", str(error))
        line = data.count(b"\n", 0, int(at[1])) + 1 if at else None
        raise SuiteError(f"the fixture is not JSON: {error}", file=str(path), line=line) from error


def _collections(files: list[FilePath]) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    for path in files:
        name = _collection(path.stem, path)
        if name in found:
            raise SuiteError(f"the collection {name!r} is there as .csv and as .json; keep one", file=str(path))
        found[name] = list(_csv(path)) if path.suffix == ".csv" else _rows(_json(path), name, path)
    return found


def _collection(name: str, path: FilePath) -> str:
    if not _COLLECTION.fullmatch(name):
        raise SuiteError(f"{name!r} cannot be the name of a collection: it takes letters, digits and _", file=str(path))
    return name


def _rows(value: object, name: str, path: FilePath) -> Rows:
    rows = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else None
    if rows is None:
        raise SuiteError(f"{name}: expected a list of records, or records by key, got {type(value).__name__}", file=str(path))
    for row in rows:
        if not isinstance(row, dict):
            raise SuiteError(f"{name}: expected a record with fields, got {str(row)[:40]!r}", file=str(path))
    return value  # type: ignore[return-value]


def _csv(path: FilePath) -> Iterator[dict[str, object]]:
    reader = csv.DictReader(io.StringIO(read_text(path, MAX_BYTES)), strict=True)
    try:
        names = reader.fieldnames or ()
        for name in names:
            if names.count(name) > 1:
                raise SuiteError(f"the header names the column {name!r} twice", file=str(path), line=reader.line_num)
        for row in reader:
            if None in row or None in row.values():
                raise SuiteError("the line has another number of values than the header", file=str(path), line=reader.line_num)
            yield {name: value for name, value in row.items() if value != ""}
    except csv.Error as error:
        raise SuiteError(f"the fixture is not CSV: {error}", file=str(path), line=reader.line_num) from error
