"""Which tasks two runs share: the same id, the same contract hash, the same kind. All others are a change of the set."""

from __future__ import annotations

from typing import NamedTuple

from seatrial.records.summary import RunSummary, TaskRow
from seatrial.records.task import Kind


class Pair(NamedTuple):
    """A shared task: its line in the baseline's run and its line in the candidate's."""

    before: TaskRow
    after: TaskRow

    @property
    def scored(self) -> bool:
        """Whether both runs know the success of at least one trial of it."""
        return bool(self.before.scored and self.after.scored)


class Pairing(NamedTuple):
    """The tasks of two runs, every task of each run in exactly one place; each sequence is sorted by task id."""

    shared: tuple[Pair, ...]
    added: tuple[TaskRow, ...]
    """Only the candidate's run has them."""
    removed: tuple[TaskRow, ...]
    """Only the baseline's run has them."""
    changed: tuple[Pair, ...]
    """Both runs have the id, with another contract."""
    moved: tuple[Pair, ...]
    """Both runs have the contract; the task went over to the other kind."""

    def shared_of(self, kind: Kind) -> tuple[Pair, ...]:
        """Return the shared tasks of one kind."""
        return tuple(pair for pair in self.shared if pair.after.kind == kind)


def paired(before: RunSummary, after: RunSummary) -> Pairing:
    """Return which tasks two runs share, and how their sets differ.

    Args:
        before: The baseline's run.
        after: The candidate's run.
    """
    old, new = ({row.task: row for row in sorted(run.tasks, key=lambda row: row.task)} for run in (before, after))
    both = [Pair(row, new[task]) for task, row in old.items() if task in new]
    same = [pair for pair in both if pair.before.contract == pair.after.contract]
    return Pairing(
        shared=tuple(pair for pair in same if pair.before.kind == pair.after.kind),
        added=tuple(row for task, row in new.items() if task not in old),
        removed=tuple(row for task, row in old.items() if task not in new),
        changed=tuple(pair for pair in both if pair.before.contract != pair.after.contract),
        moved=tuple(pair for pair in same if pair.before.kind != pair.after.kind),
    )
