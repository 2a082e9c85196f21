"""Judge a stored run again, without the world."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from seatrial.app.loading import LoadedSuite
from seatrial.app.reference import with_references
from seatrial.app.reporting import Judge
from seatrial.records.grade import Grade
from seatrial.records.task import Task
from seatrial.store import RunFile


@dataclass(frozen=True)
class Regraded:
    """What a regrade changed.

    Args:
        trials: Trials graded.
        changed: `task#trial: before → after` for every trial whose strict verdict changed.
        left_out: Stored tasks that the given suite does not have; they keep their grades.
    """

    trials: int
    changed: tuple[str, ...]
    left_out: tuple[str, ...]


def regrade(path: Path, loaded: LoadedSuite | None = None) -> Regraded:
    """Grade every trace of a run again and store the grades.

    Args:
        path: The run file.
        loaded: A suite whose contracts judge instead of the stored ones; `None`: the stored ones, and nothing but the file
            is needed.

    Raises:
        RunFileError: The file cannot be read or written.
    """
    with RunFile.open(path, write=True) as file:
        tasks = file.tasks() if loaded is None else _by_suite(file, loaded)
        judge = Judge(file, tasks)
        before = {(one.task, one.trial): one for one in file.grades()}
        changed: list[str] = []
        count = 0
        for trace in file.traces():
            if trace.identity.task in tasks:
                grade = judge.grade(trace)
                file.put_grades([grade])
                changed += _change(before.get((grade.task, grade.trial)), grade)
                count += 1
        return Regraded(count, tuple(changed), tuple(sorted(set(file.tasks()) - set(tasks))))


def _by_suite(file: RunFile, loaded: LoadedSuite) -> dict[str, Task]:
    stored = file.tasks()
    return {task.id: task for task in with_references(loaded, (one for one in loaded.suite.tasks if one.id in stored))}


def _change(before: Grade | None, after: Grade) -> list[str]:
    if before is None or before.strict == after.strict:
        return []
    return [f"{after.task}#{after.trial}: {before.strict} → {after.strict}"]
