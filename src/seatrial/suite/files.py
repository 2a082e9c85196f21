"""Files of a suite: read whole and within bounds, as UTF-8, and never through a link that leads out of its folder."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Mapping
from pathlib import Path as FilePath

from seatrial.base.errors import SuiteError
from seatrial.base.replacing import replace_files


def is_there(path: FilePath) -> bool:
    """Tell whether a name is taken, if only by a link that leads nowhere."""
    return path.is_symlink() or path.exists()


def refuse_outside(folder: FilePath, path: FilePath) -> None:
    """Raise a `SuiteError` when a file of a suite is a link to a place outside of the suite's folder."""
    # Not `Path.resolve`, which raises for links that lead in a circle.
    if not FilePath(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise SuiteError("the file is a link to a place outside of the suite; copy it into the folder", file=str(path))


def read_bytes(path: FilePath, limit: int) -> bytes:
    """Return the content of a file; raises `SuiteError` when it cannot be read or has more than `limit` bytes."""
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise SuiteError(f"the file cannot be read: {error.strerror}", file=str(path)) from error
    if len(data) > limit:
        raise SuiteError(f"the file is larger than {limit} bytes; split it, or use tasks.jsonl for many tasks", file=str(path))
    return data


def read_text(path: FilePath, limit: int) -> str:
    """Return the text of a file of at most `limit` bytes of UTF-8; a byte-order mark is dropped."""
    return decoded(read_bytes(path, limit), path)


def decoded(data: bytes, path: FilePath) -> str:
    """Return the text that the bytes of a file hold; raises `SuiteError` with the line when they are not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SuiteError(f"the file is not UTF-8: {error.reason}", file=str(path), line=line) from error


def replace_texts(texts: Mapping[FilePath, str]) -> None:
    """Put new texts in the place of files of a suite, all or none; byte-order marks, permissions and links within the suite stay.

    Args:
        texts: File → its new text.

    Raises:
        SuiteError: The files cannot be written; every one is as it was.
    """
    try:
        replace_files({FilePath(os.path.realpath(path)): _mark(path) + text.encode() for path, text in texts.items()})
    except OSError as error:
        file = str(next(iter(texts), ""))
        raise SuiteError(f"the file cannot be written, and nothing is changed: {error.strerror}", file=file) from error


def _mark(path: FilePath) -> bytes:
    with path.open("rb") as file:
        return BOM_UTF8 if file.read(len(BOM_UTF8)) == BOM_UTF8 else b""
