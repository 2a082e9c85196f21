"""The summary of a run: everything a report shows, computed once by `measure.summarise` and drawn by many renderers.

Capability and regression tasks are never pooled: what is estimated is estimated for each kind, in a `KindSummary` of its own.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from seatrial.records.decision import Decision
from seatrial.records.grade import Verdict
from seatrial.records.graded import CostUnit
from seatrial.records.kind_summary import Coverage, KindSummary, QuestionRow
from seatrial.records.label import ReviewSummary
from seatrial.records.manifest import Business, Candidate
from seatrial.records.proof import ProofNote
from seatrial.records.risk import RiskRow, UnnamedRule
from seatrial.records.task import Kind, Split, Stakes
from seatrial.records.trace import Status

SUMMARY_VERSION = 1
"""Version of the published shape of a summary."""


class MatrixCell(Struct, frozen=True, forbid_unknown_fields=True):
    """Trials with one verdict on outcome and one on process. `error` is counted as `undetermined`."""

    outcome: Verdict
    process: Verdict
    trials: int
    capability: int
    """Of these, trials of capability tasks."""
    regression: int
    """Of these, trials of regression tasks."""


class WrongReason(Struct, frozen=True, forbid_unknown_fields=True):
    """A task whose outcome was right in some trials for the wrong reason: process or safety failed."""

    task: str
    kind: Kind
    trials: tuple[int, ...]
    """Indices of these trials, rising; at most 20 are listed."""
    count: int
    """How many trials they are."""
    scored: int
    """Trials of the task whose success is known."""
    question: str
    """`process` or `safety`: the question that the first of these trials failed."""
    reason: str
    """Why the first of these trials failed it, in words."""
    requirement: str
    """Id of the first required call that was not met; empty: none is missing."""
    step: int | None
    """Sequence number of the step that shows it; `None`: a step that never ran."""


class ConfusedPair(Struct, frozen=True, forbid_unknown_fields=True):
    """A tool that was called where another was expected."""

    expected: str
    times: int


class ToolRow(Struct, frozen=True, forbid_unknown_fields=True):
    """How the agent used one tool, summed over all trials (counts, last attempts only)."""

    tool: str
    calls: int
    argument_errors: int
    """Calls whose arguments were invalid or unparseable, or that named no known tool."""
    failures: int
    """Valid calls without a good observation, injected faults included."""
    faults: int
    """Injected faults that fired."""
    retries: int
    repeats: int
    refused: int
    near_misses: int
    confused: tuple[ConfusedPair, ...]
    """The tools it was mistaken for, most frequent first."""
    advice: str
    """`look at this tool's description` on the row with the most argument errors and near misses; empty on all others."""


class ReactionRow(Struct, frozen=True, forbid_unknown_fields=True):
    """What the agent did about the faults of one kind that fired on one tool."""

    tool: str
    fault: str
    fired: int
    recovered: int = 0
    lost: int = 0
    failed_closed: int = 0
    escalated: int = 0
    went_on: int = 0
    invented: int = 0
    unaffected: int = 0
    doubled: int = 0


class ViolationRow(Struct, frozen=True, forbid_unknown_fields=True):
    """One breach of a safety rule."""

    rule: str
    task: str
    trial: int
    step: int
    reason: str
    attempt: int | None
    """Index of the abandoned attempt it happened in; `None`: the last."""


class SafetySummary(Struct, frozen=True, forbid_unknown_fields=True):
    """Violations over every attempt of every trial, of both kinds (safety is a count, not a score)."""

    tasks: int
    """Tasks that ask the question and have a trial with a known answer."""
    trials: int
    """Trials with a known answer."""
    undetermined: int
    """Trials that ask the question and have no known answer, those that were not run included."""
    violations: int
    violated_trials: int
    violated_tasks: int
    allowed_rate: float | None
    """With no violation: the rate per trial that is still possible at 95 % confidence, counting tasks; else `None`."""
    shown: tuple[ViolationRow, ...]
    """The first violations by task and trial; at most 200."""


class UnmetRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A required call of a task that some trials did not meet."""

    requirement: str
    call: str
    """Tool name, alternatives joined by ` | `."""
    trials: int
    """Trials in which it was not met."""
    never_ran: int
    """Of these, trials in which none of its tools was called at all."""


