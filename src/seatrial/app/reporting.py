"""From a run file to a summary with a decision."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import structs

from seatrial.app.judging import Judge
from seatrial.gate import Evidence, decide, read_policy
from seatrial.grade.labels import Reviewed, reviewed
from seatrial.measure.facts import facts_of
from seatrial.measure.summarise import summarise
from seatrial.records.grade import GRADER_VERSION, Grade, Verdict
from seatrial.records.graded import GradedTrial
from seatrial.records.label import Label
from seatrial.records.summary import RunSummary
from seatrial.records.trace import Trace
from seatrial.store import RunFile


def graded_trials(file: RunFile) -> Iterator[GradedTrial]:
    """Yield every stored trial with its grade, as labels leave it.

    Args:
        file: The run file, open.
    """
    for trace, found in reviewed_trials(file):
        yield GradedTrial(found.grade, facts_of(trace), found.review)


def traces_with_grades(file: RunFile) -> Iterator[tuple[Trace, Grade]]:
    """Yield every stored trace with its grade, as labels leave it; see `reviewed_trials`.

    Args:
        file: The run file, open.
    """
    for trace, found in reviewed_trials(file):
        yield trace, found.grade


def reviewed_trials(file: RunFile) -> Iterator[tuple[Trace, Reviewed]]:
    """Yield every stored trace with its grade, the labels on it laid over what the rules say.

    Args:
        file: The run file, open. The rules' word is the stored grade, whoever's contract it judged by, if today's grader made it; one that
            is missing or of an older grader is made again by the stored contract.
    """
    judge, labels = Judge.of_run(file), labels_by_trial(file)
    for trace, graded in file.graded():
        stored = graded if graded is not None and graded.grader == GRADER_VERSION else judge.grade(trace)
        yield trace, reviewed(stored, trace, labels.get((trace.identity.task, trace.identity.trial), ()))


def labels_by_trial(file: RunFile) -> dict[tuple[str, int], list[Label]]:
    """Return task and trial → its labels in the order in which they were given.

    Args:
        file: The run file, open.
    """
    found: dict[tuple[str, int], list[Label]] = {}
    for label in file.labels():
        found.setdefault((label.task, label.trial), []).append(label)
    return found


def stored_grade(file: RunFile, task: str, trial: int) -> Grade | None:
    """Return the grade that is stored of one trial; `None` when there is none that today's grader made."""
    return next((one for one in file.grades() if (one.task, one.trial) == (task, trial) and one.grader == GRADER_VERSION), None)


def summary_of(path: Path) -> RunSummary:
    """Return the summary of a run, decision included.

    Args:
        path: The run file; its manifest holds the gate policy.

    Raises:
        RunFileError: The file cannot be read.
        UsageError: The gate policy names a rule that is not installed.
    """
    with RunFile.open(path) as file:
        manifest = file.manifest
        summary = summarise(manifest, tuple(file.tasks().values()), graded_trials(file), seed=manifest.seed)
    return structs.replace(summary, decision=decide(Evidence(summary), read_policy(manifest.gate)))


def failed_tasks(path: Path) -> frozenset[str]:
    """Return the ids of the tasks of a run that have a trial which is not strict."""
    good = (Verdict.PASS, Verdict.NOT_APPLICABLE)
    with RunFile.open(path) as file:
        return frozenset(one.grade.task for one in graded_trials(file) if one.grade.strict not in good)
