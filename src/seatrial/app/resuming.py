"""Open the run file of a call: made when there is none, else resumed; its plan only ever grows.

A run file holds one candidate on one suite under one seed. A later call may ask for other tasks or other numbers of trials: then
the plan becomes what all calls together asked for, and the call runs what it asks for itself and is not finished.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import structs

from seatrial.app.preparing import CandidateRun
from seatrial.base.errors import RunFileError, UsageError
from seatrial.records.holdout import HoldoutNote
from seatrial.records.manifest import Manifest, PlannedTask
from seatrial.records.task import Task
from seatrial.store import RunFile


def finished_in(run: CandidateRun) -> set[tuple[str, int]]:
    """Return the finished trials in a candidate's run file, without changing it.

    Args:
        run: The run of a candidate.

    Raises:
        UsageError: The file holds another run.
        RunFileError: It cannot be read.
    """
    if not run.path.exists():
        return set()
    with RunFile.open(run.path) as file:
        check_same(file.manifest, run)
        return file.finished()


def open_run(run: CandidateRun, tasks: Mapping[str, Task], order: Sequence[str]) -> None:
    """Open a candidate's run file for writing and learn what need not be run.

    Args:
        run: The run of a candidate.
        tasks: Id → task, of the tasks that this call asks for, as they are stored.
        order: Ids of all tasks of the suite in its order.

    Raises:
        UsageError: The file holds another run.
        RunFileError: It cannot be made, read or written.
    """
    if not run.path.exists():
        _make_folder(run.path)
        run.file = RunFile.create(run.path, run.manifest, tasks.values())
        return
    run.file = RunFile.open(run.path, write=True)
    check_same(run.file.manifest, run)
    _widen(run.file, run.manifest, tasks, order)
    run.finished = run.file.finished()
    run.unknown = {(one.task, one.trial) for one in run.file.headers() if one.status.unknown}


def check_same(stored: Manifest, run: CandidateRun) -> None:
    """Refuse to mix two runs in one file.

    Args:
        stored: What the file was made of.
        run: The run that would write to it.

    Raises:
        UsageError: Suite, candidate, seed, world, holdout or redaction key differ.
    """
    now = run.manifest
    pairs: Mapping[str, tuple[object, object]] = {
        "the suite": ((stored.suite, stored.suite_hash), (now.suite, now.suite_hash)),
        "the candidate": (stored.candidate.hash, now.candidate.hash),
        "the seed": (stored.seed, now.seed),
        "the world": (stored.world, now.world),
        "the holdout": _both(stored.holdout, now.holdout),
    }
    changed = [name for name, (before, after) in pairs.items() if before != after]
    if changed:
        raise UsageError(f"{run.path} holds another run: {', '.join(changed)} changed. Give another file with -o, or move this one away")
    if stored.redaction != now.redaction:
        raise UsageError(
            f"{run.path} was redacted with another key (fingerprint {stored.redaction or 'none'}, now {now.redaction or 'none'}), so "
            "that equal values would have two pseudonyms. Set SEATRIAL_REDACTION_KEY to the key of that run, or give another file with -o"
        )


def _both(stored: HoldoutNote | None, now: HoldoutNote | None) -> tuple[object, object]:
    """Return the hashes of two holdouts; a call that is given none, or the first to be given one, changes none."""
    return (stored.hash, now.hash) if stored is not None and now is not None else ("", "")


def widened(stored: Manifest, now: Manifest, order: Sequence[str]) -> Manifest:
    """Return a stored manifest whose plan holds what all calls together asked for.

    Args:
        stored: The manifest in the file.
        now: The manifest of this call.
        order: Ids of all tasks of the suite in its order.
    """
    plan = {one.task: one for one in stored.plan}
    for one in now.plan:
        before = plan.get(one.task)
        plan[one.task] = one if before is None else PlannedTask(one.task, before.contract, max(one.trials, before.trials))
    # Without its holdout nobody knows which of its tasks are missing: a part of it stays one.
    known = now.holdout is not None or stored.holdout is None
    lacks = set(order) - set(plan) if known else stored.partial
    partial = "; ".join(dict.fromkeys(filter(None, (stored.partial, now.partial)))) if lacks else ""
    place = {task: position for position, task in enumerate(order)}
    plan_now = tuple(sorted(plan.values(), key=lambda one: place.get(one.task, len(place))))
    return structs.replace(stored, plan=plan_now, partial=partial, canaries=_canaries(stored, now), holdout=_holdout(stored, now))


def _canaries(stored: Manifest, now: Manifest) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*stored.canaries, *now.canaries)))


def _holdout(stored: Manifest, now: Manifest) -> HoldoutNote | None:
    """Return the note of a holdout that one of the calls was given; a later call without it takes nothing away."""
    if stored.holdout is None or now.holdout is None:
        return stored.holdout or now.holdout
    return HoldoutNote(stored.holdout.hash, tuple(sorted({*stored.holdout.tasks, *now.holdout.tasks})))


def _widen(file: RunFile, now: Manifest, tasks: Mapping[str, Task], order: Sequence[str]) -> None:
    wider = widened(file.manifest, now, order)
    if wider != file.manifest:
        file.replan(wider, tasks.values())


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunFileError(
            f"{path}: its folder cannot be made ({error.strerror}). Make the folder above it writable, or give another with -o"
        ) from error
