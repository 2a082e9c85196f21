"""The run file: all trials of one candidate on one suite, in one SQLite file. Start here.

A trial that `append` has taken is on the disk: killing the process loses none of them. Others may read while one writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import apsw
import msgspec
from msgspec import Struct

from seatrial.base.errors import RunFileError
from seatrial.base.wording import did_you_mean, listed
from seatrial.records import grade as grades
from seatrial.records import trace as traces
from seatrial.records.decision import RunHashes, Signature
from seatrial.records.grade import Grade
from seatrial.records.label import Label
from seatrial.records.manifest import Manifest
from seatrial.records.task import Task
from seatrial.records.trace import Status, Trace
from seatrial.store import connection as files
from seatrial.store import plan
from seatrial.store.content import run_hashes
from seatrial.store.failures import run_file_error, told_as_run_file_error
from seatrial.store.header import INSERT, REPLACE, SELECT_PAGE, Header, columns, header
from seatrial.store.labels import read_labels, store_labels
from seatrial.store.packing import BodyError
from seatrial.store.pairing import paired
from seatrial.store.queries import all_rows
from seatrial.store.shelf import Row, Shelf
from seatrial.store.signatures import read_signatures, store_signatures

_UNKNOWN = frozenset(status.value for status in Status if status.unknown)
_GRADES_AT_ONCE = 500
"""Grades stored in one transaction: a million of them must not wait in memory."""


class Damage(Struct, frozen=True, gc=False):
    """A stored trial that cannot be read."""

    task: str
    trial: int
    reason: str


class RunFile:
    """An open run file; made by `RunFile.create` or `RunFile.open`, and a context manager that closes it.

    One process writes; any number read meanwhile. Trials and grades come by task id and trial, whatever order they ended in.
    """

    def __init__(self, path: Path, connection: apsw.Connection, *, lock: files.WriterLock | None = None) -> None:
        self.path = path
        self._connection, self._lock = connection, lock
        self._traces = Shelf(connection, "trials", "trace", traces.decode)
        self._grades = Shelf(connection, "grades", "grade", grades.decode)
        if lock is not None:
            self._traces.prepare_to_pack()
            self._grades.prepare_to_pack()
        self.manifest = plan.read_manifest(connection, path)
        """What the run was made of."""
        self._candidate_hash = self.manifest.candidate.hash
        self._contracts = plan.read_contracts(connection)

    @classmethod
    def create(cls, path: Path | str, manifest: Manifest, tasks: Iterable[Task]) -> RunFile:
        """Make a run file and open it for writing. It appears complete or not at all.

        Args:
            path: Where; nothing may be there yet.
            manifest: What the run is made of.
            tasks: Every task that trials will be stored of, each id once.

        Raises:
            RunFileError: There is such a file, two tasks have one id, or nothing can be written there.
        """
        path = Path(path)
        connection = files.make(path)
        lock = None
        try:
            with told_as_run_file_error(path, "making it"), connection:
                plan.store_manifest(connection, manifest, path)
                plan.store_tasks(connection, tasks, path)
            lock = files.WriterLock(path)
            files.publish(connection, path)
            return cls._opened_for_writing(path, lock)
        except BaseException:
            files.discard(connection, path)
            if lock is not None:
                lock.release()
            raise

    @classmethod
    def open(cls, path: Path | str, *, write: bool = False, patience: int = 0) -> RunFile:
        """Open a run file.

        Args:
            path: The run file.
            write: Whether trials, grades, labels or signatures will be stored; an older file is then migrated in place.
            patience: Milliseconds to wait while another process writes; 0: none.

        Raises:
            RunFileError: It is no run file, is damaged, newer than this seatrial, or – to write – locked or not writable.
        """
        path = Path(path)
        files.refuse_what_is_no_file(path)
        if not write:
            return cls._opened(path, files.open_for_reading(path), None)
        lock = files.WriterLock(path, patience=patience)
        try:
            return cls._opened_for_writing(path, lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def _opened_for_writing(cls, path: Path, lock: files.WriterLock) -> RunFile:
        return cls._opened(path, files.open_for_writing(path), lock)

    @classmethod
    def _opened(cls, path: Path, connection: apsw.Connection, lock: files.WriterLock | None) -> RunFile:
        try:
            with told_as_run_file_error(path, "opening it"):
                return cls(path, connection, lock=lock)
        except BaseException:
            connection.close()
            raise

    def tasks(self) -> dict[str, Task]:
        """Return the tasks by id, in the order they were given."""
        with told_as_run_file_error(self.path, "reading its tasks"):
            return plan.read_tasks(self._connection, self.path)

    def append(self, trace: Trace) -> None:
        """Store one trial; when this returns, it is on the disk.

        Storing the same again changes nothing. A stored trial is replaced only if its success was unknown (the harness broke), or
        if it is damaged.

        Args:
            trace: The trace of the trial.

        Raises:
            RunFileError: Another trace of that trial is stored, the trial does not belong to this run, or the disk is full.
        """
        identity = trace.identity
        data = self._json_of(trace)
        self._refuse_strangers(trace)
        try:
            values = (*columns(trace), *self._traces.pack(data), identity.task, identity.trial)
            self._connection.execute(INSERT, values)
            if not self._connection.changes():
                self._append_again(trace, data, values)
            self._traces.grown()
        except apsw.Error as error:
            raise run_file_error(self.path, error, f"storing {_name(identity.task, identity.trial)}") from error
        except (BodyError, OverflowError) as error:
            raise RunFileError(f"{self.path}: {_name(identity.task, identity.trial)} cannot be stored: {error}") from error

    def replan(self, manifest: Manifest, tasks: Iterable[Task]) -> None:
        """Resume under a wider plan: replace the manifest and add tasks.

        Args:
            manifest: The new plan; suite, candidate and seed must be those of the run.
            tasks: Tasks to add; those that the file has must have the same contract.

        Raises:
            RunFileError: It is the plan of another run, a task's contract differs, or the file is open for reading only.
        """
        self._refuse_readers("a plan")
        for part in ("suite", "candidate", "seed"):
            if getattr(manifest, part) != getattr(self.manifest, part):
                raise RunFileError(f"{self.path}: it holds a run of another {part}. Write this run to a file of its own")
        with told_as_run_file_error(self.path, "storing the plan"), self._connection:
            plan.store_manifest(self._connection, manifest, self.path)
            plan.store_tasks(self._connection, self._unstored(tasks), self.path)
        self.manifest = manifest
        self._contracts = plan.read_contracts(self._connection)

    def finished(self) -> set[tuple[str, int]]:
        """Return (task, trial) of every stored trial whose success is not unknown: what a resumed run need not do again."""
        return {(task, trial) for task, trial, status in self._select("SELECT task, trial, status FROM trials") if status not in _UNKNOWN}

    def headers(self) -> Iterator[Header]:
        """Yield what is known of each trial without reading its trace, by task and trial."""
        task, trial = "", -1
        while page := self._select(SELECT_PAGE, (task, trial)):
            for row in page:
                yield self._header(row)
            task, trial = page[-1][:2]

    def read(self, task: str, trial: int) -> Trace:
        """Return the trace of one trial.

        Raises:
            RunFileError: It is not stored, or is damaged.
        """
        with told_as_run_file_error(self.path, f"reading {_name(task, trial)}"):
            row = self._traces.find(task, trial)
        if row is None:
            hint = "" if task in self._contracts else did_you_mean(task, self._contracts, what="task")
            raise RunFileError(f"{self.path}: it holds no {_name(task, trial)}.{hint}")
        return self._trace(row)

    def traces(self) -> Iterator[Trace]:
        """Yield every trace by task and trial, a few at a time in memory.

        Raises:
            RunFileError: One is damaged.
        """
        with told_as_run_file_error(self.path, "reading its trials"):
            for row in self._traces.rows():
                yield self._trace(row)

    def damaged(self) -> Iterator[Damage]:
        """Yield each trial that cannot be read, with the reason; reads the whole file."""
        with told_as_run_file_error(self.path, "checking its trials"):
            for row in self._traces.rows():
                try:
                    self._checked(row)
                except BodyError as error:
                    yield Damage(row.task, row.trial, str(error))

    def discard_damaged(self) -> tuple[Damage, ...]:
        """Take out the trials that cannot be read, so that running again repeats them, and return them.

        Raises:
            RunFileError: The file is open for reading only.
        """
        self._refuse_readers("anything")
        found = tuple(self.damaged())
        with told_as_run_file_error(self.path, "discarding damaged trials"), self._connection:
            for table in ("trials", "grades"):
                self._connection.executemany(f"DELETE FROM {table} WHERE task = ? AND trial = ?", [(one.task, one.trial) for one in found])  # noqa: S608
        return found

    def put_grades(self, graded: Iterable[Grade]) -> None:
        """Store grades, each in place of the trial's earlier one.

        Args:
            graded: The grades; may be longer than memory, and may be made while reading `traces` of this file.

        Raises:
            RunFileError: The file is open for reading only, it has no such task, or the disk is full.
        """
        self._refuse_readers("grades")
        waiting = iter(graded)
        while batch := list(islice(waiting, _GRADES_AT_ONCE)):
            rows = [self._grade_row(grade) for grade in batch]
            with told_as_run_file_error(self.path, "storing grades"):
                with self._connection:
                    self._connection.executemany(_PUT_GRADE, rows)
                self._grades.grown(len(rows))

    def grade(self, task: str, trial: int) -> Grade | None:
        """Return the stored grade of one trial; `None`: it was not graded.

        Raises:
            RunFileError: It is damaged.
        """
        with told_as_run_file_error(self.path, f"reading the grade of {_name(task, trial)}"):
            row = self._grades.find(task, trial)
        return None if row is None else self._grade(row)

    def grades(self) -> Iterator[Grade]:
        """Yield the stored grades by task and trial; a trial that was not graded has none.

        Raises:
            RunFileError: One is damaged.
        """
        with told_as_run_file_error(self.path, "reading its grades"):
            for row in self._grades.rows():
                yield self._grade(row)

    def graded(self) -> Iterator[tuple[Trace, Grade | None]]:
        """Yield every trace with its stored grade, `None` when it was not graded, by task and trial, a few at a time in memory.

        Raises:
            RunFileError: One is damaged.
        """
        return paired(self.traces(), _trial_of, self.grades())

    def add_labels(self, added: Iterable[Label]) -> None:
        """Add labels; when this returns, all of them are on the disk, or none.

        Args:
            added: The labels, in the order in which they were given.

        Raises:
            RunFileError: The file is open for reading only, it has no such task, or the disk is full.
        """
        self._refuse_readers("labels")
        waiting = tuple(added)
        for label in waiting:
            if label.task not in self._contracts:
                raise RunFileError(f"{self.path}: a label on task {label.task!r} cannot be stored: the file has no such task")
        with told_as_run_file_error(self.path, "storing labels"), self._connection:
            store_labels(self._connection, waiting, self.path)

    def labels(self, task: str | None = None, trial: int = 0) -> tuple[Label, ...]:
        """Return labels in the order in which they were given.

        Args:
            task: Only those on a trial of this task; `None`: all.
            trial: Which trial of it.

        Raises:
            RunFileError: One is damaged.
        """
        with told_as_run_file_error(self.path, "reading its labels"):
            return read_labels(self._connection, self.path, task, trial)

    def add_signatures(self, added: Iterable[Signature]) -> None:
        """Add signatures; when this returns, all of them are on the disk, or none.

        Args:
            added: The signatures, in the order in which they were given.

        Raises:
            RunFileError: The file is open for reading only, or the disk is full.
        """
        self._refuse_readers("signatures")
        with told_as_run_file_error(self.path, "storing signatures"), self._connection:
            store_signatures(self._connection, added, self.path)

    def signatures(self) -> tuple[Signature, ...]:
        """Return the signatures in the order in which they were given; raises `RunFileError` when one is damaged."""
        with told_as_run_file_error(self.path, "reading its signatures"):
            return read_signatures(self._connection, self.path)

    def content_hashes(self) -> RunHashes:
        """Return the content hashes of the run, part by part; reads the whole file, a few trials at a time in memory.

        Raises:
            RunFileError: A part is damaged.
        """
        return run_hashes(self.manifest, self.tasks(), self.traces(), self.grades(), self.labels(), self.signatures())

    def close(self) -> None:
        """Close the file; a writer first moves everything into the one file. Calling it twice is harmless.

        Raises:
            RunFileError: The disk is full: everything is stored, but in two files, this one and the `-wal` beside it.
        """
        lock, self._lock = self._lock, None
        try:
            if lock is not None:
                with told_as_run_file_error(self.path, "joining it with its -wal (keep both files)"):
                    files.fold(self._connection)
        finally:
            self._connection.close()
            if lock is not None:
                lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self.close()
        except RunFileError:
            # The first error is the one to tell; everything is stored all the same.
            if error is None:
                raise

    def _select(self, query: str, values: tuple[str | int, ...] = ()) -> list[tuple[Any, ...]]:
        with told_as_run_file_error(self.path, "reading it"):
            return all_rows(self._connection, query, values)

    def _append_again(self, trace: Trace, data: bytes, values: tuple) -> None:
        """Decide on a trial that is stored already: the same, one to replace, or another."""
        name = _name(trace.identity.task, trace.identity.trial)
        row = self._traces.find(trace.identity.task, trace.identity.trial)
        try:
            if row is None or (stored := self._checked(row)) == trace or traces.encode(stored) == data:
                return
        except BodyError:
            stored = None
        if stored is not None and not stored.status.unknown:
            raise RunFileError(
                f"{self.path}: {name} is stored already, with status {stored.status}, and a finished trial is never rewritten. "
                "Write this run to a file of its own"
            )
        with self._connection:
            self._connection.execute(REPLACE, values)
            self._connection.execute("DELETE FROM grades WHERE task = ? AND trial = ?", (trace.identity.task, trace.identity.trial))

    def _json_of(self, trace: Trace) -> bytes:
        """Return the JSON of a trace after reading it back: what is stored can be read."""
        try:
            data = traces.encode(trace)
            traces.decode(data)
        except (msgspec.MsgspecError, UnicodeError, RecursionError, TypeError, ValueError, OverflowError) as error:
            name = _name(trace.identity.task, trace.identity.trial)
            raise RunFileError(f"{self.path}: {name} cannot be stored: its trace is no JSON that can be read back ({error})") from error
        return data

    def _refuse_strangers(self, trace: Trace) -> None:
        """Refuse a trace that would mix two runs, or could not be graded by the tasks in the file."""
        self._refuse_readers("trials")
        identity = trace.identity
        name = _name(identity.task, identity.trial)
        contract = self._contracts.get(identity.task)
        if contract is None:
            raise RunFileError(
                f"{self.path}: {name} cannot be stored: the file was not made for that task. Its tasks: {listed(list(self._contracts), 5)}"
            )
        if contract != identity.contract:
            raise RunFileError(f"{self.path}: {name} was run under contract {identity.contract!r}, the file's is {contract!r}. {_OWN_FILE}")
        if identity.candidate != self.manifest.candidate.name:
            raise RunFileError(
                f"{self.path}: {name} is of candidate {identity.candidate!r}, the file of {self.manifest.candidate.name!r}. {_OWN_FILE}"
            )
        if identity.candidate_hash not in ("", self._candidate_hash):
            raise RunFileError(f"{self.path}: {name} is of another version of candidate {identity.candidate!r}. {_OWN_FILE}")

    def _refuse_readers(self, what: str) -> None:
        if self._lock is None:
            raise RunFileError(f"{self.path}: {what} cannot be stored: it is open for reading, or closed. Open it with write=True")

    def _unstored(self, tasks: Iterable[Task]) -> Iterator[Task]:
        for task in tasks:
            stored = self._contracts.get(task.id)
            if stored is None:
                yield task
            elif stored != task.contract_hash:
                raise RunFileError(f"{self.path}: task {task.id!r} is stored with another contract. {_OWN_FILE}")

    def _checked(self, row: Row) -> Trace:
        trace = self._traces.record(row)
        if trace.identity.trial != row.trial or trace.identity.task != row.task:
            raise BodyError(f"its body is of {_name(trace.identity.task, trace.identity.trial)}")
        return trace

    def _trace(self, row: Row) -> Trace:
        try:
            return self._checked(row)
        except BodyError as error:
            raise RunFileError(
                f"{self.path}: {_name(row.task, row.trial)} cannot be read: {error}. The others are not touched by it. "
                "Take it out with RunFile.discard_damaged and run again on the same file: only it is repeated"
            ) from error

    def _grade(self, row: Row) -> Grade:
        try:
            return self._grades.record(row)
        except BodyError as error:
            raise RunFileError(
                f"{self.path}: the grade of {_name(row.task, row.trial)} cannot be read: {error}. Grade the run again"
            ) from error

    def _grade_row(self, grade: Grade) -> tuple:
        if grade.task not in self._contracts:
            raise RunFileError(f"{self.path}: a grade of task {grade.task!r} cannot be stored: the file has no such task")
        return grade.task, grade.trial, grade.grader, grade.contract, *self._grades.pack(grades.encode(grade))

    def _header(self, row: tuple) -> Header:
        try:
            return header(row)
        except ValueError as error:
            raise RunFileError(f"{self.path}: the header of {_name(row[0], row[1])} is damaged: {error}") from error


def _trial_of(trace: Trace) -> tuple[str, int]:
    return trace.identity.task, trace.identity.trial


def _name(task: str, trial: int) -> str:
    return f"trial {trial} of task {task!r}"


_OWN_FILE = "Write this run to a file of its own"
_PUT_GRADE = (
    "INSERT INTO grades(task, trial, grader, contract, dictionary, shape, body) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT(task, trial) "
    "DO UPDATE SET grader = excluded.grader, contract = excluded.contract, dictionary = excluded.dictionary, "
    "shape = excluded.shape, body = excluded.body"
)
