"""Find one trial of a run and its grade."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from seatrial.app.disclosure import opened, task_meant, withholding_for
from seatrial.app.judging import Judge
from seatrial.app.reporting import stored_grade
from seatrial.base.errors import UsageError
from seatrial.base.names import nearest
from seatrial.grade.labels import reviewed
from seatrial.records.grade import Grade, ValueSource, Verdict
from seatrial.records.label import TrialReview
from seatrial.records.trace import Trace
from seatrial.store import RunFile


@dataclass(frozen=True)
class ShownTrial:
    """One trial with its grade.

    Args:
        trace: What happened.
        grade: How it is judged, as labels leave it.
        sources: Where every argument value came from; empty: nobody asked.
        review: Its doubts and labels; `None`: its safety is known, and nobody labelled it.
        held: Whether it is a trial of a holdout task.
    """

    trace: Trace
    grade: Grade
    sources: tuple[ValueSource, ...] = ()
    review: TrialReview | None = None
    held: bool = False


def trial_of(path: Path, task: str, trial: int | None, *, sources: bool = False, reveal: bool = False) -> ShownTrial:
    """Return one trial of a run.

    Args:
        path: The run file.
        task: Id of the task, or the name that it stands under in reports.
        trial: Index of the trial; `None`: the first that is not strict, else the first.
        sources: Whether to say of every argument value where it came from.
        reveal: Whether tasks of the holdout may be shown.

    Raises:
        UsageError: The run has no such task or trial, or the task is withheld.
    """
    with opened(path, reveal=reveal) as file:
        withholding = withholding_for(file)
        task = task_meant(task, withholding, reveal=reveal)
        present = sorted(header.trial for header in file.headers() if header.task == task)
        if not present:
            known = {header.task for header in file.headers() if reveal or header.task not in withholding.aliases}
            hint = nearest(task, known)
            raise UsageError(f"{path} has no trial of a task {task!r}." + (f" Did you mean {hint!r}?" if hint else ""))
        if trial is not None and trial not in present:
            raise UsageError(f"{path} has no trial {trial} of {task!r}; it has {', '.join(map(str, present))}")
        judge = Judge.of_run(file)
        shown = replace(_first(file, judge, task, present if trial is None else [trial]), held=task in withholding.aliases)
        return replace(shown, sources=judge.explain(shown.trace)) if sources else shown


def _first(file: RunFile, judge: Judge, task: str, trials: list[int]) -> ShownTrial:
    shown = [_graded(file, judge, file.read(task, trial)) for trial in trials]
    return next((one for one in shown if one.grade.strict is not Verdict.PASS), shown[0])


def _graded(file: RunFile, judge: Judge, trace: Trace) -> ShownTrial:
    task, trial = trace.identity.task, trace.identity.trial
    found = reviewed(stored_grade(file, task, trial) or judge.grade(trace), trace, file.labels(task, trial))
    return ShownTrial(trace, found.grade, review=found.review)
