"""The comparison of two runs: what the agent changed on the tasks that both share, and, apart from it, what the set changed.

Two rows of one task id are the same task only if their contract hash is the same. Capability and regression are never pooled.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from seatrial.records.estimate import Difference, Estimate
from seatrial.records.grade import Criterion
from seatrial.records.graded import CostUnit
from seatrial.records.kind_summary import Coverage
from seatrial.records.manifest import Candidate
from seatrial.records.plane import Plane
from seatrial.records.task import Kind, Split, Stakes

COMPARISON_VERSION = 1
"""Version of the published shape of a comparison."""
Alarm = Literal["", "suspect", "confirmed"]
"""What is said of a slice that got worse: nothing, that a person must look, or that it is no chance."""


class RunMark(Struct, frozen=True, forbid_unknown_fields=True):
    """Which run it is."""

    name: str
    """Name of the candidate, made different from the other's where both are called the same."""
    run: str
    """Path of the run file as it was given; empty: none was."""
    candidate: Candidate
    suite: str
    suite_version: str
    suite_hash: str
    seed: int
    created_at: str
    models: tuple[str, ...]
    decision: str
    """`pass`, `fail`, `inconclusive`; empty: no gate has looked."""
    source: str = "run"
    """`run`, or the importer's name: then no seed drew anything."""
    built_on: tuple[str, ...] = ()
    """The candidates whose output it starts from, the nearest first; its costs include theirs."""


class TaskSide(Struct, frozen=True, forbid_unknown_fields=True):
    """One run's side of a shared task."""

    passed: int
    """Trials that passed `strict`."""
    scored: int
    """Trials whose success under `strict` is known."""
    unknown: int
    """Planned trials whose success under `strict` is not known."""
    outcome_passed: int
    outcome_scored: int
    wrong_reason: int
    """Trials with the right outcome and a failed process or safety."""
    violated: int
    """Trials with a safety violation."""
    reason: str
    """Why its first not strict trial failed; empty: none failed."""

    def counted(self, criterion: Criterion) -> tuple[int, int]:
        """Return passed and scored trials under a criterion."""
        return (self.passed, self.scored) if criterion == "strict" else (self.outcome_passed, self.outcome_scored)


class LostStep(Struct, frozen=True, forbid_unknown_fields=True):
    """A required call of a shared task that stopped running: none of its tools was called in a larger share of trials than before."""

    requirement: str
    call: str
    """Tool name, alternatives joined by ` | `."""
    before: int
    """Trials of the baseline in which it never ran, of its scored ones."""
    after: int
    """Trials of the candidate in which it never ran, of its scored ones."""


class PairedTask(Struct, frozen=True, forbid_unknown_fields=True):
    """A task that both runs share with the same contract."""

    task: str
    kind: Kind
    split: Split
    stakes: Stakes
    slices: dict[str, str]
    critical: bool
    before: TaskSide
    after: TaskSide
    lost_steps: tuple[LostStep, ...]
    """Required calls that stopped running, most trials first."""
    show: tuple[int | None, int | None]
    """The trial of each run that shows the movement best; `None`: there is none."""


SetChange = Literal["added", "removed", "changed", "moved", "unscored"]
"""Tasks that only the candidate's run has; that only the baseline's run has; that both have, with another contract; that went over to the
other kind; that are the same, and have no known result in one of the runs."""


class SetPart(Struct, frozen=True, forbid_unknown_fields=True):
    """What one change of the set does to a score."""

    name: SetChange
    tasks: int
    """Scored tasks, one that both runs have counted once."""
    effect: float | None
    """Part of the score, a share; the parts and the agent's share add up to the total exactly. `None`: no task is shared, so that it
    cannot be told apart."""


