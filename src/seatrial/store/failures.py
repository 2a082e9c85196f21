"""From failures of SQLite to errors that a person can act on: the file, what is wrong, the way out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from seatrial.base.errors import RunFileError

_DAMAGED = "it is damaged or was cut off. Copy it again, with the `-wal` beside it, from where it came"
_WORDS: tuple[tuple[type[apsw.Error], str], ...] = (
    (apsw.FullError, "the disk is full. What was stored before is intact; free some space and run again on the same file: it resumes"),
    (apsw.ReadOnlyError, "it cannot be written. Make the file and its folder writable, or copy the run to another folder"),
    (apsw.PermissionsError, "access is denied. Make the file and its folder readable for you, or copy the run to another folder"),
    (apsw.BusyError, "it is locked by another process. Wait until that one ends, or write to another file"),
    (apsw.LockedError, "it is locked by another reader of this process. Close that one first"),
    (apsw.NotADBError, "it is not a seatrial run file (not an SQLite database). Check the name"),
    (apsw.CorruptError, _DAMAGED),
    (apsw.CantOpenError, "it cannot be opened. Check that the folder exists, and that you may read and write there"),
    (apsw.NoMemError, "there is not enough memory. End other programs and try again"),
    (apsw.TooBigError, "a value is larger than a run file holds (256 MB)"),
    (apsw.ConnectionClosedError, "it was closed. Open it again"),
    (apsw.SQLError, "its tables are not those of a run file; it was changed by another program. Copy it again from where it came"),
)


def run_file_error(path: Path, error: apsw.Error, doing: str) -> RunFileError:
    """Return the error to raise for a failure of SQLite.

    Args:
        path: The run file.
        error: What SQLite said.
        doing: What was being done, in words, for example `storing trial 2 of task water-017`.
    """
    if isinstance(error, apsw.IOError):
        words = (
            "the disk failed or a size limit was reached. What was stored before is intact; free some space and run again on the same file"
        )
    else:
        words = next((words for kind, words in _WORDS if isinstance(error, kind)), "it cannot be used")
    return RunFileError(f"{path}: {doing} failed: {words}. (SQLite: {error})")


@contextmanager
def told_as_run_file_error(path: Path, doing: str) -> Iterator[None]:
    """Turn every failure of SQLite inside the block into a `RunFileError`; see `run_file_error` for the arguments."""
    try:
        yield
    except apsw.Error as error:
        raise run_file_error(path, error, doing) from error
    except UnicodeDecodeError as error:
        # A text column whose bytes were changed; SQLite hands them out unchecked.
        raise RunFileError(f"{path}: {doing} failed: {_DAMAGED}. (a text in it is not UTF-8: {error.reason})") from error
