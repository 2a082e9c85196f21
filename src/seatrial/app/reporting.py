"""From a run file to a summary with a decision."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import structs

from seatrial.gate import decide
from seatrial.grade import CompiledTask, compile_task, grade
from seatrial.measure.facts import facts_of
from seatrial.measure.summarise import summarise
from seatrial.records.contract import ToolSpec
from seatrial.records.grade import GRADER_VERSION, Grade, Verdict
from seatrial.records.summary import GradedTrial, RunSummary
from seatrial.records.task import Task
from seatrial.records.trace import Trace
from seatrial.store import RunFile


class Judge:
    """Grades the traces of one run by the tasks stored in it.

    Args:
        file: The run file, open.
        tasks: Tasks to judge by instead of the stored ones; `None`: the stored ones.
        tools: Specifications of the tools to judge by; `None`: those of the run.
    """

    def __init__(self, file: RunFile, tasks: dict[str, Task] | None = None, *, tools: tuple[ToolSpec, ...] | None = None) -> None:
        self.file, self.tasks = file, file.tasks() if tasks is None else tasks
        self._tools = file.manifest.tools if tools is None else tools
        self._compiled: dict[str, CompiledTask] = {}

    def compiled(self, task: str) -> CompiledTask:
        """Return a task's compiled contract, made once."""
        if task not in self._compiled:
            self._compiled[task] = compile_task(self.tasks[task], self._tools, documents=self.file.manifest.documents)
        return self._compiled[task]

    def grade(self, trace: Trace) -> Grade:
        """Grade one trace."""
        return grade(self.compiled(trace.identity.task), trace)


def graded_trials(file: RunFile) -> Iterator[GradedTrial]:
    """Yield every stored trial with its grade.

    Args:
        file: The run file, open.
    """
    for trace, graded in traces_with_grades(file):
        yield GradedTrial(graded, facts_of(trace))


def traces_with_grades(file: RunFile) -> Iterator[tuple[Trace, Grade]]:
    """Yield every stored trace with its grade: the stored one, whoever's contract it judged by, if today's grader made it.

    Args:
        file: The run file, open. A grade that is missing or of an older grader is made again by the stored contract.
    """
    judge, stored = Judge(file), _current_grades(file)
    following = next(stored, None)
    for trace in file.traces():
        key = (trace.identity.task, trace.identity.trial)
        while following is not None and (following.task, following.trial) < key:
            following = next(stored, None)
        known = following is not None and (following.task, following.trial) == key
        yield trace, following if known and following is not None else judge.grade(trace)


def stored_grade(file: RunFile, task: str, trial: int) -> Grade | None:
    """Return the grade that is stored of one trial; `None` when there is none that today's grader made."""
    return next((one for one in _current_grades(file) if (one.task, one.trial) == (task, trial)), None)


def _current_grades(file: RunFile) -> Iterator[Grade]:
    return (one for one in file.grades() if one.grader == GRADER_VERSION)


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
    good = (Verdict.PASS, Verdict.NOT_APPLICABLE)
    with RunFile.open(path) as file:
        return frozenset(one.grade.task for one in graded_trials(file) if one.grade.strict not in good)
