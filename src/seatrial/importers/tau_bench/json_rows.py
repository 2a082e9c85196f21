"""Bounded reading of a foreign JSON file that holds one list of rows, and the reason in words when it cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
from msgspec import Raw

from seatrial.base.errors import ForeignFormatError

MAX_BYTES = 1 << 30
"""Largest file that is read, in bytes."""
_SPACE = " \t\r\n"
_SHOWN = 60
_ROWS = msgspec.json.Decoder(tuple[Raw, ...])


def read_bytes(path: Path, *, limit: int = MAX_BYTES) -> bytes:
    """Return the content of a foreign file.

    Args:
        path: The file.
        limit: Largest size that is read, in bytes.

    Returns:
        Its bytes.

    Raises:
        ForeignFormatError: There is no such file, it cannot be read, or it is larger than the limit.
    """
    try:
        size = path.stat().st_size
        if not path.is_file() and not path.is_dir():
            raise ForeignFormatError(f"{path}: cannot be read: it is a pipe or a device; write its content to a file first")
        if size > limit:
            raise ForeignFormatError(f"{path}: the file has {size:,} bytes; at most {limit:,} are read. Split it by task.")
        return path.read_bytes()
    except OSError as error:
        raise ForeignFormatError(f"{path}: cannot be read: {error.strerror or error}") from error


def read_rows(path: Path, *, limit: int = MAX_BYTES) -> tuple[Raw, ...]:
    """Return the rows of a JSON file that holds one list, undecoded.

    Args:
        path: The file.
        limit: Largest size that is read, in bytes.

    Returns:
        One piece of JSON text a row.

    Raises:
        ForeignFormatError: The file is not one whole JSON list; the text names the row and the value that is wrong.
    """
    data = read_bytes(path, limit=limit)
    try:
        return _ROWS.decode(data)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ForeignFormatError(f"{path}: {_why_not(data, str(error))}") from error


def explain_row(row: Raw, error: Exception) -> str:
    """Return why a row cannot be decoded, in words: what `msgspec` calls truncated may be half of a surrogate pair."""
    try:
        return _no_text(json.loads(bytes(row).decode("utf-8", "surrogateescape"))) or str(error)
    except (ValueError, RecursionError) as fault:
        return str(fault)


def _no_text(value: object) -> str:
    """Return what in a decoded value is no Unicode text; empty: everything is."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as fault:
        character = fault.object[fault.start]
        kind = "a byte that is not UTF-8" if 0xDC80 <= ord(character) <= 0xDCFF else "half of a surrogate pair, which is no character"
        return f"it holds {character.encode('unicode_escape').decode()}: {kind}"
    return ""


class _NotANumber(ValueError):
    """JSON knows no NaN and no Infinity."""


def _refuse(constant: str) -> float:
    raise _NotANumber(constant)


_SCANNER = json.JSONDecoder(parse_constant=_refuse)


def _why_not(data: bytes, reason: str) -> str:
    """Read the file slowly, row by row, to say where it stops being a list of rows."""
    text = data.decode("utf-8", "surrogateescape")
    start = _skip(text, 0)
    if start == len(text):
        return "the file is empty; expected a JSON list of rows"
    if text[start] != "[":
        return f"expected a JSON list of rows, got {shown(text[start:])}"
    return _scan(text, start + 1) or reason


def _scan(text: str, position: int) -> str:
    """Return what is wrong with a list whose elements start at a position; empty: nothing was found."""
    row = 0
    position = _skip(text, position)
    while position < len(text) and text[position] != "]":
        try:
            value, position = _SCANNER.raw_decode(text, position)
        except _NotANumber as error:
            return f"row {row} holds the value {error}, which is not JSON; expected a number or null"
        except RecursionError:
            return f"row {row} is nested too deeply"
        except ValueError as error:
            return _cut(text, position, row) or f"row {row} is not JSON: {error}"
        if problem := _no_text(value):
            return f"row {row}: {problem}"
        position = _skip(text, position)
        row += 1
        if text[position : position + 1] == ",":
            position = _skip(text, position + 1)
    return _after(text, position, row)


def _cut(text: str, position: int, row: int) -> str:
    """Tell whether the row that starts at a position runs into the end of the file."""
    try:
        json.JSONDecoder(strict=False).raw_decode(text, position)
    except json.JSONDecodeError as error:
        if error.pos >= len(text) - 1 or error.msg.startswith("Unterminated string"):
            return f"the file is cut in the middle of row {row} (it ends after {len(text):,} characters); {row} whole rows come before"
    except (ValueError, RecursionError):
        pass
    return ""


def _after(text: str, position: int, rows: int) -> str:
    if position >= len(text):
        return f"the file is cut after {rows} whole rows: the list is not closed"
    rest = _skip(text, position + 1)
    if rest < len(text):
        return f"a second JSON document follows the list of {rows} rows: {shown(text[rest:])}; expected one document"
    return ""


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position] in _SPACE:
        position += 1
    return position


def shown(text: str) -> str:
    """Return the start of a foreign text for a message, safe to print."""
    return ascii(text[:_SHOWN]) + (" …" if len(text) > _SHOWN else "")
