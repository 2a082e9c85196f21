"""What files hold, as one hash: the same wherever the folder lies and whatever the dates of its files are."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from seatrial.base.canonical import content_hash
from seatrial.base.errors import UsageError

MOST_FILES = 100_000
"""Files of one folder beyond which it is no agent's package, and no index that is hashed before every run."""
_LEFT_OUT = (".pyc", ".pyo", ".log", ".seatrial", ".seatrial-wal", ".seatrial-shm", ".seatrial-writer", ".seatrial-journal")
"""Ends of names of what running leaves behind."""


def hash_of(path: Path) -> str:
    """Return the content hash of a file, or of all files of a folder with their names in it; caches, logs and hidden files do not count.

    Args:
        path: The file or folder.

    Raises:
        UsageError: It cannot be read, or the folder holds too many files.
    """
    try:
        return content_hash({name: _file_hash(file) for name, file in _files(path)}) if path.is_dir() else _file_hash(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from error


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield every file of a folder that counts, with its path from there."""
    number = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        for name in sorted(names):
            file = Path(place, name)
            if not name.startswith(".") and not name.endswith(_LEFT_OUT) and file.is_file():
                number += 1
                if number > MOST_FILES:
                    raise UsageError(f"{folder} holds more than {MOST_FILES:,} files; name a smaller folder")
                yield file.relative_to(folder).as_posix(), file


def _file_hash(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:32]
