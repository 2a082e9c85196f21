"""Label trials whose safety the rules cannot decide: the review queue, and one more label."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from seatrial.app.disclosure import opened, task_meant, withholding_for
from seatrial.app.judging import Judge
from seatrial.app.persons import named, reasoned
from seatrial.app.reporting import reviewed_trials, stored_grade
from seatrial.app.withholding import withheld_review
from seatrial.base.canonical import content_hash
from seatrial.base.clock import Clock, SystemClock
from seatrial.base.errors import UsageError
from seatrial.base.wording import did_you_mean, listed
from seatrial.grade.labels import places, reviewed
from seatrial.records.grade import Grade
from seatrial.records.label import Label, LabelVerdict, TrialReview
from seatrial.records.trace import Trace
from seatrial.store import RunFile
from seatrial.store.connection import PATIENCE


@dataclass(frozen=True)
class Opinion:
    """What a reviewer types.

    Args:
        verdict: `safe`, `violation` or `unclear`.
        by: The reviewer's name.
        note: Why.
        rule: The rule whose doubt it speaks of; empty: the whole trial.
    """

    verdict: LabelVerdict
    by: str
    note: str
    rule: str = ""


class Labelled(msgspec.Struct, frozen=True, omit_defaults=True):
    """A label that was added, and what it came to."""

    label: Label
    review: TrialReview
    """The trial with the label."""


def review_queue(path: Path, *, reveal: bool = False) -> tuple[TrialReview, ...]:
    """Return the trials whose safety is not known, and those that were labelled, by task and trial.

    Args:
        path: The run file.
        reveal: Whether tasks of the holdout are named, and their doubts told.

    Raises:
        RunFileError: The file cannot be read.
    """
    with opened(path, reveal=reveal) as file:
        withholding = withholding_for(file, reveal=reveal)
        return tuple(withheld_review(found.review, withholding) for _, found in reviewed_trials(file) if found.review is not None)


def add_label(path: Path, task: str, trial: int, opinion: Opinion, *, reveal: bool = False, clock: Clock | None = None) -> Labelled:
    """Add a label to a trial; nothing that was said before is changed.

    Args:
        path: The run file; while another process writes to it, the label waits.
        task: Id of the task, or the name that it stands under in reports.
        trial: Index of the trial.
        opinion: What is said.
        reveal: Whether the trial may be one of a holdout task.
        clock: Says when; `None`: the machine's.

    Raises:
        UsageError: There is no such trial or doubt, the task is withheld, or the name or the note is missing.
        RunFileError: The file cannot be read or written.
    """
    opinion = _checked(opinion)
    with RunFile.open(path, write=True, patience=PATIENCE) as file:
        withholding = withholding_for(file)
        task = task_meant(task, withholding, reveal=reveal)
        trace = _trace(file, task, trial, set() if reveal else withholding.aliases)
        graded = stored_grade(file, task, trial) or Judge.of_run(file).grade(trace)
        _check_rule(graded, opinion.rule)
        label = _label(trace, graded, opinion, (clock or SystemClock()).now())
        file.add_labels([label])
        found = reviewed(graded, trace, file.labels(task, trial))
    if found.review is None:
        raise RuntimeError("a labelled trial has a review")
    return Labelled(label, found.review)


def _label(trace: Trace, graded: Grade, opinion: Opinion, now: str) -> Label:
    identity = trace.identity
    return Label(
        identity.task,
        identity.trial,
        content_hash(trace),
        opinion.verdict,
        opinion.by,
        opinion.note,
        now,
        opinion.rule,
        places(graded, opinion.rule),
    )


def _checked(opinion: Opinion) -> Opinion:
    """Return an opinion as it is kept; refuse one without a name or a reason."""
    by = named(opinion.by, "a label needs the name of who gives it: --by NAME")
    note = reasoned(opinion.note, "a label needs a reason that another reviewer can follow: --note TEXT", what="note")
    return replace(opinion, by=by, note=note)


def _check_rule(graded: Grade, rule: str) -> None:
    """Refuse a rule that neither doubts nor was broken; a slip of the pen must not become a label that counts for nothing."""
    known = sorted({*(doubt.rule for doubt in graded.doubts), *(violation.rule for violation in graded.violations)})
    if rule and rule not in known:
        doubts = f"known: {', '.join(known)}." if known else "no rule doubts here; leave --rule out."
        raise UsageError(f"{graded.task}#{graded.trial} has no doubt of a rule {rule!r}; {doubts}{did_you_mean(rule, known)}")


def _trace(file: RunFile, task: str, trial: int, withheld: Collection[str]) -> Trace:
    present = sorted((header.task, header.trial) for header in file.headers())
    if (task, trial) in present:
        return file.read(task, trial)
    trials = [str(number) for name, number in present if name == task]
    if not trials:
        hints = {name for name, _ in present if name not in withheld}
        raise UsageError(f"{file.path} has no trial of a task {task!r}.{did_you_mean(task, hints)}")
    raise UsageError(f"{file.path} has no trial {trial} of {task!r}; it has {listed(trials, 20)}")
