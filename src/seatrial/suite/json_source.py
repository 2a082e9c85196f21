"""JSON and JSON-lines files as parts with line numbers; made for hundreds of thousands of tasks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import NoReturn

from seatrial.base.errors import SuiteError
from seatrial.suite.part import Part, checked
from seatrial.suite.place import Place

MAX_LINE = 4 * 1024 * 1024
"""Bytes of a line beyond which it is refused."""


def read_lines(path: FilePath) -> Iterator[Part]:
    """Read a JSON-lines file line by line.

    Args:
        path: The file: one JSON value a line, UTF-8; blank lines are skipped.

    Yields:
        One part a line.

    Raises:
        SuiteError: A line is longer than 4 MB, is not JSON, or holds a key twice.
    """
    try:
        with path.open("rb") as file:
            number = 0
            while data := file.readline(MAX_LINE + 1):
                number += 1
                if len(data) > MAX_LINE:
                    raise SuiteError(f"the line is longer than {MAX_LINE} bytes", file=str(path), line=number)
                if data.strip():
                    yield parse_json(data, Place(str(path), number))
    except OSError as error:
        raise SuiteError(f"the file cannot be read: {error.strerror}", file=str(path)) from error


def parse_json(data: bytes, place: Place) -> Part:
    """Return a JSON text as a part.

    Args:
        data: The text in UTF-8.
        place: Where it stands.

    Raises:
        SuiteError: Not JSON, a key twice, or not data that a record can hold.
    """
    try:
        value = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None) if place.line is None else place.line
        raise SuiteError(f"this is not JSON: {error}", file=place.file, line=line) from error
    return checked(Part(value, place))


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} stands in one object twice")
    return found


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a JSON number")
