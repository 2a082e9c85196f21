"""From a run file to a summary with a decision."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from msgspec import structs

from seatrial.app.disclosure import names_withheld, withholding_for
from seatrial.app.judging import Judge
from seatrial.app.withholding import held_of, withheld
from seatrial.base.clock import SystemClock
from seatrial.gate import Evidence, decide, read_policy
from seatrial.grade.labels import Reviewed, reviewed
from seatrial.measure.facts import facts_of
from seatrial.measure.summarise import summarise, summarise_splits
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
    canaries = file.manifest.canaries
    for trace, found in reviewed_trials(file):
        yield GradedTrial(found.grade, facts_of(trace, canaries), found.review)


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
    found = file.grade(task, trial)
    return found if found is not None and found.grader == GRADER_VERSION else None


def summary_of(path: Path, *, reveal: bool = False) -> RunSummary:
    """Return the summary of a run, decision included.

    Args:
        path: The run file; its manifest holds the gate policy.
        reveal: Whether the holdout's tasks are named; else they are withheld, and the decision is the same in other words.

    Raises:
        RunFileError: The file cannot be read.
        UsageError: The gate policy names a rule that is not installed.
    """
    with RunFile.open(path) as file:
        evidence, policy = evidence_of(file, reveal=reveal), read_policy(file.manifest.gate)
    evidence = structs.replace(evidence, today=SystemClock().now()[:10])
    return structs.replace(evidence.summary, decision=decide(evidence, policy))


def evidence_of(file: RunFile, *, reveal: bool = False) -> Evidence:
    """Return what a gate sees of a run by itself: all tasks, and where it has a holdout, holdout and dev apart.

    Args:
        file: The run file, open.
        reveal: Whether the holdout's tasks are named; else they are withheld in every summary, whose numbers stay as they are.
    """
    manifest, tasks, called = file.manifest, file.tasks(), set[str]()
    held = held_of(tasks.values())
    trials = graded_trials(file)
    if not held:
        return Evidence(summarise(manifest, tasks.values(), trials, seed=manifest.seed), stubs_checked=manifest.stubs_checked)
    with names_withheld(tasks.values(), reveal=reveal):
        whole, splits = summarise_splits(manifest, tasks.values(), _noting_tools(trials, held, called), seed=manifest.seed)
    withholding = withholding_for(file, called=called, reveal=reveal)
    parts = {split: withheld(part, withholding) for split, part in splits.items()}
    return Evidence(
        withheld(whole, withholding),
        holdout=parts.get("holdout"),
        dev=parts.get("dev"),
        holdout_apart=manifest.holdout is not None,
        stubs_checked=manifest.stubs_checked,
    )


def _noting_tools(trials: Iterator[GradedTrial], held: Collection[str], called: set[str]) -> Iterator[GradedTrial]:
    """Yield the trials, and note which tools those outside of the holdout called."""
    for trial in trials:
        if trial.grade.task not in held:
            called.update(call.tool for call in trial.facts.tool_calls)
        yield trial


def failed_tasks(path: Path) -> frozenset[str]:
    """Return the ids of the tasks of a run that have a trial which is not strict."""
    good = (Verdict.PASS, Verdict.NOT_APPLICABLE)
    with RunFile.open(path) as file:
        return frozenset(one.grade.task for one in graded_trials(file) if one.grade.strict not in good)
