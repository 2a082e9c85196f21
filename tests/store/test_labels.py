"""Labels in a run file: added, never changed, never lost – by kills, by other writers, by what else happens to the file."""

from __future__ import annotations

import multiprocessing
import sqlite3
from contextlib import closing

import pytest

from seatrial.base.errors import RunFileError
from seatrial.records.grade import Verdict
from seatrial.records.label import DoubtPlace, Label
from seatrial.records.trace import Status
from seatrial.store import RunFile
from tests.store.builders import TASKS, as_left_by_kill, grade, made, trace


def label(number: int = 0, trial: int = 0, *, by: str = "Anna", verdict: str = "safe", note: str = "read it") -> Label:
    """One label on a trial of task `number`."""
    place = DoubtPlace("no_write_while", 4)
    return Label(TASKS[number].id, trial, "0" * 32, verdict, by, note, "2026-11-30T12:00:00Z", doubts=(place,))  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path):
    return made(tmp_path / "run.seatrial", [trace(0, 0), trace(0, 1), trace(1, 0)])


def add(path, *labels, patience=0):
    with RunFile.open(path, write=True, patience=patience) as run_file:
        run_file.add_labels(labels)


def test_labels_come_back_in_the_order_in_which_they_were_given(path):
    """What was added is read as it was, later labels last, by trial or all together."""
    given = [label(1), label(0), label(0, by="Bo"), label(0, 1), label(0, verdict="unclear")]
    for one in given:
        add(path, one)
    with RunFile.open(path) as run_file:
        assert run_file.labels() == tuple(given)
        assert run_file.labels(TASKS[0].id, 0) == (given[1], given[2], given[4])
        assert run_file.labels(TASKS[2].id) == ()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE labels SET body = '{}'",
        "DELETE FROM labels",
        "UPDATE labels SET verdict = 'safe' WHERE id = 1",
        "INSERT OR REPLACE INTO labels SELECT id, task, trial, 'safe', reviewer, labelled_at, shape, body FROM labels",
        "INSERT INTO labels SELECT * FROM labels WHERE true ON CONFLICT DO UPDATE SET verdict = 'safe'",
    ],
)
def test_no_program_changes_or_removes_a_label(path, change):
    """Another program that opens the file is refused when it would rewrite or delete a label."""
    add(path, label(verdict="violation"))
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.IntegrityError, match="a label is never"):
        connection.execute(change)
    with RunFile.open(path) as run_file:
        assert run_file.labels() == (label(verdict="violation"),)


def test_labels_survive_whatever_else_is_written(path):
    """Regrading, running a lost trial again, replanning, discarding damaged trials and packing anew take no label away."""
    with RunFile.open(path, write=True) as run_file:
        run_file.append(trace(2, 0, status=Status.INFRA_ERROR))
        run_file.put_grades([grade(2, 0)])
        given = (label(0), label(2), label(1, by="Bo"))
        run_file.add_labels(given)
        run_file.put_grades([grade(0, 0, Verdict.UNDETERMINED)])
        run_file.append(trace(2, 0))
        run_file.replan(run_file.manifest, ())
        for trial in range(2, 130):
            run_file.append(trace(0, trial))
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute("SELECT count(*) FROM dictionaries").fetchone() == (1,)
        connection.execute("UPDATE trials SET body = x'00' WHERE task = ?", (TASKS[1].id,))
    with RunFile.open(path, write=True) as run_file:
        assert run_file.discard_damaged()
    with RunFile.open(path) as run_file:
        assert run_file.labels() == given


def test_a_label_that_was_taken_is_on_the_disk(path, tmp_path):
    """A process that is killed right after a label was added has not lost it."""
    with RunFile.open(path, write=True) as run_file:
        run_file.add_labels([label()])
        left = as_left_by_kill(path, tmp_path / "left")
    with RunFile.open(left) as run_file:
        assert run_file.labels() == (label(),)


def test_two_processes_that_label_at_once_lose_nothing(path):
    """Four processes each add twenty labels to one file, waiting for one another; all eighty are there, each one's in its order."""
    fork = multiprocessing.get_context("fork")
    names = ("Anna", "Bo", "Cem", "Dora")
    processes = [fork.Process(target=_label_often, args=(path, name)) for name in names]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 4
    with RunFile.open(path) as run_file:
        found = run_file.labels()
    for name in names:
        assert [one.note for one in found if one.by == name] == [str(number) for number in range(20)]


def _label_often(path, name):
    for number in range(20):
        add(path, label(by=name, note=str(number)), patience=60_000)


def test_who_does_not_wait_is_told_that_another_writes(path):
    """Without patience a second writer is refused at once, and nothing is stored."""
    with RunFile.open(path, write=True), pytest.raises(RunFileError, match="written by another process"):
        add(path, label())
    with RunFile.open(path) as run_file:
        assert run_file.labels() == ()


def test_what_cannot_be_a_label_of_the_run_is_refused(path):
    """A label on a task that the file lacks, or while the file is open for reading, is an error, and none of a batch is stored."""
    strange = Label("fire-001", 0, "0" * 32, "safe", "Anna", "read it", "2026-11-30T12:00:00Z")
    with pytest.raises(RunFileError, match="no such task"):
        add(path, label(), strange)
    with RunFile.open(path) as run_file, pytest.raises(RunFileError, match="labels cannot be stored"):
        run_file.add_labels([label()])
    with RunFile.open(path) as run_file:
        assert run_file.labels() == ()


def test_a_damaged_label_is_told(path):
    """A label that holds something else is an error that names it; it is never skipped."""
    add(path, label())
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TRIGGER labels_are_never_changed")
        connection.execute("UPDATE labels SET body = '{}'")
    with RunFile.open(path) as run_file, pytest.raises(RunFileError, match="label 1 cannot be read"):
        run_file.labels()
