"""The tasks of a comparison, section by section: gained without a required step, lost, gained, and the steps that stopped running."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace

from seatrial.base.wording import count, listed
from seatrial.records.comparison import Comparison, LostStep, PairedTask
from seatrial.report._grid import Grid, Section
from seatrial.report._plain import clipped, plain

NAMED_TASKS = 8
"""Tasks that a list names in text; HTML and JSON have more, or all."""
NAMED_IDS = 10
"""Tasks that a sentence names."""
_NAMED_GAINS = 5
_COMMANDS = 1


def shortcuts(found: Comparison, *, brief: bool = False) -> Section | None:
    """Return the gains that must not be believed, which stand above everything else; `None`: there are none.

    Args:
        found: The comparison.
        brief: Whether the commands are left to the next step.
    """
    if not found.shortcuts:
        return None
    rows = tuple((*_names(task), _outcomes(task), _wrong(task), _step(task.lost_steps)) for task in found.shortcuts[:NAMED_TASKS])
    header = ("task", "kind", "outcome", "wrong reason", "required step that stopped running")
    told = "More right answers than before, and not by the allowed path: a gain that must not be believed."
    lines = (told, *_common_slices(found.shortcuts), *_more(found.shortcuts))
    shown = () if brief else tuple(show_commands(found, found.shortcuts))
    return Section("Gained without a required step", Grid(header, rows, left=5, wide=4), lines, shown)


def _common_slices(tasks: Sequence[PairedTask]) -> Iterator[str]:
    """Yield which slices all of the tasks are in: a shortcut that keeps to one kind of case is no accident."""
    common = sorted(set.intersection(*(set(task.slices.items()) for task in tasks)))
    if common:
        names = ", ".join(plain(f"{name}={value}") for name, value in common)
        yield f"{'It is' if len(tasks) == 1 else 'All are'} of {names}."


def moved_tasks(found: Comparison, *, brief: bool) -> Iterator[Section]:
    """Yield the required steps that stopped running, and the tasks that moved.

    Args:
        found: The comparison.
        brief: Whether to leave out what is still wrong on tasks that gained, and the commands that stand behind the next step.
    """
    steps = _stopped(found.listed)
    if steps is not None:
        yield steps
    if found.lost:
        yield _moved("Lost", found.lost, NAMED_TASKS, () if brief else tuple(show_commands(found, found.lost)))
    if found.gained:
        read = brief and bool(found.lost or found.shortcuts)
        part = _moved(
            "Gained", found.gained, _NAMED_GAINS if brief else NAMED_TASKS, () if read else tuple(show_commands(found, found.gained))
        )
        yield _without_last(part) if brief else part
    away = [task for task in found.moved_away if task not in found.lost]
    if away:
        names = listed([f"{plain(task.task)} {_wrong(task)}" for task in away], NAMED_IDS)
        yield Section("Right for the wrong reason more often than before", None, (f"In trials: {names}.",))


def _moved(title: str, tasks: Sequence[PairedTask], most: int, shown: tuple[str, ...]) -> Section:
    """Return a list of tasks that moved."""
    grid = Grid(("task", "kind", "strict", "outcome", "wrong reason", "now"), tuple(map(task_row, tasks[:most])), left=6, wide=5)
    return Section(f"{title}: {count(len(tasks), 'task')}{f', the first {most}' if len(tasks) > most else ''}", grid, (), shown)


def _without_last(part: Section) -> Section:
    """Return a list of tasks without what is wrong now."""
    grid = part.grid and Grid(part.grid.header[:-1], tuple(row[:-1] for row in part.grid.rows), left=5)
    return replace(part, grid=grid)


def _stopped(tasks: Sequence[PairedTask]) -> Section | None:
    """Return the required steps that stopped running, each with its tasks; `None`: there are none."""
    groups: dict[tuple[str, str], list[tuple[PairedTask, LostStep]]] = {}
    for task in tasks:
        for step in task.lost_steps:
            groups.setdefault((step.requirement, step.call), []).append((task, step))
    rows = tuple(_stopped_row(*key, members) for key, members in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])))
    header = ("required step", "call", "tasks", "never ran, trials", "right outcomes")
    return Section("Required steps that stopped running", Grid(header, rows, left=2)) if rows else None


def _stopped_row(requirement: str, call: str, members: Sequence[tuple[PairedTask, LostStep]]) -> tuple[str, ...]:
    """Return the row of one required step."""
    never = f"{sum(step.before for _, step in members):,} → {sum(step.after for _, step in members):,}"
    right = f"{sum(task.before.outcome_passed for task, _ in members):,} → {sum(task.after.outcome_passed for task, _ in members):,}"
    return plain(requirement), plain(call), f"{len(members):,}", never, right


def task_row(task: PairedTask) -> tuple[str, ...]:
    """Return the row of one task: its name, kind, strict, outcome, right for the wrong reason, and what is wrong now.

    Args:
        task: A shared task that moved.
    """
    before, after = task.before, task.after
    strict = f"{before.passed}/{before.scored} → {after.passed}/{after.scored}"
    why = _step(task.lost_steps) or clipped(after.reason if after.passed < after.scored else "", 60)
    return (*_names(task), strict, _outcomes(task), _wrong(task), why)


def _names(task: PairedTask) -> tuple[str, str]:
    return plain(task.task), f"{task.kind}{', critical' if task.critical else ''}"


def _outcomes(task: PairedTask) -> str:
    before, after = task.before, task.after
    return f"{before.outcome_passed}/{before.outcome_scored} → {after.outcome_passed}/{after.outcome_scored}"


def _wrong(task: PairedTask) -> str:
    return f"{task.before.wrong_reason} → {task.after.wrong_reason}"


def _step(steps: Sequence[LostStep]) -> str:
    """Return the required steps that stopped running, with the trials in which they never ran."""
    return "; ".join(f"{plain(one.requirement)} never ran: {one.before} → {one.after}" for one in steps[:2])


def _more(tasks: Sequence[PairedTask]) -> tuple[str, ...]:
    hidden = len(tasks) - NAMED_TASKS
    return (f"and {count(hidden, 'more task')}.",) if hidden > 0 else ()


def show_commands(found: Comparison, tasks: Sequence[PairedTask]) -> Iterator[str]:
    """Yield the commands that show the first tasks on both sides; those of a withheld task would lead nowhere.

    Args:
        found: The comparison, with the paths of its runs.
        tasks: The tasks.
    """
    readable = [task for task in tasks if task.split != "holdout"]
    for task in readable[:_COMMANDS]:
        for mark, trial in zip((found.baseline, found.candidate), task.show, strict=True):
            if mark.run and trial is not None:
                yield f"seatrial show {shlex.quote(plain(mark.run))} {shlex.quote(plain(task.task))} --trial {trial}"
