"""The life of a suite: what its runs say of its tasks, and moving what is solved over to regression."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs

from seatrial.app.loading import LoadedSuite, load
from seatrial.app.redacting import redacted_task, redactor_for
from seatrial.app.reference import with_references
from seatrial.app.reporting import summary_of
from seatrial.app.withholding import aliases_of
from seatrial.base.clock import Clock, SystemClock
from seatrial.base.errors import RecordError, UsageError
from seatrial.base.wording import listed
from seatrial.compare.lifecycle import LAST, suite_status
from seatrial.records.lifecycle import SATURATED, SuiteStatus, SuiteTask, TaskStanding, Version
from seatrial.records.summary import RunSummary
from seatrial.suite.editing import edit_tasks
from seatrial.suite.kind_edit import KindEdit

SUFFIX = ".seatrial"
"""End of the names of run files that are looked for in a folder."""
_SHOWN = 6


@dataclass(frozen=True)
class Runs:
    """Which runs are looked at.

    Args:
        paths: Run files.
        folder: A folder whose run files are looked at too; `None`: none.
    """

    paths: Sequence[Path] = ()
    folder: Path | None = None


@dataclass(frozen=True)
class Graduated:
    """Tasks that went over to regression, or would.

    Args:
        tasks: Names of the tasks, those of a holdout under another one.
        files: The files that changed, or would.
        status: What the runs said before.
        written: Whether the files were written.
    """

    tasks: tuple[str, ...]
    files: tuple[str, ...]
    status: SuiteStatus
    written: bool


def status(suite: Path, runs: Runs, *, last: int = LAST, holdout: Path | None = None) -> SuiteStatus:
    """Return what the runs of a suite say of its tasks.

    Args:
        suite: The suite's folder.
        runs: The runs.
        last: How many of the last versions must have passed a task before it is called solved.
        holdout: Folder of the suite's holdout, when it lies apart; `None`: not looked at.

    Raises:
        UsageError: There is no run.
        SuiteError: The suite does not load.
        RunFileError: A run that was named cannot be read.
    """
    return _status(load(suite, holdout=holdout), runs, last)


def graduate(suite: Path, runs: Runs, *, last: int = LAST, by: str = "", dry_run: bool = False, clock: Clock | None = None) -> Graduated:
    """Make regression tasks of the capability tasks that each of the last versions passed in every trial.

    The files are edited in place, and the history of each task says when, by whom and on the strength of which versions.

    Args:
        suite: The suite's folder.
        runs: The runs.
        last: How many of the last versions must have passed a task.
        by: Who moves them; empty: not said.
        dry_run: Whether nothing is written.
        clock: Says when; `None`: the machine's.

    Raises:
        UsageError: There is no run.
        SuiteError: The suite does not load, or a file cannot be edited; no file is changed.
        RunFileError: A run that was named cannot be read.
    """
    loaded = load(suite)
    found = _status(loaded, runs, last)
    ids = {name: task for task, name in _names(loaded).items()}
    today = (clock or SystemClock()).now()[:10]
    solved = found.of("capability", *SATURATED)
    edits = {ids[task.task]: KindEdit("regression", _note(task, found.versions[:last], today, by)) for task in solved}
    files = edit_tasks(suite, edits, dry_run=dry_run)
    return Graduated(tuple(task.task for task in solved), tuple(map(str, files)), found, written=bool(files) and not dry_run)


def _status(loaded: LoadedSuite, runs: Runs, last: int) -> SuiteStatus:
    summaries, unread = _summaries(runs)
    found = suite_status(loaded.suite.name, _tasks(loaded), summaries, last=last)
    return structs.replace(found, left_out=(*found.left_out, *unread))


def _summaries(runs: Runs) -> tuple[list[RunSummary], list[str]]:
    """Return the summaries of runs, and which of a folder's files cannot be read."""
    named = {path.resolve(): path for path in runs.paths}
    inside = [] if runs.folder is None else sorted(path for path in runs.folder.iterdir() if path.suffix == SUFFIX and path.is_file())
    summaries, unread = [summary_of(path) for path in named.values()], list[str]()
    for path in (path for path in inside if path.resolve() not in named):
        try:
            summaries.append(summary_of(path))
        except RecordError as error:
            unread.append(f"{path.name} cannot be read: {error}")
    if not summaries:
        where = f"{runs.folder} holds no run file (*{SUFFIX}) that can be read" if runs.folder is not None else "no run was given"
        raise UsageError(f"{where}; give --run RUN or --runs FOLDER")
    return summaries, unread


def _tasks(loaded: LoadedSuite) -> list[SuiteTask]:
    """Return the tasks as they are now, each with the hash that a run made now would store."""
    redactor, names = redactor_for(loaded), _names(loaded)
    planned = (redacted_task(task, redactor) for task in with_references(loaded, loaded.suite.tasks))
    return [SuiteTask(names[task.id], task.kind, task.split, task.contract_hash) for task in planned]


def _names(loaded: LoadedSuite) -> Mapping[str, str]:
    """Return the id of each task → the name that it may be shown under."""
    tasks = loaded.suite.tasks
    return {task.id: task.id for task in tasks} | aliases_of(tasks)


def _note(task: TaskStanding, versions: Sequence[Version], today: str, by: str) -> str:
    named = list(_named(versions))
    who = f" by {by}" if by else ""
    last = "the last version" if len(versions) == 1 else f"the last {len(versions):,} versions"
    passed = f"passed every trial of {last}"
    return f"{today}: capability to regression{who}: {passed}: {listed(named, _SHOWN)} ({task.passed} of {task.scored} trials in all)"


def _named(versions: Sequence[Version]) -> Iterator[str]:
    for version in versions:
        yield " ".join(filter(None, (version.candidate, version.version, version.hash[:8])))
