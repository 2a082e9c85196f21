"""Killing the writer at any moment loses no trial that `append` returned for, and the run resumes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from seatrial.base.errors import RunFileError
from seatrial.records.grade import Verdict
from seatrial.store import RunFile
from tests.store.builders import TASKS, grade, made, trace

_WRITER = """
import sys
from seatrial.store import RunFile
from tests.store.builders import TASKS, grade, manifest, trace
from pathlib import Path

path, trials = Path(sys.argv[1]), int(sys.argv[2])
run_file = RunFile.open(path, write=True) if path.exists() else RunFile.create(path, manifest(), TASKS)
done = run_file.finished()
for trial in range(trials):
    if (TASKS[0].id, trial) not in done:
        run_file.append(trace(0, trial, text=f"Answer number {trial}."))
        print(trial, flush=True)
run_file.put_grades(grade(0, one.identity.trial) for one in run_file.traces())
run_file.close()
print("closed", flush=True)
"""


def _start(path, trials):
    return subprocess.Popen([sys.executable, "-c", _WRITER, str(path), str(trials)], stdout=subprocess.PIPE, text=True)


def _kill_after(writer, seconds):
    time.sleep(seconds)
    os.kill(writer.pid, signal.SIGKILL)
    lines = writer.stdout.read().split("\n")[:-1]
    writer.stdout.close()
    writer.wait()
    return lines


def test_ten_kills_lose_nothing(tmp_path):
    """Ten times killed at a random moment and resumed, the run ends with every trial, each run once, and every grade."""
    path, trials, draw = tmp_path / "run.seatrial", 3000, random.Random(5)
    acknowledged: list[int] = []
    for _ in range(10):
        lines = _kill_after(_start(path, trials), draw.uniform(0.15, 0.6))
        acknowledged += [int(line) for line in lines if line != "closed"]
        if path.exists():
            with RunFile.open(path) as reader:
                stored = {one.trial for one in reader.headers()}
                assert set(acknowledged) <= stored
                assert [one.identity.trial for one in reader.traces()] == sorted(stored)
    last = _start(path, trials)
    acknowledged += [int(line) for line in last.communicate()[0].split() if line != "closed"]
    # A trial may be stored and not yet told of when the kill comes: then it is in the file, and is not run again.
    assert len(acknowledged) == len(set(acknowledged))
    with RunFile.open(path) as reader:
        assert list(reader.traces()) == [trace(0, trial, text=f"Answer number {trial}.") for trial in range(trials)]
        assert sum(one.strict is Verdict.PASS for one in reader.grades()) == trials
    # A kill while the file is made leaves it, and its journal, under their passing names.
    assert [file.name for file in tmp_path.iterdir() if ".new" not in file.name] == [path.name]


def test_readers_follow_a_writer_of_another_process(tmp_path):
    """Two readers see a rising number of whole trials while another process writes, and neither stops it."""
    path, trials = made(tmp_path / "run.seatrial"), 2000
    writer = _start(path, trials)
    seen = [0]
    with RunFile.open(path) as early:
        while seen[-1] < trials:
            with RunFile.open(path) as late:
                first = [one.identity.trial for one in early.traces()]
                second = {trial for _, trial in late.finished()}
            assert first == list(range(len(first)))
            assert second >= set(first)
            seen.append(len(first))
            if writer.poll() not in (None, 0):
                break
        assert writer.communicate()[0].endswith("closed\n")
        assert seen[-1] == trials
    assert len(set(seen)) > 2
    assert seen == sorted(seen)


def test_a_run_closed_while_another_reads_is_whole(tmp_path):
    """A reader does not keep a writer from closing; the file is folded by the next writer."""
    path = made(tmp_path / "run.seatrial", [trace(0)])
    with RunFile.open(path) as reader:
        pages = reader.traces()
        next(pages)
        with RunFile.open(path, write=True) as run_file:
            run_file.append(trace(1))
        assert reader.read(TASKS[1].id, 0) == trace(1)
    with RunFile.open(path) as later:
        assert len(later.finished()) == 2
    RunFile.open(path, write=True).close()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_many_makers_of_one_file_are_one(tmp_path):
    """Of processes that make one file at the same time one succeeds, and the others are refused."""
    path = tmp_path / "run.seatrial"
    writers = [subprocess.Popen([sys.executable, "-c", _MAKER, str(path)], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    told = sorted(writer.communicate()[0].strip() for writer in writers)
    assert told == ["made", "refused", "refused", "refused"]
    with RunFile.open(path) as reader:
        assert len(reader.finished()) == 1


_MAKER = """
import sys, time
from seatrial.base.errors import RunFileError
from seatrial.store import RunFile
from tests.store.builders import TASKS, manifest, trace

try:
    with RunFile.create(sys.argv[1], manifest(), TASKS) as run_file:
        run_file.append(trace())
        time.sleep(0.5)
    print("made")
except RunFileError:
    print("refused")
"""


def test_a_grade_of_a_foreign_task_is_refused(tmp_path):
    """A grade of a task that the file does not hold is refused."""
    from msgspec import structs

    with RunFile.open(made(tmp_path / "run.seatrial"), write=True) as run_file, pytest.raises(RunFileError, match="no such task"):
        run_file.put_grades([structs.replace(grade(), task="fire-001")])
