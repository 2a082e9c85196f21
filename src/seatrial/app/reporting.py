"""From a run file to a summary with a decision."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import structs

from seatrial.gate import decide
from seatrial.grade import CompiledTask, compile_task, grade
from seatrial.measure.facts import facts_of
from seatrial.measure.summarise import summarise
from seatrial.records.grade import GRADER_VERSION, Grade
from seatrial.records.summary import GradedTrial, RunSummary
from seatrial.records.task import Task
from seatrial.records.trace import Trace
from seatrial.store import RunFile


class Judge:
    """Grades the traces of one run by the tasks stored in it.

    Args:
        file: The run file, open.
        tasks: Tasks to judge by instead of the stored ones; `None`: the stored ones.
    """

    def __init__(self, file: RunFile, tasks: dict[str, Task] | None = None) -> None:
        self.file, self.tasks = file, tasks or file.tasks()
        self._compiled: dict[str, CompiledTask] = {}

    def compiled(self, task: str) -> CompiledTask:
        """Return a task's compiled contract, made once."""
        if task not in self._compiled:
            manifest = self.file.manifest
            self._compiled[task] = compile_task(self.tasks[task], manifest.tools, documents=manifest.documents)
        return self._compiled[task]

    def grade(self, trace: Trace) -> Grade:
        """Grade one trace."""
        return grade(self.compiled(trace.identity.task), trace)


def graded_trials(file: RunFile) -> Iterator[GradedTrial]:
    """Yield every stored trial with its grade; a grade that is missing or of an older grader is made again.

    Args:
        file: The run file, open.
    """
    stored = {(one.task, one.trial): one for one in file.grades() if one.grader == GRADER_VERSION}
    judge = Judge(file)
    for trace in file.traces():
        known = stored.get((trace.identity.task, trace.identity.trial))
        usable = known is not None and known.contract == judge.compiled(trace.identity.task).contract
        yield GradedTrial(known if usable and known is not None else judge.grade(trace), facts_of(trace))


def summary_of(path: Path) -> RunSummary:
    """Return the summary of a run, decision included.

    Args:
        path: The run file.

    Raises:
        RunFileError: The file cannot be read.
    """
    with RunFile.open(path) as file:
        manifest = file.manifest
        summary = summarise(manifest, tuple(file.tasks().values()), graded_trials(file), seed=manifest.seed)
    return structs.replace(summary, decision=decide(summary))


def failed_tasks(path: Path) -> frozenset[str]:
    """Return the ids of the tasks of a run that have a trial which is not strict."""
    from seatrial.records.grade import Verdict

    good = (Verdict.PASS, Verdict.NOT_APPLICABLE)
    with RunFile.open(path) as file:
        return frozenset(one.grade.task for one in graded_trials(file) if one.grade.strict not in good)
