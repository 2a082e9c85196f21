"""Opening, making and closing the SQLite file of a run: who may write, what is refused, what is left on the disk."""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from pathlib import Path

import apsw

from seatrial.base.errors import RunFileError
from seatrial.base.wording import did_you_mean
from seatrial.store.failures import told_as_run_file_error
from seatrial.store.migrations import STORE_VERSION, migrate_store
from seatrial.store.packing import LARGEST_BODY
from seatrial.store.queries import one_value
from seatrial.store.schema import APPLICATION_ID, TABLES

PATIENCE = 30_000
"""Milliseconds that who adds one entry to a file waits while another process writes to it."""
_LOCK_PATIENCE = 5_000
"""Milliseconds to wait for a lock; one trial's commit takes less than one."""
_ATTEMPTS = 1_000
"""Times that the right to write is asked for while holders keep removing the file of it."""
_DATABASE = b"SQLite format 3\0"
"""How every SQLite file begins."""
_READ_WRITE = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI
_READ_ONLY = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


class WriterLock:
    """The right to write to a run, held by one process; the system takes it back when the process dies.

    SQLite would let two writers take turns, and two harnesses would then run every trial twice.

    Args:
        path: The run file; the lock is a file beside it.
        patience: Milliseconds to wait for another holder, as who adds a label does; 0: none.

    Raises:
        RunFileError: Another process, or this one, holds it, or the folder cannot be written.
    """

    def __init__(self, path: Path, *, patience: int = 0) -> None:
        self._patience, self._held = patience, False
        self._path = path.with_name(path.name + "-writer")
        with told_as_run_file_error(path, "opening it for writing"):
            for attempt in range(1, _ATTEMPTS + 1):
                self._held = self._take(path, last=attempt == _ATTEMPTS)
                if self._held:
                    return
        raise RunFileError(f"{path}: others write to it by turns without end. Wait until they end, or write to another file")

    def _take(self, path: Path, *, last: bool) -> bool:
        """Lock the file; `False` when a holder removed it in between."""
        try:
            self._path.touch()
        except OSError as error:
            raise RunFileError(
                f"{path}: opening it for writing failed: its folder cannot be written ({error.strerror}). {_ELSEWHERE}"
            ) from error
        try:
            self._connection = apsw.Connection(_uri(self._path), _READ_WRITE)
        except apsw.CantOpenError:
            if last:
                raise
            return False  # removed since it was touched
        self._connection.set_busy_timeout(self._patience)
        try:
            self._connection.pragma("journal_mode", "MEMORY")
            self._connection.execute("BEGIN EXCLUSIVE")
        except apsw.BusyError as error:
            raise RunFileError(
                f"{path}: it is being written by another process. Wait until that one ends, or write to another file"
            ) from error
        if not _has_moved(self._connection):
            return True
        self._connection.close()
        return False

    def release(self) -> None:
        """Give the right back. Calling it twice is harmless."""
        if not self._held:
            return  # by now the file may be another holder's
        self._held = False
        # Removed while still locked: whoever waits for this inode then finds that it is no longer the file's.
        with suppress(OSError):
            self._path.unlink()
        self._connection.close()


_ELSEWHERE = "Make it writable, or copy the run to another folder"


def make(path: Path) -> apsw.Connection:
    """Make an empty run file under a passing name and return it open; `publish` gives it its own.

    Args:
        path: Where the run file will be.

    Raises:
        RunFileError: There is such a file already, or the folder cannot be written.
    """
    if path.exists():
        raise RunFileError(f"{path}: there is such a file already. Open it to resume that run, or choose another name")
    if path.is_symlink():
        raise RunFileError(f"{path}: it is a link that leads nowhere. Remove it, or choose another name")
    passing = _passing(path)
    with told_as_run_file_error(path, "making it"):
        passing.unlink(missing_ok=True)
        connection = apsw.Connection(_uri(passing), _READ_WRITE | apsw.SQLITE_OPEN_CREATE)
        try:
            _lay_out(connection)
        except BaseException:
            discard(connection, path)
            raise
        return connection