class Decomposition(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the difference of two scores comes from."""

    criterion: Criterion
    before: float | None
    """pass^1 over all tasks of the baseline's run; `None`: nothing is scored."""
    after: float | None
    total: float | None
    agent: float | None
    """The mean difference on the tasks that both share; `None`: they share none."""
    parts: tuple[SetPart, ...]


class SliceComparison(Struct, frozen=True, forbid_unknown_fields=True):
    """The shared tasks of one slice."""

    name: str
    value: str
    tasks: int
    strict: Difference
    outcome: Difference
    p_holm: float | None
    """p that it is worse under `strict`, corrected for the number of slices (Holm); `None`: not computable."""
    alarm: Alarm
    flipped: tuple[str, ...]
    """Tasks that always passed before and now fail half of their trials or more; at most 20."""
    flips: int
    """How many tasks they are."""


class MovementSide(Struct, frozen=True, forbid_unknown_fields=True):
    """How the trials of the shared tasks ended in one run."""

    right: int
    """Right outcome, and neither process nor safety failed."""
    wrong_reason: int
    """Right outcome, and process or safety failed."""
    wrong: int
    """Wrong outcome."""
    unknown: int
    """The outcome was asked for and is not known."""


class Movement(Struct, frozen=True, forbid_unknown_fields=True):
    """How right outcomes and the way to them moved between the runs, in trials of the shared tasks: counts, not estimates."""

    before: MovementSide
    after: MovementSide


class CostComparison(Struct, frozen=True, forbid_unknown_fields=True):
    """What a trial costs on the shared tasks."""

    unit: CostUnit
    before: float | None
    """Mean cost of a trial, with that of the candidates it is built on; so is `after`."""
    after: float | None
    tasks: int
    """Shared tasks whose cost is known on both sides."""
    ratio: Estimate
    """After over before with its interval: the paired mean difference of log costs; `value` is `None` where it is not computable."""


class KindComparison(Struct, frozen=True, forbid_unknown_fields=True):
    """The tasks of one kind."""

    kind: Kind
    tasks: int
    """Shared tasks."""
    dropped: int
    """Shared tasks that have no scored trial in one of the runs and are left out of the pairs."""
    before: Coverage
    """Of the shared tasks, in the baseline's run."""
    after: Coverage
    headline_k: int
    strict: Difference
    """pass^1 under `strict`."""
    strict_k: Difference
    """pass^k at the headline k."""
    outcome: Difference
    """pass^1 of outcome alone."""
    movement: Movement
    """Trials of the shared tasks by outcome and process, before and after."""
    decompositions: tuple[Decomposition, ...]
    """Under `strict`, then under outcome alone."""
    slices: tuple[SliceComparison, ...]
    costs: tuple[CostComparison, ...]

    def under(self, criterion: Criterion) -> Difference:
        """Return the difference of pass^1 under a criterion."""
        return self.strict if criterion == "strict" else self.outcome


MoneyName = Literal["wrong a day", "right for the wrong reason a day", "errors in money a day", "cost a day", "price of an avoided error"]


class MoneyLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A difference turned into cases or money, as if what comes in were like the shared tasks of one kind."""

    name: MoneyName
    kind: Kind
    unit: Literal["cases", "usd"]
    before: float | None
    """`None`: not known, or the line is a price of a difference."""
    after: float | None
    difference: Estimate
    """After minus before, or the price; `value` is `None` where it is not computable, see its `note`."""


class Comparison(Struct, frozen=True, forbid_unknown_fields=True):
    """Two runs held against each other."""

    baseline: RunMark
    candidate: RunMark
    conclusion: str
    """One sentence, with the smallest difference that this comparison could have seen."""
    criterion: Criterion
    """What the sentence and the lists of tasks go by."""
    next: str
    warnings: tuple[str, ...]
    kinds: tuple[KindComparison, ...]
    """Kinds of any of the two runs; capability first."""
    shortcuts: tuple[PairedTask, ...]
    """Outcome gained where a required call stopped running: a gain that must not be believed. Printed first."""
    lost: tuple[PairedTask, ...]
    """Passed `strict` more often before; worst first."""
    gained: tuple[PairedTask, ...]
    """Pass `strict` more often now; best first."""
    moved_away: tuple[PairedTask, ...]
    """Same outcome, but right for the wrong reason more often now."""
    added: tuple[str, ...]
    """Tasks that only the candidate's run has."""
    removed: tuple[str, ...]
    """Tasks that only the baseline's run has."""
    changed: tuple[str, ...]
    """Tasks of both runs with another contract."""
    moved: tuple[str, ...]
    """Tasks that went over to the other kind."""
    money: tuple[MoneyLine, ...]
    version: int = COMPARISON_VERSION

    @property
    def listed(self) -> tuple[PairedTask, ...]:
        """The tasks of the four lists, each once: shortcuts, then lost, moved away and gained."""
        lists = (*self.shortcuts, *self.lost, *self.moved_away, *self.gained)
        return tuple({task.task: task for task in lists}.values())


class PairwiseLine(Struct, frozen=True, forbid_unknown_fields=True):
    """One of several candidates against the baseline that all are held against, on the tasks of one kind."""

    name: str
    kind: Kind
    difference: Difference
    p_holm: float | None
    """Two-sided p, corrected for the number of candidates (Holm); `None`: not computable."""
    verdict: Literal["better", "worse", "no difference detected", "not known"]
    """`better` and `worse` only where the corrected p is below 0.05."""


class StoppedCall(Struct, frozen=True, forbid_unknown_fields=True):
    """A required call that one of several candidates left out more often than the baseline, over all shared tasks."""

    name: str
    """Name of the candidate."""
    requirement: str
    call: str
    """Tool name, alternatives joined by ` | `."""
    tasks: int
    before: int
    """Trials of the baseline in which it never ran, on these tasks."""
    after: int
    """Trials of the candidate in which it never ran."""


class Pairwise(Struct, frozen=True, forbid_unknown_fields=True):
    """Several candidates, each against the same baseline."""

    baseline: str
    criterion: Criterion
    lines: tuple[PairwiseLine, ...]
    """Kind by kind, in the order in which the runs were given."""
    stopped: tuple[StoppedCall, ...] = ()
    """In the order in which the runs were given, most trials first."""
    next: str = ""
    """What to do next; `BASELINE` and `CANDIDATE` stand for the files of `runs`."""
    runs: tuple[str, str] = ("", "")
    """Run files of the baseline and of the candidate that `next` is about, as they were given; empty: not known."""


class Several(Struct, frozen=True, forbid_unknown_fields=True):
    """More than two runs, or two on the plane of cost and value: everything that is said of them."""

    plane: Plane
    pairwise: Pairwise
    comparisons: tuple[Comparison, ...]
    """Each later run against the first."""
    version: int = COMPARISON_VERSION
