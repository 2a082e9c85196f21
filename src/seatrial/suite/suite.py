"""The suite: a folder of tasks with one world and one gate policy, loaded and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath

from msgspec import Raw

from seatrial.records.contract import Budget, Extras, InvariantSpec, Provenance
from seatrial.records.manifest import Business, StubsCheck
from seatrial.records.proof import HoleNote
from seatrial.records.risk import AcceptedException, Risk
from seatrial.records.task import Stakes, Task
from seatrial.suite.definition import SuiteDefinition
from seatrial.suite.error_cost import ErrorCost
from seatrial.suite.place import Place


@dataclass(frozen=True)
class Trials:
    """How many trials a task gets, by its stakes.

    Args:
        routine: Trials of a task that only reads, 1 or more.
        write: Trials of a task that writes.
        regulated: Trials of a regulated task.
    """

    routine: int = 2
    write: int = 4
    regulated: int = 4

    def of(self, stakes: Stakes) -> int:
        """Return the number of trials of a task with these stakes."""
        return {"routine": self.routine, "write": self.write, "regulated": self.regulated}[stakes]


@dataclass(frozen=True)
class Defaults:
    """What holds for a task that does not say otherwise.

    Args:
        trials: Trials by stakes.
        k: The k of the headline pass^k.
        because: Why that k; empty: not given.
        budget: Ceilings; a call ceiling of `None` is twice the reference's length plus the retries that faults call for.
        retries: How often a transiently failed call may be repeated identically.
        extras: Which calls beyond the required ones are allowed.
        provenance: Whose argument values need a source.
        now: The world's clock at the start, ISO 8601.
        constants: Values that need no source, in every task.
        derived: Derivations that count as a source, in every task.
    """

    trials: Trials = field(default_factory=Trials)
    k: int = 4
    because: str = ""
    budget: Budget = field(default_factory=Budget)
    retries: int = 2
    extras: Extras = field(default_factory=Extras)
    provenance: Provenance = "all"
    now: str = "2026-01-01T00:00:00Z"
    constants: tuple[Raw, ...] = ()
    derived: tuple[Raw, ...] = ()


@dataclass(frozen=True)
class Traffic:
    """What production sees.

    Args:
        per_day: Tasks a day; `None`: not given.
    """

    per_day: float | None = None


@dataclass(frozen=True)
class Redact:
    """What is replaced before anything is written.

    Args:
        fields: Names of fields whose values are replaced.
        patterns: Regular expressions whose matches in texts are replaced.
    """

    fields: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Suite:
    """A loaded suite.

    Args:
        name: Its name.
        version: Its version, free text.
        folder: Where it was read from.
        tasks: The tasks, in file order.
        description: One line on what it is for.
        defaults: What holds for a silent task.
        documents: Name to text of the documents that the agent is given.
        invariants: Invariants of every task; they are already part of each task's contract.
        risks: The risk list.
        traffic: What production sees.
        error_cost: What a wrong case costs there. No part of the hash.
        gate: Canonical JSON of the gate policy; `{}`: the plain one.
        stubs_checked: When the world's stubs were last held against production; `None`: not said. No part of the hash.
        redact: What is replaced before anything is written.
        holes: Mutants that may pass, by the suite's and the tasks' own word.
        exceptions: How rules were narrowed, and who answers for it.
        canary: A string that no agent is ever given; empty: there is none. It is no part of the hash.
        holdout_canary: That of its holdout; empty: there is none.
        hash: Hash of all that matters: tasks, documents, fixtures, world, defaults; not of comments or the order of keys.
        world_file: Name of the world's file in the folder.
        definition: What the world offers.
        places: Id of a task to where it stands.
    """

    name: str
    version: str
    folder: FilePath
    tasks: tuple[Task, ...]
    description: str = ""
    defaults: Defaults = field(default_factory=Defaults)
    documents: Mapping[str, str] = field(default_factory=dict)
    invariants: tuple[InvariantSpec, ...] = ()
    risks: tuple[Risk, ...] = ()
    traffic: Traffic = field(default_factory=Traffic)
    error_cost: ErrorCost = field(default_factory=ErrorCost)
    gate: Raw = field(default_factory=lambda: Raw(b"{}"))
    stubs_checked: StubsCheck | None = None
    redact: Redact = field(default_factory=Redact)
    holes: tuple[HoleNote, ...] = ()
    exceptions: tuple[AcceptedException, ...] = ()
    canary: str = ""
    holdout_canary: str = ""
    hash: str = ""
    world_file: str = "world.py"
    definition: SuiteDefinition = field(default_factory=SuiteDefinition, repr=False)
    places: Mapping[str, Place] = field(default_factory=dict, repr=False)

    @property
    def business(self) -> Business:
        """What production sees and what an error costs there."""
        return Business(self.traffic.per_day, self.error_cost.usd, self.error_cost.slices)

    @property
    def canaries(self) -> tuple[str, ...]:
        """What no agent is ever given."""
        return tuple(filter(None, (self.canary, self.holdout_canary)))

    def trials_for(self, task: Task, override: int | None = None) -> int:
        """Return how many trials a task gets.

        Args:
            task: The task.
            override: Trials of tasks that write or are regulated, in place of the suite's; routine tasks get no more than the
                suite gives them. `None`: as the suite says.
        """
        planned = self.defaults.trials.of(task.stakes)
        if override is None:
            return planned
        return min(override, planned) if task.stakes == "routine" else override