def _lay_out(connection: apsw.Connection) -> None:
    _harden(connection)
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", STORE_VERSION)
    connection.execute(TABLES)


def publish(connection: apsw.Connection, path: Path) -> None:
    """Close what `make` made and give it its name, all at once: a run file is never seen half made.

    Raises:
        RunFileError: Another process made such a file meanwhile.
    """
    connection.close()
    passing = _passing(path)
    try:
        os.link(passing, path)
    except FileExistsError as error:
        raise RunFileError(f"{path}: another process has just made such a file. Choose another name") from error
    except OSError:
        # A file system without links: a rename is as complete, only not safe against a second maker.
        passing.rename(path)
    finally:
        passing.unlink(missing_ok=True)


def discard(connection: apsw.Connection, path: Path) -> None:
    """Close and remove what `make` made."""
    connection.close()
    with suppress(OSError):
        _passing(path).unlink(missing_ok=True)


def open_for_writing(path: Path) -> apsw.Connection:
    """Open a run file for appending, bringing an older one to the current version in place.

    Args:
        path: The run file; the caller holds its `WriterLock`.

    Raises:
        RunFileError: It is no run file, is damaged, newer than this seatrial, or cannot be written.
    """
    with told_as_run_file_error(path, "opening it for writing"):
        connection = apsw.Connection(_uri(path), _READ_WRITE)
        try:
            version = _identify(connection, path)
            _refuse_read_only(connection, path)
            if version < STORE_VERSION:
                migrate_store(connection, version)
            connection.pragma("journal_mode", "WAL")
            # SQLite would fold on closing, after a failed `fold` too, and leave the mark below standing.
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            # First into the `-wal`, then through to the file: a copy of the file alone can be told from a whole run.
            connection.execute("UPDATE manifest SET unfolded = 1")
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
            # Loses nothing when a process is killed; the last commits only when the power fails.
            connection.pragma("synchronous", "NORMAL")
        except BaseException:
            connection.close()
            raise
        return connection


def open_for_reading(path: Path) -> apsw.Connection:
    """Open a run file for reading, while it is written, or in a folder that cannot be written.

    An older file is copied to a temporary one and migrated there: the file itself stays as it is.

    Args:
        path: The run file.

    Raises:
        RunFileError: It is no run file, is damaged, or newer than this seatrial.
    """
    has_log = _beside(path, "-wal")
    with told_as_run_file_error(path, "opening it"):
        try:
            return _opened(path, "mode=ro", has_log=has_log)
        except (apsw.CantOpenError, apsw.ReadOnlyError) as error:
            if has_log:
                raise RunFileError(
                    f"{path}: it was not closed (its newest trials are in {path.name}-wal), and its folder cannot be written, so that they "
                    "cannot be read. Copy both files to a folder of yours and open the copy"
                ) from error
            # Nothing but the file itself holds data, so reading it without locks misses none.
            return _opened(path, "immutable=1", has_log=False)


def refuse_what_is_no_file(path: Path) -> None:
    """Raise a `RunFileError` when a path names nothing, a folder, a device or pipe, or an empty file."""
    if path.is_dir():
        raise RunFileError(f"{path}: it is a folder; a run file was expected")
    if not path.exists():
        names = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
        raise RunFileError(f"{path}: there is no such file.{did_you_mean(path.name, names)}")
    if not path.is_file():
        raise RunFileError(f"{path}: it is no plain file, so it is no run file. Choose another name")
    if path.stat().st_size == 0:
        raise RunFileError(f"{path}: it is empty, so it is no run file. Remove it, or choose another name")


def refuse_to_replace(path: Path) -> None:
    """Raise a `RunFileError` when writing a file anew would lose a run, a database, or something that is no file.

    Args:
        path: What is about to be written; it may be missing.

    Raises:
        RunFileError: It is a database, a folder, a device or a pipe.
    """
    if not path.exists():
        return
    if not path.is_file():
        raise RunFileError(f"{path}: it is no plain file, and would be lost. Choose another name")
    with suppress(OSError), path.open("rb") as file:
        if file.read(len(_DATABASE)) == _DATABASE:
            raise RunFileError(f"{path}: it is a run file or another database, and would be lost. Choose another name")


