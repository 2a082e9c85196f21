"""Files replaced at once or not at all: whoever reads one meanwhile, or when the disk is full, it holds the old bytes or the new."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path


def replace_files(contents: Mapping[Path, bytes]) -> None:
    """Put new contents in the place of files; permissions stay, and files that are not there yet are made.

    Everything is safely on the disk, beside its target, before the first file is replaced: a disk that fills up changes none.

    Args:
        contents: File → its new bytes; no link, for it would be replaced by a file.

    Raises:
        OSError: They cannot be written; every file is as it was, unless the disk failed between two replacements.
    """
    parts: dict[Path, Path] = {}
    try:
        for target, data in contents.items():
            descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".part", dir=target.parent)
            parts[target] = Path(name)
            _fill(descriptor, data)
            parts[target].chmod(_mode(target))
        for target in contents:
            os.replace(parts[target], target)  # noqa: PTH105 - the two must be one atomic step on every system
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


def add_file(target: Path, data: bytes) -> None:
    """Make a file that is not there yet, with all of its content at once: no reader, and nobody who is killed, leaves a part of it.

    Args:
        target: The file.
        data: Its bytes.

    Raises:
        OSError: It cannot be written, or there is such a file by now (`FileExistsError`); nothing is left of it.
    """
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".part", dir=target.parent)
    part = Path(name)
    try:
        _fill(descriptor, data)
        part.chmod(_mode(target))
        _put(part, target)
    finally:
        part.unlink(missing_ok=True)


def _put(part: Path, target: Path) -> None:
    """Give a file its name; a link, unlike a rename, fails where somebody else was faster, and not every file system has links."""
    try:
        target.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:
        if target.exists():
            raise
        part.rename(target)


def _fill(descriptor: int, data: bytes) -> None:
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _mode(target: Path) -> int:
    """Return the permissions of the file that is replaced, else those of any new file."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
