"""What is estimated over the tasks of one kind of a run, capability or regression: the kinds are never pooled.

Counts are counts, and every rate is an `Estimate`. `strict` means that outcome, process, safety and budget all pass; `outcome` is
outcome alone.
"""

from __future__ import annotations

from msgspec import Struct

from seatrial.records.estimate import Estimate
from seatrial.records.grade import Criterion
from seatrial.records.task import Kind, Stakes


class QuestionRow(Struct, frozen=True, forbid_unknown_fields=True):
    """How often one question was answered how, in trials."""

    question: str
    """`outcome`, `process`, `safety`, `budget`, or `strict` (all four together)."""
    passed: int = 0
    failed: int = 0
    undetermined: int = 0
    """Evidence missing or cut, or the harness ended the trial."""
    not_applicable: int = 0
    """The task does not ask this question."""
    error: int = 0
    """The grader broke."""
    not_run: int = 0
    """Planned trials without a trace."""


class Curve(Struct, frozen=True, forbid_unknown_fields=True):
    """pass^k and pass@k for k = 1, 2, … of one group of tasks, under one criterion."""

    criterion: Criterion
    """What counts as a pass: all four questions, or outcome alone."""
    pass_k: tuple[Estimate, ...]
    """Chance that k fresh trials of a task all pass; entry i is k = i + 1."""
    pass_at_k: tuple[Estimate, ...]
    """Chance that at least one of k fresh trials of a task passes; entry i is k = i + 1."""


class Coverage(Struct, frozen=True, forbid_unknown_fields=True):
    """Both denominators: what was planned and what could be scored, under `strict`."""

    tasks: int
    tasks_scored: int
    """Tasks with at least one scored trial."""
    planned: int
    """Planned trials that the question applies to."""
    scored: int
    """Trials whose success is known."""
    passed: int
    unknown: int
    """Planned trials whose success is not known: `planned - scored`."""
    of_planned: float | None
    """Passed trials over planned trials; `None`: none was planned."""
    of_scored: float | None
    """Passed trials over scored trials; `None`: none was scored."""

    @classmethod
    def of(cls, *, tasks: int, tasks_scored: int, planned: int, scored: int, passed: int) -> Coverage:
        """Return the coverage that these counts make."""
        return cls(
            tasks=tasks,
            tasks_scored=tasks_scored,
            planned=planned,
            scored=scored,
            passed=passed,
            unknown=planned - scored,
            of_planned=passed / planned if planned else None,
            of_scored=passed / scored if scored else None,
        )


class StakesSummary(Struct, frozen=True, forbid_unknown_fields=True):
    """The tasks of one kind and one level of stakes: they have equal numbers of trials, so pass^k is theirs."""

    stakes: Stakes
    tasks: int
    smallest_n: int
    """Fewest scored trials of any of its tasks."""
    headline_k: int
    """The suite's k, or the fewest planned trials of any task here when that is less."""
    strict: Curve
    outcome: Curve


class GroupRow(Struct, frozen=True, forbid_unknown_fields=True):
    """The tasks of one kind that share a split, or a value of a slice."""

    name: str
    """`split`, or the name of the slice."""
    value: str
    tasks: int
    trials: int
    """Scored trials."""
    strict: Estimate
    """pass^1 under `strict`."""
    outcome: Estimate
    """pass^1 of outcome alone."""
    wrong_reason: int
    """Trials with the right outcome and a failed process or safety."""


class CostSummary(Struct, frozen=True, forbid_unknown_fields=True):
    """What the trials of one kind cost. A failed trial's cost counts; abandoned attempts count."""

    usd_mean: Estimate
    usd_p95: Estimate
    usd_total: float | None
    """Sum over the trials of known price; `None`: no price is known."""
    usd_unknown: int
    """Trials whose price is not known."""
    tokens_mean: Estimate
    tokens_p95: Estimate
    tokens_unknown: int
    """Trials whose tokens are not known."""
    calls_mean: Estimate
    calls_p95: Estimate
    seconds_mean: Estimate
    """Virtual seconds."""
    seconds_p95: Estimate
    """Virtual seconds."""


class KindSummary(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that is estimated over the capability tasks, or over the regression tasks, of a run."""

    kind: Kind
    coverage: Coverage
    headline_k: int
    """The suite's k, or the fewest planned trials of any task of the kind when that is less."""
    strict: Curve
    """Over all tasks of the kind, k up to the fewest planned trials of any of them."""
    outcome: Curve
    stakes: tuple[StakesSummary, ...]
    splits: tuple[GroupRow, ...]
    slices: tuple[GroupRow, ...]
    """Ordered by slice name, then value; slices overlap and are not corrected for their number."""
    always: int
    """Tasks whose scored trials all passed `strict`."""
    flaky: int
    """Tasks with passed and failed trials."""
    never: int
    """Tasks whose scored trials all failed."""
    wrong_reason: Estimate
    """Mean share of a task's trials that reached the right outcome for the wrong reason."""
    cost: CostSummary
    questions: tuple[QuestionRow, ...] = ()
    """Five rows of its trials: the four questions, then `strict`."""
