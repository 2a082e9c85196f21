"""A file that is not a whole run file of ours is refused with its name, the reason and the way out, and stays as it is."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from pathlib import Path

import apsw
import pytest
import zstandard

from seatrial.base.errors import RunFileError
from seatrial.store import Damage, RunFile
from tests.store.builders import TASKS, as_left_by_kill, grade, in_a_process, made, manifest, trace


@pytest.fixture
def path(tmp_path):
    return made(tmp_path / "run.seatrial", [trace(0, trial) for trial in range(40)])


@pytest.fixture
def shared():
    """A run file in a folder that every user may enter, which pytest's own folders are not."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield made(folder / "run.seatrial", [trace(0, trial) for trial in range(40)])
    folder.chmod(0o755)
    shutil.rmtree(folder)


def _refused(path, match, *, write=(False, True)):
    before = path.read_bytes() if path.is_file() else None
    for mode in write:
        with pytest.raises(RunFileError, match=match) as told:
            RunFile.open(path, write=mode)
        assert str(told.value).startswith(f"{path}: ")
    if before is not None:
        assert path.read_bytes() == before


def _edit(path, statement, *values):
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement, values)
    connection.close()


def test_a_missing_file_is_told_with_the_nearest_name(path):
    """A slip in the name is answered with the name that was meant."""
    _refused(path.with_name("rum.seatrial"), "no such file. Did you mean 'run.seatrial'")


def test_a_folder_is_refused(tmp_path):
    """A folder is no run file."""
    _refused(tmp_path, "it is a folder")


def test_an_empty_file_is_refused(tmp_path):
    """An empty file is no run without trials."""
    empty = tmp_path / "run.seatrial"
    empty.touch()
    _refused(empty, "it is empty")


@pytest.mark.parametrize(
    "content", [b"x", b'{"not": "a database"}\n' * 500, b"SQLite format 3\x00", b"SQLite format 3\x00" + b"\xff" * 5000]
)
def test_a_foreign_file_is_refused(tmp_path, content):
    """Text, and what only begins like a database, is no run file."""
    foreign = tmp_path / "run.seatrial"
    foreign.write_bytes(content)
    _refused(foreign, "not a seatrial run file|damaged")


def test_another_programs_database_is_refused(tmp_path):
    """An SQLite file that is not ours is refused before anything is read from it or written to it."""
    foreign = tmp_path / "run.seatrial"
    _edit(foreign, "CREATE TABLE manifest(id, shape, body)")
    _refused(foreign, "another program's database")


def test_a_database_with_our_mark_and_other_tables_is_refused(path):
    """A run file that another program emptied is told so."""
    _edit(path, "DROP TABLE tasks")
    with pytest.raises(RunFileError, match="changed by another program"):
        RunFile.open(path)


def test_a_run_without_a_manifest_is_refused(path):
    """A run file whose manifest was taken out is told so."""
    _edit(path, "DELETE FROM manifest")
    with pytest.raises(RunFileError, match="no manifest"):
        RunFile.open(path)


def test_a_newer_file_is_refused(path):
    """A file of a newer seatrial is not guessed at."""
    _edit(path, "PRAGMA user_version = 99")
    _refused(path, "it has version 99; this seatrial reads 1 to 4. .* upgrade")


@pytest.mark.parametrize("version", [0, -5])
def test_a_version_that_was_never_written_is_refused(path, version):
    """A version that no seatrial wrote is not called newer: upgrading would not help."""
    _edit(path, f"PRAGMA user_version = {version}")
    _refused(path, f"it has version {version}; .* No seatrial wrote it: copy it again")


def test_what_is_no_plain_file_is_refused(tmp_path):
    """A pipe is neither read, which would wait for ever, nor called empty."""
    pipe = tmp_path / "run.seatrial"
    os.mkfifo(pipe)
    _refused(pipe, "it is no plain file")
    assert pipe.is_fifo()


def test_a_link_that_leads_nowhere_is_not_made_a_run(tmp_path):
    """A link to nothing is told as such, and stays."""
    link = tmp_path / "run.seatrial"
    link.symlink_to("gone.seatrial")
    with pytest.raises(RunFileError, match="it is a link that leads nowhere"):
        RunFile.create(link, manifest(), TASKS)
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.seatrial"]


@pytest.mark.parametrize("column", ["contract", "candidate", "status"])
def test_a_damaged_text_is_told(path, column):
    """A byte changed in a text column is told as damage of this file, whichever door reads it."""
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(f"UPDATE trials SET {column} = CAST(x'ff' AS TEXT) WHERE trial = 3")
    connection.close()
    with RunFile.open(path) as run_file, pytest.raises(RunFileError, match=r"run\.seatrial: .*damaged"):
        list(run_file.headers())


