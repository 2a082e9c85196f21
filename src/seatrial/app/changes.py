"""What changed since an earlier run: which tasks must run again, and which a run may spare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import structs

from seatrial.app.loading import LoadedSuite
from seatrial.app.options import RunOptions
from seatrial.app.preparing import prepare
from seatrial.app.withholding import aliases_of
from seatrial.base.clock import Clock
from seatrial.base.errors import NothingSelected, UsageError
from seatrial.base.wording import count
from seatrial.compare.manifests import manifest_changes
from seatrial.records.changes import ManifestChanges
from seatrial.store import RunFile


@dataclass(frozen=True)
class Sparing:
    """What a run may spare because an earlier one has done it.

    Args:
        changes: What differs from the earlier run.
        unfinished: Tasks that did not change and lack finished trials in the earlier run; they run again.
        spared: Tasks that need not run again.
        planned: Tasks that would run without the earlier run.
    """

    changes: ManifestChanges
    unfinished: tuple[str, ...]
    spared: tuple[str, ...]
    planned: int

    @property
    def lines(self) -> tuple[str, ...]:
        """What is said before the run, one sentence each: every reason, and what is spared."""
        told = [f"{change.part}: {change.why}{_numbered(change.names)}" for change in self.changes.changes if change.reach != "nothing"]
        told += [f"not finished there: {count(len(self.unfinished), 'task')}"] if self.unfinished else []
        if not self.spared:
            return (*told, f"nothing is spared: {self.changes.sentence}" if self.changes.reach == "everything" else "nothing is spared")
        left = self.planned - len(self.spared)
        return (*told, f"{count(len(self.spared), 'task')} spared: only the suite changed, and not in them; {left:,} to run")


def changes_between(before: Path, after: Path) -> ManifestChanges:
    """Return what differs between the manifests of two runs.

    Args:
        before: The earlier run file.
        after: The later one.

    Raises:
        RunFileError: One cannot be read.
    """
    with RunFile.open(before) as old, RunFile.open(after) as new:
        return _named_openly(manifest_changes(old.manifest, new.manifest), old, new)


def sparing(loaded: LoadedSuite, target: str, options: RunOptions, since: Path, *, clock: Clock) -> Sparing:
    """Return what a run may spare because an earlier run of the same candidate has done it.

    A task is spared only if the suite alone changed – candidate, world, tools, documents, seed, redaction and program are the same –, if
    its contract hash is the same, and if all the trials that it would get came to their end there.

    Args:
        loaded: The suite.
        target: What stands behind `--agent`.
        options: How to run.
        since: The earlier run file.
        clock: Says when the run would be made.

    Raises:
        UsageError: The options or the agent do not fit.
        RunFileError: The earlier run cannot be read.
    """
    _, (run,) = prepare(loaded, [target], options, clock=clock)
    with RunFile.open(since) as file:
        changes, finished = manifest_changes(file.manifest, run.manifest), file.finished()
    again = set(changes.rerun)
    lacking = {task for task, _ in run.asked - finished} - again
    planned = [one.task for one in run.manifest.plan]
    spared = tuple(task for task in planned if task not in again and task not in lacking)
    return Sparing(changes, tuple(task for task in planned if task in lacking), spared, len(planned))


def spare(loaded: LoadedSuite, targets: Sequence[str], options: RunOptions, *, clock: Clock) -> tuple[RunOptions, tuple[str, ...]]:
    """Return options that leave out what an earlier run has done, where they name one, and what is to be said of it.

    Args:
        loaded: The suite.
        targets: What stands behind `--agent`: one candidate.
        options: How to run.
        clock: Says when the run would be made.

    Raises:
        UsageError: Several candidates are to run.
        NothingSelected: Everything can be spared.
        RunFileError: The earlier run cannot be read.
    """
    if options.changed_since is None:
        return options, ()
    if len(targets) > 1:
        raise UsageError("--changed-since speaks of one candidate: give one --agent, and run the others apart")
    found = sparing(loaded, targets[0], options, options.changed_since, clock=clock)
    return sparing_options(options, found, options.changed_since), found.lines


def sparing_options(options: RunOptions, found: Sparing, since: Path) -> RunOptions:
    """Return options that run only what cannot be spared; the run's manifest then says that it is partial, and since when.

    Args:
        options: How to run.
        found: What may be spared.
        since: The earlier run file.

    Raises:
        NothingSelected: Everything is spared.
    """
    if not found.spared:
        return options
    if len(found.spared) == found.planned:
        spared = count(found.planned, "task")
        raise NothingSelected(f"nothing changed since {since} that a trial could show: {spared} spared, none to run")
    words = f"--changed-since {since.name} ({count(len(found.spared), 'task')} spared)"
    return replace(options, selection=replace(options.selection, spared=frozenset(found.spared), spared_since=words))


def _numbered(names: tuple[str, ...]) -> str:
    """Return how many tasks, tools or documents it is; their names may be withheld."""
    return f" ({len(names):,})" if names else ""


def _named_openly(changes: ManifestChanges, *files: RunFile) -> ManifestChanges:
    """Return changes in which the tasks of a holdout stand under other names."""
    held = aliases_of(task for file in files for task in file.tasks().values())
    named = tuple(structs.replace(one, names=tuple(held.get(name, name) for name in one.names)) for one in changes.changes)
    return structs.replace(changes, changes=named, rerun=tuple(held.get(task, task) for task in changes.rerun))
