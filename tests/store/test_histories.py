"""Any history of appending, grading, reopening and dying leaves exactly what was acknowledged."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from msgspec import structs

from seatrial.base.errors import RunFileError
from seatrial.records.grade import Verdict
from seatrial.records.trace import Status
from seatrial.store import RunFile
from tests.store.builders import TASKS, as_left_by_kill, grade, manifest, trace

numbers = st.integers(0, len(TASKS) - 1)
trials = st.integers(0, 60)


class Histories(RuleBasedStateMachine):
    """One run file and, beside it, two dicts of what it must hold."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.lives = 0
        self.path = self.folder / "run.seatrial"
        self.run_file = RunFile.create(self.path, manifest(), TASKS)
        self.traces: dict[tuple[str, int], object] = {}
        self.grades: dict[tuple[str, int], object] = {}

    @rule(number=numbers, trial=trials, status=st.sampled_from(Status), text=st.sampled_from(["yes", "no"]))
    def append(self, number, trial, status, text):
        """Store a trial: a new one, the same again, one in place of an unknown one, or – refused – another finished one."""
        one = trace(number, trial, status=status, text=text)
        key = TASKS[number].id, trial
        held = self.traces.get(key)
        if held is None or held == one or held.status.unknown:
            self.run_file.append(one)
            if held != one:
                self.traces[key] = one
                self.grades.pop(key, None)
        else:
            with pytest.raises(RunFileError, match="stored already"):
                self.run_file.append(one)

    @rule(number=numbers, first=trials)
    def append_many(self, number, first):
        """Store enough trials for the dictionary to be trained."""
        for trial in range(first, first + 40):
            self.append(number, trial + 100, Status.COMPLETED, f"Answer {trial}")

    @rule(verdict=st.sampled_from(Verdict))
    def grade_all(self, verdict):
        """Grade every stored trial anew."""
        given = [structs.replace(grade(verdict=verdict), task=task, trial=trial) for task, trial in self.traces]
        self.run_file.put_grades(given)
        self.grades = {(one.task, one.trial): one for one in given}

    @rule()
    def reopen(self):
        """Close, and open again."""
        self.run_file.close()
        assert [file.name for file in self.path.parent.iterdir()] == [self.path.name]
        self.run_file = RunFile.open(self.path, write=True)

    @rule()
    def die_and_resume(self):
        """Go on with what a kill at this moment leaves on the disk."""
        self.lives += 1
        left = as_left_by_kill(self.path, self.folder / f"life-{self.lives}")
        self.run_file.close()
        self.path = left
        self.run_file = RunFile.open(left, write=True)

    @invariant()
    def holds_what_was_acknowledged(self):
        """Writer and reader agree on traces, grades and what is finished."""
        with RunFile.open(self.path) as reader:
            for one in (self.run_file, reader):
                assert list(one.traces()) == [self.traces[key] for key in sorted(self.traces)]
                assert list(one.grades()) == [self.grades[key] for key in sorted(self.grades)]
                assert one.finished() == {key for key, held in self.traces.items() if not held.status.unknown}

    def teardown(self):
        """Leave nothing on the disk."""
        self.run_file.close()
        shutil.rmtree(self.folder)


TestHistories = Histories.TestCase
TestHistories.settings = settings(max_examples=12, stateful_step_count=15, deadline=None)