def test_a_damaged_task_id_is_told(path):
    """A byte changed in a task's id is told when the file is opened."""
    _edit(path, "UPDATE tasks SET task = CAST(x'ff' AS TEXT) WHERE id = 1")
    _refused(path, "opening it failed: it is damaged", write=[False])


def test_a_file_cut_off_anywhere_is_refused(path):
    """Wherever a file was cut off, opening it is an error and the rest is left alone."""
    whole = path.read_bytes()
    for size in [1, 16, 50, 99, 100, 512, 4095, 4096, 4097, len(whole) // 2, len(whole) - 4096, len(whole) - 1]:
        path.write_bytes(whole[:size])
        _refused(path, "not a seatrial run file|cut off|damaged")


def test_a_copy_without_its_log_is_refused(path, tmp_path):
    """A file copied while it was written, without the -wal beside it, would silently lack trials."""
    with RunFile.open(path, write=True) as run_file:
        run_file.append(trace(1))
        alone = tmp_path / "alone.seatrial"
        alone.write_bytes(path.read_bytes())
    _refused(alone, "a copy without the alone.seatrial-wal", write=[False])
    with RunFile.open(alone, write=True) as resumed:
        assert (TASKS[1].id, 0) not in resumed.finished()


def test_a_fresh_run_can_be_read_before_its_first_trial(tmp_path):
    """A run that has just begun is no copy without its log."""
    path = tmp_path / "run.seatrial"
    with RunFile.create(path, manifest(), TASKS), RunFile.open(path) as reader:
        assert reader.finished() == set()


def _break_body(path, trial, change):
    (body,) = sqlite3.connect(path).execute("SELECT body FROM trials WHERE trial = ?", (trial,)).fetchone()
    _edit(path, "UPDATE trials SET body = ? WHERE trial = ?", change(body), trial)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda body: body[:-6] + bytes([body[-6] ^ 1]) + body[-5:], "damaged"),
        (lambda body: body[: len(body) // 2], "damaged"),
        (lambda body: b"", "damaged"),
        (lambda body: b"no zstd", "damaged"),
        (lambda body: body + b"more", "damaged"),
        (lambda body: zstandard.compress(b"{}"), "its trace is not one"),
        (lambda body: zstandard.compress(b"not json"), "its trace is not one"),
        (lambda body: zstandard.compress(b"[" * 100_000), "its trace is not one"),
        (lambda body: zstandard.compress(b'{"versions":{"world":"\xff"}}'), "its trace is not one"),
        (lambda body: zstandard.compress(b'{"reported":[{"value":' + b"[" * 100_000), "its trace is not one"),
        (lambda body: zstandard.compress(b"\0" * 300_000_000), "claims 300,000,000 bytes"),
    ],
)
def test_one_damaged_row_is_told_and_harms_no_other(path, change, reason):
    """A damaged trial is named with the reason and the way out; the others are read; it can be taken out and stored again."""
    _break_body(path, 3, change)
    with RunFile.open(path) as run_file:
        with pytest.raises(RunFileError, match=f"trial 3 of task 'water-000' cannot be read: .*{reason}.*discard_damaged"):
            list(run_file.traces())
        assert run_file.read(TASKS[0].id, 4) == trace(0, 4)
        assert [(one.task, one.trial) for one in run_file.damaged()] == [(TASKS[0].id, 3)]
    with RunFile.open(path, write=True) as run_file:
        (found,) = run_file.discard_damaged()
        assert isinstance(found, Damage)
        assert (TASKS[0].id, 3) not in run_file.finished()
        run_file.append(trace(0, 3))
        assert list(run_file.traces()) == [trace(0, trial) for trial in range(40)]


def test_a_damaged_row_may_be_stored_again(path):
    """A trial that cannot be read may be replaced by the one that was run again."""
    _break_body(path, 3, lambda body: body[:10])
    with RunFile.open(path, write=True) as run_file:
        run_file.append(trace(0, 3))
        assert run_file.read(TASKS[0].id, 3) == trace(0, 3)


def test_a_body_under_another_trials_name_is_damage(path):
    """A body that was moved to another row is not read as that row's."""
    (body,) = sqlite3.connect(path).execute("SELECT body FROM trials WHERE trial = 5").fetchone()
    _break_body(path, 3, lambda _: body)
    with RunFile.open(path) as run_file, pytest.raises(RunFileError, match="its body is of trial 5"):
        run_file.read(TASKS[0].id, 3)


def test_a_body_of_a_newer_shape_is_told(path):
    """A trace of a newer shape is not guessed at."""
    _edit(path, "UPDATE trials SET shape = 99 WHERE trial = 3")
    with RunFile.open(path) as run_file, pytest.raises(RunFileError, match="its trace has version 99"):
        run_file.read(TASKS[0].id, 3)


