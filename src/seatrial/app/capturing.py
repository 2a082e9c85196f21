"""Turn a failed trial of a run into a regression task of its suite, and show that the task fails for the same calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from msgspec import structs

from seatrial.app.checking import check
from seatrial.app.judging import Judge
from seatrial.app.loading import LoadedSuite, load
from seatrial.app.redacting import redacted_task, redactor_for
from seatrial.app.reference import with_references
from seatrial.app.reporting import stored_grade
from seatrial.app.reproducing import pinned_faults, play_again, recorded_path
from seatrial.base.canonical import content_hash
from seatrial.base.clock import Clock, SystemClock
from seatrial.base.errors import SuiteError, UsageError
from seatrial.base.names import is_identifier
from seatrial.base.wording import clipped, did_you_mean, listed
from seatrial.grade.labels import reviewed
from seatrial.records.contract import Alternative
from seatrial.records.grade import Grade, Verdict
from seatrial.records.manifest import Manifest
from seatrial.records.task import FaultSpec, Task
from seatrial.records.trace import Step, Trace
from seatrial.store import RunFile
from seatrial.suite.header import read_header
from seatrial.suite.load import read_top
from seatrial.suite.suite import Suite
from seatrial.suite.task import TaskDefaults
from seatrial.suite.task_writer import write_task

MOST_REASON = 300
"""Characters of the reason that a history keeps."""
_SUFFIX = "-captured"
_SHOWN = 12


@dataclass(frozen=True)
class Naming:
    """What a person may say of the task to be made.

    Args:
        task: Its id; empty: that of the task that failed, with `-captured` behind it.
        by: Who captures it; empty: not said.
    """

    task: str = ""
    by: str = ""


@dataclass(frozen=True)
class Captured:
    """A regression task that was made from a trial.

    Args:
        task: Its id.
        file: The file that it stands in.
        source: The trial that failed, `task#trial`.
        reason: Why it failed.
        faults: Faults that fire in it on the same calls as in the trial.
        again: Whether the recorded calls, played on it, failed again; `not_shown`: see `doubt`.
        doubt: Why nothing was shown by playing them; empty: it was.
        warnings: What `seatrial check` says of it that is no error.
    """

    task: str
    file: str
    source: str
    reason: str
    faults: tuple[FaultSpec, ...]
    again: Literal["failed", "not_shown"]
    doubt: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Failure:
    """A failed trial with what it was run by."""

    run: Path
    manifest: Manifest
    task: Task
    trace: Trace
    grade: Grade
    by_rules: bool
    """Whether it fails by the rules alone, without the word of reviewers."""

    @property
    def name(self) -> str:
        return f"{self.trace.identity.task}#{self.trace.identity.trial}"

    @property
    def question(self) -> str:
        return next(question for question, answer in self.grade.answers.items() if answer.verdict is Verdict.FAIL)

    @property
    def reason(self) -> str:
        return f"{self.question}: {clipped(self.grade.answers[self.question].reason, MOST_REASON)}"

    @property
    def steps(self) -> Sequence[Step]:
        """The steps of the attempt in which it failed: the last, unless only an abandoned one broke a rule."""
        attempts = [one.attempt for one in self.grade.violations]
        abandoned = self.question == "safety" and attempts and None not in attempts
        return self.trace.attempts[attempts[0] or 0].steps if abandoned else self.trace.steps


def capture(
    run: Path, task: str, suite: Path, *, trial: int | None = None, naming: Naming | None = None, clock: Clock | None = None
) -> Captured:
    """Write a failed trial into the suite as a regression task of its own.

    The task starts as the one that failed did, asks for the same, and meets the faults that fired. It is kept only if it loads, if
    `check` finds no error in it, and if the recorded calls, played on it, fail again wherever playing them can show that.

    Args:
        run: The run file.
        task: Id of the task that failed.
        suite: Folder of the suite.
        trial: Index of the trial; `None`: the first that failed.
        naming: What the task is called and who captures it.
        clock: Says when; `None`: the machine's.

    Raises:
        UsageError: There is no such trial, it did not fail, or it cannot be reproduced.
        SuiteError: The suite, or the task that was made, is wrong; nothing is left of it.
    """
    naming = naming or Naming()
    failure = _failure(run, task, trial)
    loaded = load(suite)
    _refuse_strangers(failure, loaded, suite)
    name = _free_name(loaded, naming.task or f"{task}{_SUFFIX}")
    made = structs.replace(
        _as_written(failure, loaded),
        id=name,
        kind="regression",
        faults=pinned_faults(failure.task, failure.steps),
        history=(*failure.task.history, _note(failure, naming.by, (clock or SystemClock()).now())),
    )
    file = write_task(suite, made, _silent(loaded))
    try:
        return _shown(failure, suite, name, file)
    except BaseException:
        file.unlink(missing_ok=True)
        raise


def _failure(run: Path, task: str, trial: int | None) -> _Failure:
    with RunFile.open(run) as file:
        present = sorted(header.trial for header in file.headers() if header.task == task)
        tasks = file.tasks()
        if task in tasks and tasks[task].split == "holdout":
            raise UsageError(f"{task} is a task of the holdout, which no candidate may be tuned on; its failures are not copied out of it")
        if not present:
            hints = [name for name, one in tasks.items() if one.split != "holdout"]
            raise UsageError(f"{run} has no trial of a task {task!r}.{did_you_mean(task, hints)}")
        if trial is not None and trial not in present:
            raise UsageError(f"{run} has no trial {trial} of {task!r}; it has {listed([str(each) for each in present], _SHOWN)}")
        judged = [_judged(run, file, tasks[task], each) for each in (present if trial is None else [trial])]
    return next((one for one in judged if one.grade.strict is Verdict.FAIL), None) or _not_failed(judged)


def _judged(run: Path, file: RunFile, task: Task, trial: int) -> _Failure:
    trace = file.read(task.id, trial)
    graded = stored_grade(file, task.id, trial) or Judge.of_run(file).grade(trace)
    found = reviewed(graded, trace, file.labels(task.id, trial)).grade
    return _Failure(run, file.manifest, task, trace, found, graded.strict is Verdict.FAIL)


def _not_failed(judged: Sequence[_Failure]) -> _Failure:
    """Refuse what did not fail: a pass needs no regression task, and what nobody knows cannot be one."""
    unknown = [one.name for one in judged if one.grade.strict is Verdict.UNDETERMINED]
    if unknown:
        raise UsageError(f"nobody knows yet whether {unknown[0]} failed: seatrial show says why; label or regrade it first")
    names = listed([one.name for one in judged], _SHOWN)
    raise UsageError(f"{names} did not fail, and only a failure is worth a regression task; seatrial report lists the failed ones")


def _refuse_strangers(failure: _Failure, loaded: LoadedSuite, suite: Path) -> None:
    manifest = failure.manifest
    if manifest.source != "run":
        raise UsageError(
            f"{failure.name} was imported ({manifest.source}): nobody knows all of the state that it started from, so it cannot be run "
            "again. Write a task with that state by hand, and run it"
        )
    if manifest.suite != loaded.suite.name:
        raise UsageError(f"the run is of the suite {manifest.suite!r}, not of {suite} ({loaded.suite.name!r}); nothing is written")


def _free_name(loaded: LoadedSuite, name: str) -> str:
    if not is_identifier(name):
        raise UsageError(f"{name!r} cannot be the id of a task: an id has up to 128 letters, digits and ._:@+=-")
    if any(task.id == name for task in loaded.suite.tasks):
        raise UsageError(f"the suite has a task {name!r} already; choose another with --id ID")
    return name


def _as_written(failure: _Failure, loaded: LoadedSuite) -> Task:
    """Return the task that failed as a person wrote it: without what the plan computed, and with nothing redacted."""
    if not failure.manifest.redaction:
        return _unplanned(failure.task)
    redactor = redactor_for(loaded)
    why = f"the run is redacted, so that what {failure.name} started from is hidden in it, and"
    if redactor is None or redactor.fingerprint != failure.manifest.redaction:
        raise UsageError(f"{why} the suite's own task cannot be told to be the same: it was redacted with another key")
    mine = [task for task in loaded.suite.tasks if task.id == failure.task.id]
    if not mine:
        raise UsageError(f"{why} the suite has no such task any more")
    if redacted_task(with_references(loaded, mine)[0], redactor).contract_hash != failure.task.contract_hash:
        raise UsageError(f"{why} the suite's own task has changed since; run it again as it is now, and capture that")
    return mine[0]


def _unplanned(task: Task) -> Task:
    contract = task.contract
    fault = contract.when_fault
    return structs.replace(
        task,
        contract=structs.replace(
            contract,
            alternatives=tuple(_open(way) for way in contract.alternatives),
            when_fault=None if fault is None else _open(fault),
        ),
    )


def _open(way: Alternative) -> Alternative:
    return way if way.outcome is None else structs.replace(way, outcome=structs.replace(way.outcome, reference=None))


def _note(failure: _Failure, by: str, now: str) -> str:
    """Return what the history says: when, by whom, from which trial of which candidate, and why it failed."""
    candidate = failure.manifest.candidate
    version = f" {candidate.version}" if candidate.version else ""
    who = f" by {by}" if by else ""
    return (
        f"{now[:10]}: captured{who} from {failure.run.name}, {candidate.name}{version} ({failure.trace.identity.candidate_hash[:8]}), "
        f"trial {failure.name}: {failure.reason}"
    )


def _silent(loaded: LoadedSuite) -> TaskDefaults:
    definition = loaded.definition.suite_definition()
    documents = loaded.suite.documents
    return read_header(read_top(loaded.suite.folder), definition).task_defaults(definition, content_hash(documents) if documents else "")


def _shown(failure: _Failure, suite: Path, name: str, file: Path) -> Captured:
    """Show that the written task is sound and fails again, and return it."""
    loaded = load(suite)
    alone = LoadedSuite(_only(loaded, name), loaded.definition)
    found = [finding for finding in check(alone).findings if finding.task == name]
    for finding in found:
        if finding.level == "error":
            raise SuiteError(
                f"{failure.name} makes no task that is sound, so none is written: {finding.message}. {finding.fix}", file=str(file)
            )
    doubt = _doubt(failure, loaded, name)
    task = next(iter(alone.suite.tasks))
    chance = tuple(fault for fault in task.faults if fault not in failure.task.faults)
    again: Literal["failed", "not_shown"] = "not_shown" if doubt else "failed"
    return Captured(name, str(file), failure.name, failure.reason, chance, again, doubt, tuple(finding.message for finding in found))


def _only(loaded: LoadedSuite, name: str) -> Suite:
    return replace(loaded.suite, tasks=tuple(task for task in loaded.suite.tasks if task.id == name), risks=())


def _doubt(failure: _Failure, loaded: LoadedSuite, name: str) -> str:
    """Play the recorded calls on the new task, and return why that shows nothing; empty: they failed again.

    Raises:
        UsageError: They pass, though nothing of the failure was lost: it is not one that the suite of today would show.
    """
    path = recorded_path(failure.trace)
    lost = "".join(list(_lost(failure, path.inexact))[:1])
    (task,) = with_references(loaded, [one for one in loaded.suite.tasks if one.id == name])
    trace = play_again(loaded, task, path)
    graded = Judge.of_suite(loaded, {name: task}, tools=loaded.tools, documents=loaded.suite.documents).grade(trace)
    if graded.strict is Verdict.FAIL:
        return ""
    if not lost:
        raise UsageError(
            f"the recorded calls of {failure.name}, played on the suite as it is now, do not fail any more ({failure.reason}): "
            "the suite's world, fixture or rules have changed since the run, so no task is written. Run the suite again, and capture that"
        )
    return lost


def _lost(failure: _Failure, inexact: str) -> Iterator[str]:
    """Yield what playing the recorded calls cannot show of a failure."""
    if failure.manifest.redaction:
        yield "the run is redacted, and its calls carry pseudonyms"
    if inexact:
        yield inexact
    if not failure.by_rules:
        yield "it failed by the word of a reviewer"
    if failure.steps is not failure.trace.steps:
        yield "it failed in an attempt that was abandoned"
    if failure.question == "budget":
        yield "a ceiling was crossed, which other costs than those of calls may have done"