class TrialRow(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One trial in short."""

    trial: int
    status: Status
    strict: Verdict
    outcome: Verdict
    process: Verdict
    safety: Verdict
    budget: Verdict
    reason: str
    """Why it did not pass, in a line: the first question that failed or is undetermined; empty on pass."""
    step: int | None
    """The step that shows it; `None`: none."""
    calls: int | None
    """`None`: not known."""
    usd: float | None
    """`None`: not known."""


class MeanCosts(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a trial of one task costs on the average of the trials that say so; `None`: none says so."""

    usd: float | None = None
    tokens: float | None = None
    calls: float | None = None
    seconds: float | None = None
    """Virtual seconds."""

    def of(self, unit: CostUnit) -> float | None:
        """Return the mean cost in a unit; `None`: not known."""
        return getattr(self, unit)


class TaskRow(Struct, frozen=True, forbid_unknown_fields=True):
    """One task with its trials."""

    task: str
    kind: Kind
    split: Split
    stakes: Stakes
    slices: dict[str, str]
    critical: bool
    planned: int
    scored: int
    """Trials whose success under `strict` is known."""
    passed: int
    """Trials that passed `strict`."""
    outcome_scored: int
    """Trials whose outcome is known."""
    outcome_passed: int
    """Trials whose outcome passed."""
    wrong_reason: int
    """Trials with the right outcome and a failed process or safety."""
    violated: int
    """Trials with a safety violation."""
    unknown: int
    """Planned trials whose success under `strict` is not known."""
    reason: str
    """Why its first not strict trial failed; empty: none failed."""
    unmet: tuple[UnmetRow, ...]
    trials: tuple[TrialRow, ...]
    """By trial index; of a very large run only the first trials of each task (`RunSummary.trials_cut`)."""
    contract: str = ""
    """Content hash of the contract: two rows of one id are the same task only if it is the same."""
    costs: MeanCosts = MeanCosts()

    @property
    def steadiness(self) -> Literal["always", "flaky", "never", "unknown"]:
        """Whether its scored trials all passed, some, or none."""
        if not self.scored:
            return "unknown"
        return "always" if self.passed == self.scored else "flaky" if self.passed else "never"


class StatusRow(Struct, frozen=True, forbid_unknown_fields=True):
    """How many trials ended in a status."""

    status: str
    """A `Status`, or `not_run`: planned and without a trace."""
    trials: int
    unknown: bool
    """Whether it leaves success unknown."""


class BudgetRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A ceiling and how many tasks have none."""

    ceiling: str
    """`calls`, `tokens`, `usd`, `seconds`."""
    not_set: int
    """Tasks without this ceiling."""
    tasks: int


class RunSummary(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a report shows of one run."""

    suite: str
    suite_version: str
    suite_hash: str
    candidate: Candidate
    candidate_hash: str
    seed: int
    """Seed of the run."""
    created_at: str
    """ISO 8601, UTC."""
    seatrial: str
    """Version of seatrial that made the run."""
    source: str
    """`run`, or the importer's name."""
    partial: str
    """Why the run is only a part of its suite; empty: it is whole."""
    headline_k: int
    because: str
    """Why that k."""
    notes: tuple[str, ...]
    tasks_planned: int
    trials_planned: int
    trials_seen: int
    """Trials with a trace and a grade."""
    decision: Decision | None
    """`None`: no gate has looked yet."""
    questions: tuple[QuestionRow, ...]
    """Five rows, trials of both kinds: the four questions, then `strict`; each kind has its own, and reports draw those."""
    matrix: tuple[MatrixCell, ...]
    """All sixteen cells of outcome by process: pass, fail, undetermined, not_applicable each way."""
    wrong_reasons: tuple[WrongReason, ...]
    """Most trials first."""
    kinds: tuple[KindSummary, ...]
    """Only kinds that the run has; capability first."""
    safety: SafetySummary
    worst: tuple[str, ...]
    """Ids of the ten worst tasks: lowest share of strict trials, higher stakes first; tasks that always pass are left out."""
    tools: tuple[ToolRow, ...]
    reactions: tuple[ReactionRow, ...]
    tasks: tuple[TaskRow, ...]
    """Sorted by task id; where the holdout is withheld, its tasks stand last."""
    trials_cut: int
    """Trials left out of `TaskRow.trials`; 0: none."""
    statuses: tuple[StatusRow, ...]
    budgets: tuple[BudgetRow, ...]
    retried_trials: int
    """Trials with an attempt that the harness abandoned."""
    models: tuple[str, ...]
    """Model ids that the providers returned, sorted; empty: no model call was seen."""
    not_measured: tuple[str, ...]
    """What this run does not tell, one sentence each."""
    warnings: tuple[str, ...]
    next: str
    """What to do next, in one sentence; the decision's own `next` stands above it."""
    version: int = SUMMARY_VERSION
    risks: tuple[RiskRow, ...] = ()
    """One row a risk, in the order of the suite's list."""
    unnamed_rules: tuple[UnnamedRule, ...] = ()
    """Rules that were broken and that no risk names; empty where there is no risk list."""
    review: ReviewSummary = ReviewSummary()
    """The review queue, and what labels settled."""
    proof: ProofNote | None = None
    """The proof of the suite when the run was planned; `None`: it was not proven."""
    business: Business = Business()
    """What production sees and what an error costs there."""
    world: str = ""
    """Hash of the world's code, schema and fixtures; empty: not known."""
    holdout: str = ""
    """Content hash of the holdout that lies apart from the suite; empty: the run was given none."""
    apart: int = 0
    """Planned tasks that come from it."""
    withheld: int = 0
    """Holdout tasks that stand under other names, without their content and reasons; 0: none is withheld."""
    contaminated: int = 0
    """Trials in which the agent wrote a canary of the suite or of its holdout: it has read their files."""

    @property
    def fails_anyway(self) -> bool:
        """Whether the decision is fail by more than the word of reviewers, so that no label can make the run pass."""
        others = self.safety.violated_trials > self.review.violated_trials or not self.review.violated_trials
        return self.decision is not None and self.decision.value == "fail" and others

    @property
    def coverage(self) -> Coverage:
        """The coverage of all kinds together: plain counts, for exit codes and progress; never a score."""
        parts = [kind.coverage for kind in self.kinds]
        names = ("tasks", "tasks_scored", "planned", "scored", "passed")
        return Coverage.of(**{name: sum(getattr(part, name) for part in parts) for name in names})


def encode(summary: RunSummary) -> bytes:
    """Return a summary as JSON."""
    return _ENCODER.encode(summary)


def decode(data: bytes) -> RunSummary:
    """Return the summary that JSON of the current version holds; raises `msgspec.MsgspecError` when it holds none."""
    return _DECODER.decode(data)


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(RunSummary)
