"""Judge a stored run again, without the world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import structs

from seatrial.app.disclosure import opened, withholding_for
from seatrial.app.judging import Judge
from seatrial.app.loading import LoadedSuite
from seatrial.app.recorded import ruled, tools_of
from seatrial.app.redacting import redacted_task, redacted_tools, redactor_for
from seatrial.app.reference import with_references
from seatrial.app.reporting import labels_by_trial
from seatrial.app.withholding import Withholding
from seatrial.base.errors import RunFileError, UsageError
from seatrial.grade.labels import reviewed
from seatrial.records.grade import Grade
from seatrial.records.label import Label, LabelNote
from seatrial.records.task import Task
from seatrial.records.trace import Trace
from seatrial.store import Damage, RunFile


@dataclass(frozen=True)
class Regraded:
    """What a regrade changed.

    Args:
        trials: Trials graded.
        changed: `task#trial: before → after` for every trial whose strict verdict changed.
        left_out: Stored tasks that the given suite does not have; they keep their grades.
        discarded: Damaged trials that were taken out; running again on the same file repeats them.
        outdated: Labels that count no more, one sentence each: the trial ran again, or is in doubt about something else now.
        counting: Labels that did not count and do again, one sentence each: the rules doubt again what they speak of.
    """

    trials: int
    changed: tuple[str, ...]
    left_out: tuple[str, ...]
    discarded: tuple[Damage, ...] = ()
    outdated: tuple[str, ...] = ()
    counting: tuple[str, ...] = ()


@dataclass
class _Regrading:
    """The grades of one regrade, made one by one while they are stored."""

    file: RunFile
    judge: Judge
    withholding: Withholding
    before: Mapping[tuple[str, int], str]
    labels: Mapping[tuple[str, int], Sequence[Label]]
    labelled: Mapping[tuple[str, int], Grade]
    changed: list[str] = field(default_factory=list)
    outdated: list[str] = field(default_factory=list)
    counting: list[str] = field(default_factory=list)
    trials: int = 0

    def grades(self) -> Iterator[Grade]:
        """Yield the grade of every trace whose task is judged."""
        for trace in self.file.traces():
            if trace.identity.task in self.judge.tasks:
                grade = self.judge.grade(trace)
                self.trials += 1
                self._compare(grade)
                self._look_at_labels(grade, trace)
                yield grade

    def _compare(self, grade: Grade) -> None:
        before = self.before.get((grade.task, grade.trial), grade.strict)
        if before != grade.strict:
            self.changed.append(f"{self.withholding.named(grade.task)}#{grade.trial}: {before} → {grade.strict}")

    def _look_at_labels(self, grade: Grade, trace: Trace) -> None:
        key = (grade.task, grade.trial)
        labels = self.labels.get(key, ())
        earlier = _notes(self.labelled.get(key, grade), trace, labels)
        for note, old in zip(_notes(grade, trace, labels), earlier, strict=True):
            named = f"{self.withholding.named(grade.task)}#{grade.trial}: {note.by} ({note.verdict})"
            if note.standing in _OUTDATED:
                self.outdated.append(f"{named}: {_OUTDATED[note.standing]}")
            elif note.standing == "counts" and old.standing != "counts":
                self.counting.append(f"{named}: the rules doubt it again")


def _notes(grade: Grade, trace: Trace, labels: Sequence[Label]) -> tuple[LabelNote, ...]:
    """Return what labels are worth beside a grade, in the order in which they were given."""
    review = reviewed(grade, trace, labels).review
    return review.labels if review is not None else ()


_OUTDATED = {"other trace": "the trial ran again since", "other doubt": "the rules doubt something else now"}
"""Standing of a label → why it counts no more."""


def regrade(path: Path, *, loaded: LoadedSuite | None = None, discard_damaged: bool = False, reveal: bool = False) -> Regraded:
    """Grade every trace of a run again and store the grades: reports then show them.

    Without the suite what its own normalisers made of values is remembered in the file; its own invariants are not, so that a task that
    names one has its safety undetermined.

    Args:
        path: The run file.
        loaded: A suite whose contracts and tools judge instead of the stored ones; `None`: the stored ones, and nothing but the
            file is needed.
        discard_damaged: Whether trials that cannot be read are taken out first, so that the others can be graded.
        reveal: Whether tasks of the holdout are named in what comes back.

    Raises:
        RunFileError: The file cannot be read or written.
        UsageError: The run was redacted with another key than this one, so that the suite's contracts cannot judge it; or the suite has
            no task, and the run is no recording.
    """
    with opened(path, reveal=reveal, write=True) as file:
        discarded = file.discard_damaged() if discard_damaged else ()
        judge = Judge.of_run(file) if loaded is None else _judge_of_suite(file, loaded)
        labels, before = labels_by_trial(file), {(one.task, one.trial): one.strict for one in _earlier(file)}
        labelled = {(one.task, one.trial): one for one in _earlier(file) if (one.task, one.trial) in labels} if labels else {}
        withholding = withholding_for(file, reveal=reveal)
        regrading = _Regrading(file, judge, withholding, before, labels, labelled)
        file.put_grades(regrading.grades())
        if loaded is not None and loaded.definition.hash == file.manifest.world:
            _remember(file, judge)
        _note_the_judge(file, loaded)
        left_out = tuple(sorted(map(withholding.named, set(file.tasks()) - set(judge.tasks))))
        discarded = tuple(structs.replace(damage, task=withholding.named(damage.task)) for damage in discarded)
        return Regraded(
            regrading.trials, tuple(regrading.changed), left_out, discarded, tuple(regrading.outdated), tuple(regrading.counting)
        )


def _earlier(file: RunFile) -> Iterator[Grade]:
    """Yield the grades that are stored; a damaged one is passed over, for to grade again is what mends it."""
    for header in file.headers():
        with suppress(RunFileError):
            found = file.grade(header.task, header.trial)
            if found is not None:
                yield found


def _remember(file: RunFile, judge: Judge) -> None:
    """Keep what the suite's own normalisers made of values, so that the next regrade needs no suite."""
    judge.forms.learn(file.manifest.normal_forms)
    if len(judge.forms) > len(file.manifest.normal_forms):
        file.replan(structs.replace(file.manifest, normal_forms=judge.forms.all()), ())


