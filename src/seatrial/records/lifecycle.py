"""The life of a suite: what its tasks still tell of the candidates that it is there to tell apart."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from seatrial.records.estimate import Estimate
from seatrial.records.task import Kind, Split

Standing = Literal["not_run", "never_passed", "not_yet_passed", "dead_weight", "solved", "holding", "discriminating", "open"]
"""What is to be said of one task.

`not_run`: no trial of it, as it is now, is known. `never_passed`: no candidate ever passed it, in trials enough to call it more likely
broken than hard. `not_yet_passed`: the same in fewer trials. `dead_weight`: a capability task that every version passed in every
trial, so that it never told two of them apart. `solved`: a capability task that each of the last versions passed in every trial, and an
earlier one did not. `holding`: a regression task that each of the last versions passed in every trial. `discriminating`: the last versions
differ on it. `open`: nothing of the kind."""
SATURATED: frozenset[Standing] = frozenset({"dead_weight", "solved"})
"""What makes a capability task ready to become a regression task."""


class SuiteTask(Struct, frozen=True, forbid_unknown_fields=True):
    """A task as the suite has it now."""

    task: str
    """Its id, or the name that it may be shown under."""
    kind: Kind
    split: Split
    contract: str
    """Hash of its contract: trials under another one say nothing of it."""


class Version(Struct, frozen=True, forbid_unknown_fields=True):
    """One version of a candidate, all its runs together."""

    candidate: str
    version: str
    """Empty: it has no name for it."""
    hash: str
    """Hash of the candidate."""
    runs: int
    created_at: str
    """Of its newest run, ISO 8601 in UTC."""


class TaskStanding(Struct, frozen=True, forbid_unknown_fields=True):
    """One task, and what the runs say of it."""

    task: str
    kind: Kind
    split: Split
    standing: Standing
    passed: int
    """Passed trials of all versions."""
    scored: int
    """Trials of all versions whose success is known."""
    unknown: int
    """Planned trials of all versions whose success is not known."""
    rates: tuple[float | None, ...]
    """Pass rate in each of the last versions, newest first; `None`: no trial of it is known."""


class Headroom(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether an improvement on the capability tasks could still be seen."""

    rate: Estimate
    """Pass rate of the newest version over the capability tasks, unknown trials counted as failed for its lower end."""
    headroom: float | None
    """1 minus the lower end: the most that the pass rate can still rise; `None`: no trial is known."""
    detectable: float | None
    """The smallest difference that a comparison of two versions on these tasks finds with 80 % power; `None`: too few tasks for any."""
    saturated: bool | None
    """Whether no improvement that can still happen could be found; `None`: not known."""
    note: str = ""
    """What the smallest difference rests on, or why there is none, in words."""


class SuiteStatus(Struct, frozen=True, forbid_unknown_fields=True):
    """What the runs of a suite say of its tasks; capability and regression tasks are never put together."""

    suite: str
    last: int
    """How many of the last versions a task must have been passed by."""
    versions: tuple[Version, ...]
    """Newest first."""
    headroom: Headroom | None
    """`None`: the suite has no capability task."""
    tasks: tuple[TaskStanding, ...]
    """In the order of the suite's files."""
    left_out: tuple[str, ...]
    """What of the runs was not counted, one sentence each."""

    def of(self, kind: Kind, *standings: Standing) -> tuple[TaskStanding, ...]:
        """Return the tasks of one kind that stand so."""
        return tuple(task for task in self.tasks if task.kind == kind and task.standing in standings)

    @property
    def missing(self) -> int:
        """How many more versions it takes before a task can be called solved."""
        return max(0, self.last - len(self.versions))
