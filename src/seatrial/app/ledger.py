"""The ledger of a holdout: every look at it, one line each, behind one another in a chain of hashes.

A line that is edited or taken out breaks the chain. The end of the chain stands in a file of its own, so that lines cut off at the end
are missed too. Whoever rewrites both files is noticed by what keeps the folder: its version control, and the decisions that were sealed.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import RawIOBase
from pathlib import Path

import msgspec

from seatrial.base.errors import LedgerError, RunFileError
from seatrial.base.replacing import replace_files
from seatrial.records.holdout import Look, decode, encode, first_break, sealed
from seatrial.store.connection import PATIENCE, WriterLock
from seatrial.suite.files import is_there

LEDGER, END = "ledger.jsonl", "ledger.end"
MOST_BYTES = 64 * 1024 * 1024
"""Size of a ledger beyond which it is refused: a look has half a kilobyte."""


class _End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The end of the chain when a look was last entered; number 0 and no hash: none was yet."""

    number: int = 0
    hash: str = ""


def looks_at(folder: Path) -> tuple[Look, ...]:
    """Return every look that a ledger holds, oldest first; none where there is no ledger yet.

    Args:
        folder: The holdout's folder.

    Raises:
        LedgerError: A look was changed or taken out, or the ledger cannot be read.
    """
    end = _end(folder / END)  # first: whoever enters a look meanwhile writes its line before this
    looks = tuple(_looks(folder / LEDGER))
    broken = first_break(looks)
    if broken is not None:
        raise LedgerError(f"{folder / LEDGER}:{broken}: this look is not as it was entered, or one before it was taken out. {_RESTORE}")
    if end is None and looks:
        raise LedgerError(f"{folder / END}: it is missing, so that nobody can say whether looks were taken out at the end. {_RESTORE}")
    if end is not None and end.number and (len(looks) < end.number or looks[end.number - 1].hash != end.hash):
        raise LedgerError(f"{folder / LEDGER}: look {end.number} was entered and is no longer there. {_RESTORE}")
    return looks


_RESTORE = "Restore both files from where they are kept; nothing is decided or shown before"


def enter(folder: Path, look: Look) -> tuple[Look, ...]:
    """Enter a look; when this returns, it is on the disk.

    Args:
        folder: The holdout's folder.
        look: The look; its number and hashes are set here.

    Returns:
        All looks, this one last.

    Raises:
        LedgerError: The ledger was changed, or cannot be written: then nothing is entered.
    """
    path = folder / LEDGER
    with _locked(path):
        before = looks_at(folder)
        placed = sealed(look, before[-1] if before else None)
        try:
            _append(path, encode(placed) + b"\n", folder / END, _End(placed.number, placed.hash))
        except OSError as error:
            raise LedgerError(f"{path}: the look cannot be entered ({error.strerror}), so nothing is shown. {_WRITABLE}") from error
        return (*before, placed)


_WRITABLE = "Make the holdout's folder writable, and room on its disk"


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    try:
        strange = [each for each in (path, path.with_name(END)) if is_there(each) and (each.is_symlink() or not each.is_file())]
        if strange:
            raise LedgerError(f"{strange[0]}: it is no plain file, so it is no ledger. Remove it, or restore the right one")
        lock = WriterLock(path, patience=PATIENCE)
    except (RunFileError, OSError) as error:
        raise LedgerError(f"{path}: it cannot be opened for writing, so the look cannot be entered. {_WRITABLE}") from error
    try:
        yield
    finally:
        lock.release()


def _append(path: Path, line: bytes, end_path: Path, end: _End) -> None:
    """Write a line and the new end of the chain, or neither."""
    with path.open("ab", buffering=0) as file:
        whole = _whole(path)
        file.truncate(whole)
        try:
            if not is_there(end_path):  # or a kill before the first end is noted would leave a ledger that looks cut off
                _note(end_path, _End())
            _write(file, line)
            os.fsync(file.fileno())
            _note(end_path, end)
        except OSError:
            with suppress(OSError):
                file.truncate(whole)
            raise


def _note(path: Path, end: _End) -> None:
    replace_files({path: msgspec.json.encode(end) + b"\n"})


def _write(file: RawIOBase, line: bytes) -> None:
    """Write all of a line; raises `OSError` when the disk takes only a part of it."""
    if file.write(line) != len(line):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _whole(path: Path) -> int:
    """Return how many bytes of a ledger are whole lines: what follows is a look that was cut off while it was entered, and never shown."""
    data = _read(path)
    return data.rfind(b"\n") + 1


def _looks(path: Path) -> Iterator[Look]:
    data = _read(path)
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), 1):
        try:
            yield decode(line)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise LedgerError(f"{path}:{number}: this line is no look that seatrial entered. {_RESTORE}") from error


def _end(path: Path) -> _End | None:
    data = _read(path)
    if not data:
        return None
    try:
        found = msgspec.json.decode(data, type=_End)
    except (msgspec.MsgspecError, ValueError) as error:
        raise LedgerError(f"{path}: it is not as seatrial wrote it. {_RESTORE}") from error
    if found.number < 0 or bool(found.number) != bool(found.hash):
        raise LedgerError(f"{path}: it is not as seatrial wrote it. {_RESTORE}")
    return found


def _read(path: Path) -> bytes:
    if not is_there(path):
        return b""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise LedgerError(f"{path}: it cannot be read ({error.strerror}). {_WRITABLE}") from error
    if len(data) > MOST_BYTES:
        raise LedgerError(f"{path}: it is larger than {MOST_BYTES:,} bytes, so it is no ledger. {_RESTORE}")
    return data
