"""The right to write: held by one at a time, however many ask for it at once."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from seatrial.base.errors import RunFileError
from seatrial.store.connection import PATIENCE, WriterLock


def _write_by_turns(path: Path, turns: int) -> None:
    for _ in range(turns):
        lock = WriterLock(path, patience=PATIENCE)
        path.with_name("inside").touch(exist_ok=False)
        path.with_name("inside").unlink()
        lock.release()


def test_many_processes_never_hold_it_at_once(tmp_path: Path) -> None:
    """Nobody takes a file that was removed for the right itself, and nobody is refused because another was quicker."""
    fork = multiprocessing.get_context("fork")
    processes = [fork.Process(target=_write_by_turns, args=(tmp_path / "run", 300)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 4
    assert list(tmp_path.iterdir()) == []


def test_giving_it_back_twice_takes_it_from_nobody(tmp_path: Path) -> None:
    """The second time it is another's, and stays so."""
    first = WriterLock(tmp_path / "run")
    first.release()
    second = WriterLock(tmp_path / "run")
    first.release()
    with pytest.raises(RunFileError, match="written by another process"):
        WriterLock(tmp_path / "run")
    second.release()
    WriterLock(tmp_path / "run").release()


def test_what_can_never_be_opened_is_refused(tmp_path: Path) -> None:
    """A folder in the place of the lock is no reason to try for ever."""
    (tmp_path / "run-writer").mkdir()
    with pytest.raises(RunFileError, match="opening it for writing failed"):
        WriterLock(tmp_path / "run")