def fold(connection: apsw.Connection) -> bool:
    """Move everything into the run file itself, so that it can be copied alone and read where nothing can be written.

    Args:
        connection: The run file, open for writing.

    Returns:
        Whether it was done; `False` while others read: then the next writer does it.

    Raises:
        apsw.Error: The disk is full; the file and its `-wal` together still hold everything.
    """
    connection.set_busy_timeout(200)
    try:
        # The mark goes last: were it first, a full disk or a kill could leave a marked file without the trials.
        connection.execute("PRAGMA wal_checkpoint(FULL)")
        connection.execute("UPDATE manifest SET unfolded = 0")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return connection.pragma("journal_mode", "DELETE") == "delete"
    except (apsw.BusyError, apsw.LockedError):
        return False


def _opened(path: Path, how: str, *, has_log: bool) -> apsw.Connection:
    connection = apsw.Connection(f"{_uri(path)}?{how}", _READ_ONLY)
    try:
        version = _identify(connection, path)
        if version < STORE_VERSION:
            connection = _migrated_copy(connection, version)
        if not has_log:
            _refuse_unfolded(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _migrated_copy(connection: apsw.Connection, version: int) -> apsw.Connection:
    # The empty name is SQLite's temporary database: on disk, nameless, gone when closed.
    copy = apsw.Connection("")
    with copy.backup("main", connection, "main") as backup:
        while not backup.done:
            backup.step(1024)
    connection.close()
    migrate_store(copy, version)
    return copy


def _identify(connection: apsw.Connection, path: Path) -> int:
    """Return the store version of a file that is a run file of ours, or raise."""
    _harden(connection)
    if connection.pragma("application_id") != APPLICATION_ID:
        raise RunFileError(f"{path}: it is not a seatrial run file: another program's database, or cut off at its start. Check the name")
    if not _beside(path, "-wal") and not _beside(path, "-journal") and path.stat().st_size % connection.pragma("page_size"):
        raise RunFileError(f"{path}: it was cut off within its last page. Copy it again from where it came")
    version = connection.pragma("user_version")
    if not 1 <= version <= STORE_VERSION:
        newer = version > STORE_VERSION
        cause = "It was written by a newer one: upgrade seatrial" if newer else "No seatrial wrote it: copy it again from where it came"
        raise RunFileError(f"{path}: it has version {version}; this seatrial reads 1 to {STORE_VERSION}. {cause}")
    return version


def _refuse_unfolded(connection: apsw.Connection, path: Path) -> None:
    if one_value(connection, "SELECT unfolded FROM manifest") and not _beside(path, "-wal"):
        raise RunFileError(
            f"{path}: it is a copy without the {path.name}-wal that lay beside it while it was written, so that trials are missing. "
            "Copy both files. If that one is lost, `seatrial regrade` takes this file as it is, and a run on it then adds what is missing"
        )


def _refuse_read_only(connection: apsw.Connection, path: Path) -> None:
    if connection.readonly("main"):
        raise RunFileError(f"{path}: opening it for writing failed: the file cannot be written. {_ELSEWHERE}")


def _harden(connection: apsw.Connection) -> None:
    connection.set_busy_timeout(_LOCK_PATIENCE)
    # A file from elsewhere may hold triggers, views and huge values; ours need none of them (those on labels and on signatures guard
    # against others).
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, LARGEST_BODY + 4096)


def _uri(path: Path) -> str:
    return path.absolute().as_uri()


def _passing(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.new")


def _has_moved(connection: apsw.Connection) -> bool:
    """Tell whether the file that is open is no longer the one of its name; numbers of files are used again, so that SQLite is asked."""
    moved = ctypes.c_int(0)
    connection.file_control("main", apsw.SQLITE_FCNTL_HAS_MOVED, ctypes.addressof(moved))
    return bool(moved.value)


def _beside(path: Path, suffix: str) -> bool:
    """Tell whether SQLite has a file with data of its own beside the run file."""
    with suppress(OSError):
        return path.with_name(path.name + suffix).stat().st_size > 0
    return False
