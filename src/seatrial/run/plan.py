"""The plan: which tasks, how many trials of each, in which order."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from seatrial.base.errors import NothingSelected, UsageError
from seatrial.base.wording import did_you_mean
from seatrial.records.task import Task


@dataclass(frozen=True)
class Selection:
    """Which tasks to run. Every filter that is set must hold.

    Args:
        tasks: Task ids or globs; empty: all.
        slices: Slice name → accepted values; empty: all.
        split: `dev` or `holdout`; `None`: both.
        kind: `capability` or `regression`; `None`: both.
        only: Exact task ids, for example those that failed before; `None`: no such filter.
        spared: Exact ids of tasks that need not run.
        spared_since: Why they are spared, in words; empty: none is.
    """

    tasks: tuple[str, ...] = ()
    slices: tuple[tuple[str, str], ...] = ()
    split: str | None = None
    kind: str | None = None
    only: frozenset[str] | None = None
    spared: frozenset[str] = frozenset()
    spared_since: str = ""

    @property
    def text(self) -> str:
        """The filters in words; empty: there are none."""
        parts = [f"--task {pattern}" for pattern in self.tasks]
        parts += [f"--slice {name}={value}" for name, value in self.slices]
        parts += [f"--split {self.split}"] if self.split else []
        parts += [f"--kind {self.kind}"] if self.kind else []
        parts += ["--failed"] if self.only is not None else []
        parts += [self.spared_since] if self.spared_since else []
        return " ".join(parts)


@dataclass(frozen=True)
class PlannedTrial:
    """One trial to run.

    Args:
        task: The task.
        trial: Its index within the task, from 0.
    """

    task: Task
    trial: int


def select(tasks: Sequence[Task], selection: Selection) -> tuple[Task, ...]:
    """Return the tasks that a selection leaves, in the suite's order.

    Args:
        tasks: All tasks of the suite.
        selection: The filters.

    Raises:
        UsageError: A filter names a task, a slice or a value that the suite does not have.
        NothingSelected: The filters together leave nothing.
    """
    _check_names(tasks, selection)
    chosen = tuple(task for task in tasks if _fits(task, selection))
    if not chosen:
        raise NothingSelected(f"no task of {len(tasks)} fits {selection.text or 'the suite, which is empty'}")
    return chosen


def plan_trials(tasks: Sequence[Task], trials_for: Callable[[Task], int], *, seed: int) -> Iterator[PlannedTrial]:
    """Yield the trials: every task's first trial, then every second, tasks shuffled by the seed within each round.

    A run that is cut short has then seen all tasks, and none of them only in a favourable hour.

    Args:
        tasks: The selected tasks.
        trials_for: How many trials a task gets.
        seed: Seed of the run.
    """
    counts = {task.id: trials_for(task) for task in tasks}
    for trial in range(max(counts.values(), default=0)):
        round_tasks = [task for task in tasks if counts[task.id] > trial]
        random.Random(f"{seed}/{trial}").shuffle(round_tasks)  # noqa: S311 - reproducible, not secret
        yield from (PlannedTrial(task, trial) for task in round_tasks)


def _fits(task: Task, selection: Selection) -> bool:
    wanted: dict[str, set[str]] = {}
    for name, value in selection.slices:
        wanted.setdefault(name, set()).add(value)
    return (
        (not selection.tasks or any(fnmatchcase(task.id, pattern) for pattern in selection.tasks))
        and all(task.slices.get(name) in values for name, values in wanted.items())
        and selection.split in (None, task.split)
        and selection.kind in (None, task.kind)
        and (selection.only is None or task.id in selection.only)
        and task.id not in selection.spared
    )


def _check_names(tasks: Sequence[Task], selection: Selection) -> None:
    ids = [task.id for task in tasks]
    for pattern in selection.tasks:
        if not any(fnmatchcase(name, pattern) for name in ids):
            hints = [task.id for task in tasks if task.split != "holdout"]
            raise UsageError(f"no task is named {pattern!r}.{did_you_mean(pattern, hints)}")
    for name, value in selection.slices:
        values = {task.slices[name] for task in tasks if name in task.slices}
        if not values:
            raise UsageError(f"no task has a slice named {name!r}.{did_you_mean(name, {key for task in tasks for key in task.slices})}")
        if value not in values:
            raise UsageError(f"the slice {name!r} has no value {value!r}; it has {', '.join(sorted(values))}.{did_you_mean(value, values)}")
