"""Run files of older versions are read as they are meant, and become current when they are written to."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from seatrial.base.errors import RunFileError
from seatrial.records.decision import Signature
from seatrial.records.grade import Answer, Grade, Verdict
from seatrial.records.label import Label
from seatrial.records.trace import Status
from seatrial.store import RunFile
from seatrial.store.migrations import CURRENT, SHAPES, STORE, STORE_VERSION
from tests.store.builders import in_a_process, made
from tests.store.older import make_version_1, make_version_2, make_version_3

OLDER = Path(__file__).parent / "older"


@pytest.fixture
def path(tmp_path):
    return Path(shutil.copy(OLDER / "version_1.sqlite", tmp_path / "run.seatrial"))


def _content(run_file):
    assert run_file.manifest.candidate.name == "baseline"
    assert {name: task.input for name, task in run_file.tasks().items()} == {
        "water-000": "A pipe burst.",
        "water-001": "The cellar is wet.",
    }
    first, second, third = run_file.traces()
    assert (first.status, first.status_reason, first.attempts) == (Status.COMPLETED, "", ())
    assert (second.status, second.status_reason, second.attempts[0].reason) == (
        Status.BUDGET_EXCEEDED,
        "calls: limit 8, used 8",
        "the service was down",
    )
    assert (third.identity.task, third.status, third.status_reason) == ("water-001", Status.CANCELLED, "stopped by hand")
    assert bytes(first.calls[0].proposed) == b'{"amount":1.5}'
    assert [(one.steps, one.attempts, one.calls) for one in run_file.headers()] == [(3, 0, 1), (3, 1, 1), (3, 0, 1)]
    assert run_file.finished() == {("water-000", 0), ("water-000", 1)}


def test_an_older_file_is_read_without_being_touched(path):
    """Reading a file of version 1 gives all it holds, and leaves its bytes."""
    before = path.read_bytes()
    with RunFile.open(path) as run_file:
        _content(run_file)
        assert list(run_file.grades()) == []
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_an_older_file_becomes_current_when_written_to(path):
    """Opening a file of version 1 for writing migrates it, and it then holds what newer files hold."""
    answer = Answer(Verdict.PASS, "because")
    graded = Grade("water-000", 0, "0" * 32, answer, answer, answer, answer)
    with RunFile.open(path, write=True) as run_file:
        _content(run_file)
        run_file.append(next(run_file.traces()))
        run_file.put_grades([graded])
    with RunFile.open(path) as run_file:
        _content(run_file)
        assert list(run_file.grades()) == [graded]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (STORE_VERSION,)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_migrated_file_has_the_tables_of_a_new_one(version, tmp_path):
    """After migrating, every table has the columns of a file made today, and the triggers and indexes are the same."""
    path = Path(shutil.copy(OLDER / f"version_{version}.sqlite", tmp_path / "run.seatrial"))
    RunFile.open(path, write=True).close()
    new = made(tmp_path / "new.seatrial")
    assert _columns(path) == _columns(new)
    assert _guards(path) == _guards(new) != []


def _guards(path):
    query = "SELECT type, name, tbl_name FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL"
    with closing(sqlite3.connect(path)) as connection:
        return sorted(connection.execute(query))


def test_a_file_without_labels_is_read_and_can_be_labelled(tmp_path):
    """A file of version 2 has no label and its grade no doubt; once it is written to it takes labels."""
    path = Path(shutil.copy(OLDER / "version_2.sqlite", tmp_path / "run.seatrial"))
    before, label = path.read_bytes(), Label("water-000", 0, "0" * 32, "unclear", "Anna", "hm", "2026-11-30T12:00:00Z")
    with RunFile.open(path) as run_file:
        assert run_file.labels() == ()
        (stored,) = run_file.grades()
        assert (stored.safety.verdict, stored.doubts) == (Verdict.UNDETERMINED, ())
    assert path.read_bytes() == before
    with RunFile.open(path, write=True) as run_file:
        run_file.add_labels([label])
    with RunFile.open(path) as run_file:
        assert run_file.labels() == (label,)
        assert len(list(run_file.traces())) == len(list(run_file.grades())) == 1


def test_a_file_without_signatures_is_read_and_can_be_signed(tmp_path):
    """A file of version 3 keeps its labels and has no signature; once it is written to it takes signatures, and its content is the same."""
    path = Path(shutil.copy(OLDER / "version_3.sqlite", tmp_path / "run.seatrial"))
    before, signature = path.read_bytes(), Signature("loss_type=water", "Anna", "read them", "2026-11-30T12:00:00Z")
    with RunFile.open(path) as run_file:
        assert run_file.signatures() == ()
        assert [label.by for label in run_file.labels()] == ["Anna"]
        hashes = run_file.content_hashes()
    assert path.read_bytes() == before
    with RunFile.open(path, write=True) as run_file:
        run_file.add_signatures([signature])
    with RunFile.open(path) as run_file:
        assert run_file.signatures() == (signature,)
        assert run_file.content_hashes().content == hashes.content
        assert run_file.content_hashes().signatures != hashes.signatures


def _columns(path):
    query = "SELECT t.name, c.name, c.type, c.\"notnull\" FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'"
    with closing(sqlite3.connect(path)) as connection:
        return sorted(connection.execute(query))


def test_a_damaged_row_of_an_older_file_keeps_no_other_from_being_migrated(path):
    """One damaged trial is told when it is read; the others are migrated."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE trials SET body = x'00' WHERE trial = 1")
    with RunFile.open(path, write=True) as run_file:
        assert [(one.task, one.trial) for one in run_file.damaged()] == [("water-000", 1)]
        with pytest.raises(RunFileError, match="trial 1 of task 'water-000'"):
            list(run_file.traces())
        run_file.discard_damaged()
        assert len(list(run_file.traces())) == 2


@pytest.mark.parametrize(("version", "script"), [(1, make_version_1), (2, make_version_2), (3, make_version_3)])
def test_the_older_file_is_the_one_that_its_script_makes(version, script, tmp_path):
    """The binary beside each script holds what the script says."""
    script.make(tmp_path / "again.seatrial")
    assert _dump(tmp_path / "again.seatrial") == _dump(OLDER / f"version_{version}.sqlite")


def _dump(path):
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables if name != "trials"} | {
            "trials": connection.execute("SELECT task, trial, status, usd FROM trials").fetchall()
        }


def test_the_list_of_migrations_reaches_the_current_versions():
    """Every version between the first and the current has its step."""
    assert len(STORE) + 1 == STORE_VERSION
    assert set(SHAPES) <= set(CURRENT)


def test_a_failed_migration_leaves_the_file_as_it_was(path):
    """A file that cannot be migrated, here for lack of room, is still the older file."""
    before = path.read_bytes()
    told = in_a_process(_migrate_without_room, path, len(before) - 1024)
    assert "free some space" in told
    with RunFile.open(path) as run_file:
        _content(run_file)
    assert path.read_bytes() == before


def _migrate_without_room(path, limit):
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    try:
        RunFile.open(path, write=True)
    except RunFileError as error:
        return str(error)
    return ""
