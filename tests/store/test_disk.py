"""A full disk ends a run with a clear error, and everything that was stored is still there."""

from __future__ import annotations

import resource
from contextlib import suppress

import pytest

from seatrial.base.errors import RunFileError
from seatrial.store import RunFile
from tests.store.builders import TASKS, grade, in_a_process, made, manifest, trace


def _filled(path, limit):
    """Append until the size of a file is at its limit; return how many trials were taken, and the error."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    run_file = RunFile.open(path, write=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    stored, told = 0, ""
    try:
        while stored < 100_000:
            run_file.append(trace(0, stored, text="x" * (stored % 50) + str(stored)))
            stored += 1
    except RunFileError as error:
        told = str(error)
    with suppress(RunFileError):
        run_file.close()
    return stored, told


@pytest.mark.parametrize("limit", [200_000, 300_000, 500_000])
def test_a_full_disk_loses_nothing_that_was_stored(tmp_path, limit):
    """When the disk is full, storing fails with the file, the trial and the way out; with room again the run resumes."""
    path = made(tmp_path / "run.seatrial")
    stored, told = in_a_process(_filled, path, limit)
    assert 10 < stored < 100_000
    assert told.startswith(f"{path}: storing trial {stored} of task 'water-000' failed")
    assert "free some space and run again on the same file" in told
    with RunFile.open(path) as reader:
        assert [one.identity.trial for one in reader.traces()] == list(range(stored))
    with RunFile.open(path, write=True) as run_file:
        run_file.append(trace(0, stored))
        assert len(run_file.finished()) == stored + 1
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def _made_under(path, limit):
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        RunFile.create(path, manifest(), TASKS)
    except RunFileError as error:
        return str(error)
    return ""


def test_a_disk_too_full_to_begin_leaves_no_file(tmp_path):
    """A run file that cannot be made is not left half made."""
    path = tmp_path / "run.seatrial"
    assert "free some space" in in_a_process(_made_under, path, 8_192)
    assert list(tmp_path.iterdir()) == []


def _graded_under(path, limit):
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with RunFile.open(path, write=True) as run_file:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        try:
            run_file.put_grades(grade(0, trial) for trial in range(100_000))
        except RunFileError as error:
            return str(error)
    return ""


def test_grades_that_do_not_fit_leave_the_traces(tmp_path):
    """When grades do not fit, the traces and the grades stored before are there."""
    path = made(tmp_path / "run.seatrial", [trace(0, trial) for trial in range(20)])
    told = in_a_process(_graded_under, path, 400_000)
    assert "storing grades failed" in told
    assert "free some space" in told
    with RunFile.open(path) as reader:
        assert len(list(reader.traces())) == 20
        assert len(list(reader.grades())) % 500 == 0