def test_a_missing_dictionary_is_told(path):
    """A body whose dictionary is gone is damaged, not a crash."""
    _edit(path, "UPDATE trials SET dictionary = 7 WHERE trial = 3")
    with RunFile.open(path) as run_file, pytest.raises(RunFileError, match="needs dictionary 7"):
        run_file.read(TASKS[0].id, 3)


def test_a_status_that_is_none_of_ours_is_told(path):
    """A header with an unknown status is an error, not a finished trial."""
    _edit(path, "UPDATE trials SET status = 'fine' WHERE trial = 3")
    with RunFile.open(path) as run_file, pytest.raises(RunFileError, match="the header of trial 3 of task 'water-000' is damaged"):
        list(run_file.headers())


def test_a_damaged_grade_says_that_the_run_can_be_graded_again(path):
    """A grade is an opinion: the way out is to form it again."""
    with RunFile.open(path, write=True) as run_file:
        run_file.put_grades([grade()])
    _edit(path, "UPDATE grades SET body = x'00'")
    for read in (lambda file: list(file.grades()), lambda file: file.grade(grade().task, 0)):
        with RunFile.open(path) as run_file, pytest.raises(RunFileError, match=r"the grade of trial 0 .* Grade the run again"):
            read(run_file)


def test_a_page_overwritten_in_the_middle_is_told(path):
    """Damage that SQLite finds while reading is a clear error."""
    whole = bytearray(path.read_bytes())
    whole[4096:] = bytes(len(whole) - 4096)
    path.write_bytes(whole)
    with pytest.raises(RunFileError, match="damaged"), RunFile.open(path) as run_file:
        list(run_file.traces())


def test_what_a_hostile_file_brings_along_does_not_run(path):
    """Triggers in a run file from elsewhere do nothing."""
    _edit(path, "CREATE TRIGGER hostile AFTER INSERT ON trials BEGIN DELETE FROM tasks; END")
    with RunFile.open(path, write=True) as run_file:
        run_file.append(trace(1))
        assert len(run_file.tasks()) == 3


def test_two_writers_are_one_too_many(path):
    """The second writer is refused at once, in this process and in another, and the first goes on."""
    with RunFile.open(path, write=True) as run_file:
        for told in (in_a_process(_write_open, path), _write_open(path)):
            assert "being written by another process" in str(told)
        run_file.append(trace(1))
    with RunFile.open(path, write=True) as run_file:
        assert (TASKS[1].id, 0) in run_file.finished()


def _write_open(path):
    try:
        RunFile.open(path, write=True).close()
    except RunFileError as error:
        return str(error)
    return ""


def test_a_lock_dies_with_its_process(path):
    """A killed writer leaves no lock behind."""
    in_a_process(_lock_and_die, path)
    with RunFile.open(path, write=True) as run_file:
        assert len(run_file.finished()) == 40


def _lock_and_die(path):
    keep.append(RunFile.open(path, write=True))


keep: list[RunFile] = []


def test_a_read_only_folder_can_be_read_and_not_written(shared):
    """A closed run is readable where nothing can be written; writing is refused with the way out."""
    shared.parent.chmod(0o555)
    assert in_a_process(_read, shared, nobody=True) == 40
    assert "its folder cannot be written" in str(in_a_process(_write_open, shared, nobody=True))
    assert "cannot be opened" in str(in_a_process(_create, shared.with_name("new.seatrial"), nobody=True))


def test_a_read_only_file_is_refused_for_writing(shared):
    """A file that may only be read is told so before any trial runs."""
    shared.parent.chmod(0o777)
    shared.chmod(0o444)
    assert "the file cannot be written" in str(in_a_process(_write_open, shared, nobody=True))


def test_a_killed_run_in_a_read_only_folder_says_what_to_copy(shared):
    """Trials that lie in the -wal are not silently left out where it cannot be read."""
    with RunFile.open(shared, write=True) as run_file:
        run_file.append(trace(1))
        left = as_left_by_kill(shared, shared.parent / "left")
    left.with_name("run.seatrial-shm").unlink()
    left.parent.chmod(0o555)
    assert "Copy both files" in str(in_a_process(_read, left, nobody=True))
    left.parent.chmod(0o755)


def _read(path):
    with RunFile.open(path) as run_file:
        return sum(1 for _ in run_file.traces())


def _create(path):
    try:
        RunFile.create(path, manifest(), TASKS).close()
    except RunFileError as error:
        return str(error)
    return ""


def test_our_mark_is_in_the_file(path):
    """A run file can be told from other databases by its application id."""
    connection = apsw.Connection(str(path))
    assert connection.pragma("application_id") == int.from_bytes(b"SEAT", "big")
    connection.close()
