"""What a candidate lost against another one: the shared tasks that are less often strict, and the required calls that stopped running.

This is what was seen; whether a difference is more than chance is what `compare` says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from seatrial.compare.movement import change, moved_tasks
from seatrial.compare.pairing import paired
from seatrial.records.comparison import PairedTask
from seatrial.records.summary import RunSummary


class StoppedStep(NamedTuple):
    """A required call that never ran where it ran before, over all shared tasks."""

    requirement: str
    call: str
    """Tool name, alternatives joined by ` | `."""
    trials: int
    """Trials in which none of its tools was called, beyond those of the first candidate."""
    tasks: tuple[str, ...]
    """Ids of the tasks, sorted."""


class Losses(NamedTuple):
    """What one candidate lost against another."""

    tasks: tuple[PairedTask, ...]
    """Shared tasks on which a smaller share of the trials was strict, worst loss first."""
    steps: tuple[StoppedStep, ...]
    """Required calls that never ran in more trials, most trials first."""


def losses(first: RunSummary, other: RunSummary) -> Losses:
    """Return what a candidate lost against another one on the tasks that both ran under the same contract.

    Args:
        first: The run that is held against.
        other: The later candidate's run.
    """
    moved = moved_tasks(paired(first, other).shared)
    lost = (task for task in moved if change(task, "strict") < 0)
    # Among equal losses those that can be read stand before those of the holdout.
    worst_first = sorted(lost, key=lambda task: (change(task, "strict"), task.split == "holdout", task.task))
    return Losses(tuple(worst_first), _stopped(moved))


def _stopped(moved: Sequence[PairedTask]) -> tuple[StoppedStep, ...]:
    """Return the required calls that never ran in more trials than before."""
    trials = Counter[tuple[str, str]]()
    tasks: dict[tuple[str, str], list[str]] = {}
    for task in moved:
        for step in task.lost_steps:
            if step.after > step.before:
                trials[step.requirement, step.call] += step.after - step.before
                tasks.setdefault((step.requirement, step.call), []).append(task.task)
    most_first = sorted(trials.items(), key=lambda item: (-item[1], item[0]))
    return tuple(StoppedStep(*key, times, tuple(sorted(tasks[key]))) for key, times in most_first)