def _note_the_judge(file: RunFile, loaded: LoadedSuite | None) -> None:
    """Keep in the file, for every report, that another suite judged than the one the run was made with; or that it does no more."""
    manifest = file.manifest
    notes = [note for note in manifest.notes if not note.startswith(_ANOTHER)]
    if loaded is not None and (loaded.suite.hash, loaded.definition.hash) != (manifest.suite_hash, manifest.world):
        suite = loaded.suite
        named = f"{suite.name} {suite.version}".strip()
        told = f"{_ANOTHER} {named} ({suite.hash[:12]}), whose tasks or rules are not those that the run was made with."
        notes.append(" ".join((told, *(one.note for one in suite.exceptions))))
    if tuple(notes) != manifest.notes:
        file.replan(structs.replace(manifest, notes=tuple(notes)), ())


_ANOTHER = "Judged again by the suite"
"""How the note begins that says that another suite judged."""


def _judge_of_suite(file: RunFile, loaded: LoadedSuite) -> Judge:
    redactor = redactor_for(loaded)
    if file.manifest.redaction != (redactor.fingerprint if redactor else ""):
        raise UsageError(f"{file.path} was redacted with another key, or by other rules, than this suite would be now; it cannot judge it")
    stored = file.tasks()
    if not loaded.suite.tasks:
        return _judge_of_recording(file, loaded, stored)
    tasks = with_references(loaded, (one for one in loaded.suite.tasks if one.id in stored))
    redacted = {task.id: redacted_task(task, redactor) for task in tasks}
    return Judge.of_suite(loaded, redacted, tools=redacted_tools(loaded.tools, redactor), documents=file.manifest.documents)


def _judge_of_recording(file: RunFile, loaded: LoadedSuite, stored: Mapping[str, Task]) -> Judge:
    """Return the judge of a suite that has no task of its own: the recorded tasks under the suite's rules, as they are today."""
    if file.manifest.source == "run":
        raise UsageError(f"the suite {loaded.suite.name!r} has no task, and {file.path} is no recording that brings its own")
    documents = file.manifest.documents
    tasks = {task.id: task for task in ruled(loaded, stored.values(), documents)}
    return Judge.of_suite(loaded, tasks, tools=tools_of(loaded, file.manifest.tools), documents=documents)
