"""From graded trials to the summary of a run: one pass over the trials, memory by tasks and not by trials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import structs

from seatrial.base.errors import RecordError
from seatrial.base.seeds import derive
from seatrial.base.wording import did_you_mean
from seatrial.measure import _remarks, zero_violations
from seatrial.measure._judged import Judged, judged
from seatrial.measure._kind_summary import kind_summary, question_rows
from seatrial.measure._review_tally import ReviewTally
from seatrial.measure._risk_tally import RiskTally
from seatrial.measure._task_tally import TaskTally
from seatrial.measure._tool_tally import ReactionTally, ToolTally, ViolationTally
from seatrial.records.grade import Verdict
from seatrial.records.graded import GradedTrial
from seatrial.records.kind_summary import KindSummary
from seatrial.records.manifest import Manifest
from seatrial.records.summary import MatrixCell, RunSummary, SafetySummary, StatusRow, TaskRow, WrongReason
from seatrial.records.task import KINDS, SPLITS, STAKES, Kind, Split, Task
from seatrial.records.trace import Status

TRIAL_ROWS = 20_000
"""Trial lines kept in a summary; beyond that only the first trials of each task are listed."""
WORST = 10
Row = TypeVar("Row", TaskRow, WrongReason)
_AXIS = (Verdict.PASS, Verdict.FAIL, Verdict.UNDETERMINED, Verdict.NOT_APPLICABLE)


def summarise(manifest: Manifest, tasks: Iterable[Task], graded: Iterable[GradedTrial], *, seed: int = 0) -> RunSummary:
    """Return the summary of a run, without a decision: that is the gate's.

    Args:
        manifest: What the run was made of, with its plan.
        tasks: At least the tasks of the plan and of the trials.
        graded: Grade and facts of each trial, in any order; each (task, trial) once.
        seed: Seed of the intervals' draws.

    Returns:
        The summary; equal for every order of `graded`.

    Raises:
        RecordError: A trial was given twice, or belongs to a task that is not there.
    """
    tally = _RunTally(manifest, tasks)
    for trial in graded:
        tally.add(trial)
    return tally.summary(derive(seed, "summary"))


def summarise_splits(
    manifest: Manifest, tasks: Iterable[Task], graded: Iterable[GradedTrial], *, seed: int = 0
) -> tuple[RunSummary, dict[Split, RunSummary]]:
    """Return the summary of a run and, from the same pass, the summary of each split by itself.

    Args:
        manifest: What the run was made of, with its plan.
        tasks: At least the tasks of the plan and of the trials.
        graded: Grade and facts of each trial, in any order; each (task, trial) once.
        seed: Seed of the intervals' draws.

    Returns:
        The summary of all tasks, and split → the summary of its tasks; splits without a task are left out.

    Raises:
        RecordError: A trial was given twice, or belongs to a task that is not there.
    """
    known = {task.id: task for task in tasks}
    whole, parts = _RunTally(manifest, known.values()), {}
    for split in SPLITS:
        of_split = {task.id: task for task in known.values() if task.split == split}
        plan = tuple(planned for planned in manifest.plan if planned.task in of_split)
        if of_split:
            parts[split] = _RunTally(structs.replace(manifest, plan=plan), of_split.values())
    for trial in graded:
        whole.add(trial)
        parts[known[trial.grade.task].split].add(trial)
    return whole.summary(derive(seed, "summary")), {split: part.summary(derive(seed, "summary", split)) for split, part in parts.items()}


class _RunTally:
    """What is kept of a run while its trials stream by."""

    def __init__(self, manifest: Manifest, tasks: Iterable[Task]) -> None:
        self.manifest, self.known = manifest, {task.id: task for task in tasks}
        self.rows_kept = max(1, TRIAL_ROWS // max(1, len(manifest.plan) or len(self.known)))
        self.tallies: dict[str, TaskTally] = {}
        self.matrix: Counter[tuple[Verdict, Verdict, Kind]] = Counter()
        self.statuses: Counter[Status] = Counter()
        self.models: set[str] = set()
        self.tools, self.reactions, self.violations = ToolTally(), ReactionTally(), ViolationTally()
        self.risks, self.review = RiskTally(manifest.risks, self.known), ReviewTally()
        for planned in manifest.plan:
            self.tallies[planned.task] = TaskTally(self._task(planned.task), planned.trials, self.rows_kept)

    def _task(self, task: str) -> Task:
        """Return a task by its id."""
        if task not in self.known:
            raise RecordError(f"there is no task {task!r} in this run, though a trial names it.{did_you_mean(task, self.known)}")
        return self.known[task]

    def add(self, trial: GradedTrial) -> None:
        """Count one trial."""
        verdicts = judged(trial)
        tally = self.tallies.get(trial.grade.task)
        if tally is None:
            tally = self.tallies[trial.grade.task] = TaskTally(self._task(trial.grade.task), 0, self.rows_kept)
        tally.add(trial, verdicts)
        self._add_matrix(verdicts, tally.task.kind)
        self.statuses[trial.facts.status] += 1
        self.models.update(trial.facts.models)
        self.risks.add(trial, verdicts.safety)
        self.review.add(trial, verdicts)
        for part in (self.tools, self.reactions, self.violations):
            part.add(trial)

    def _add_matrix(self, verdicts: Judged, kind: Kind) -> None:
        """Count one trial in the matrix."""
        outcome, process = (Verdict.UNDETERMINED if v is Verdict.ERROR else v for v in (verdicts.outcome, verdicts.process))
        self.matrix[outcome, process, kind] += 1

    def summary(self, seed: int) -> RunSummary:
        """Return the summary of what was counted."""
        manifest = self.manifest
        tallies = [self.tallies[task] for task in sorted(self.tallies)]
        rows = tuple(tally.row() for tally in tallies)
        statuses, models, worst = self._statuses(tallies), tuple(sorted(self.models)), _worst(rows)
        wrong = _wrong_reasons(tallies)
        seen = sum(tally.seen for tally in tallies)
        return RunSummary(
            suite=manifest.suite,
            suite_version=manifest.suite_version,
            suite_hash=manifest.suite_hash,
            candidate=manifest.candidate,
            candidate_hash=manifest.candidate.hash,
            seed=manifest.seed,
            created_at=manifest.created_at,
            seatrial=manifest.seatrial,
            source=manifest.source,
            partial=manifest.partial,
            headline_k=manifest.headline_k,
            because=manifest.because,
            notes=manifest.notes,
            tasks_planned=len(tallies),
            trials_planned=sum(tally.planned for tally in tallies),
            trials_seen=seen,
            decision=None,
            questions=question_rows(tallies),
            matrix=self._matrix(),
            wrong_reasons=wrong,
            kinds=_kinds(tallies, manifest.headline_k, seed),
            safety=self._safety(tallies),
            worst=tuple(row.task for row in worst),
            tools=self.tools.rows(),
            reactions=self.reactions.rows(),
            tasks=rows,
            trials_cut=seen - sum(len(row.trials) for row in rows),
            statuses=statuses,
            budgets=_remarks.budgets(tallies),
            retried_trials=sum(tally.harness_retries for tally in tallies),
            models=models,
            not_measured=_remarks.not_measured(tallies, statuses, manifest),
            warnings=_remarks.warnings(tallies, manifest, models),
            next=_remarks.next_step(_open(wrong, self.known), _open(worst, self.known), statuses, manifest.source),
            risks=self.risks.rows(self.tallies),
            unnamed_rules=self.risks.unnamed(),
            review=self.review.summary(),
            proof=manifest.proof,
            business=manifest.business,
            world=manifest.world,
            holdout=manifest.holdout.hash if manifest.holdout is not None else "",
            apart=_apart(manifest, self.tallies),
            contaminated=sum(tally.contaminated for tally in tallies),
        )

    def _matrix(self) -> tuple[MatrixCell, ...]:
        """Return the sixteen cells of outcome by process."""
        cells = ((outcome, process, [self.matrix[outcome, process, kind] for kind in KINDS]) for outcome in _AXIS for process in _AXIS)
        return tuple(MatrixCell(outcome, process, sum(counts), *counts) for outcome, process, counts in cells)

    def _statuses(self, tallies: Sequence[TaskTally]) -> tuple[StatusRow, ...]:
        """Return how many trials ended how, those that were not run last."""
        rows = [StatusRow(status.value, self.statuses[status], status.unknown) for status in Status if self.statuses[status]]
        missing = sum(tally.planned - tally.seen for tally in tallies)
        return (*rows, StatusRow("not_run", missing, unknown=True)) if missing else tuple(rows)

    def _safety(self, tallies: Sequence[TaskTally]) -> SafetySummary:
        """Return the violations of the run, or the rate that none still allows."""
        asked = [tally for tally in tallies if not 0 < tally.seen == tally.verdicts["safety"][Verdict.NOT_APPLICABLE]]
        known = {t.task.id: t.verdicts["safety"][Verdict.PASS] + t.verdicts["safety"][Verdict.FAIL] for t in asked}
        silent = sum(tally.verdicts["safety"][Verdict.NOT_APPLICABLE] for tally in asked)
        violated, tasks = sum(tally.violated for tally in asked), sum(trials > 0 for trials in known.values())
        clean = tasks and not violated and not self.violations.total
        return SafetySummary(
            tasks=tasks,
            trials=sum(known.values()),
            undetermined=sum(tally.planned for tally in asked) - silent - sum(known.values()),
            violations=max(violated, self.violations.total),
            violated_trials=violated,
            violated_tasks=sum(tally.violated > 0 for tally in asked),
            allowed_rate=zero_violations.allowed_rate(tasks) if clean else None,
            shown=self.violations.rows(),
        )


def _kinds(tallies: Sequence[TaskTally], headline_k: int, seed: int) -> tuple[KindSummary, ...]:
    """Return the summaries of the kinds that the run has."""
    groups: dict[Kind, list[TaskTally]] = {kind: [tally for tally in tallies if tally.task.kind == kind] for kind in KINDS}
    return tuple(kind_summary(kind, chosen, headline_k, seed) for kind, chosen in groups.items() if chosen)


def _wrong_reasons(tallies: Sequence[TaskTally]) -> tuple[WrongReason, ...]:
    """Return the tasks that were right for the wrong reason, most trials first."""
    found = [row for tally in tallies if (row := tally.wrong_reason())]
    return tuple(sorted(found, key=lambda row: (-row.count, row.task)))


def _apart(manifest: Manifest, planned: Collection[str]) -> int:
    """Return how many of some tasks come from a holdout that lies apart."""
    return sum(task in planned for task in manifest.holdout.tasks) if manifest.holdout is not None else 0


def _open(rows: Sequence[Row], tasks: Mapping[str, Task]) -> list[Row]:
    """Return the rows of tasks outside of the holdout: nobody is sent to read the others."""
    return [row for row in rows if tasks[row.task].split != "holdout"]


def _worst(rows: Sequence[TaskRow]) -> list[TaskRow]:
    """Return the worst tasks: lowest share of strict trials, then violations, then stakes, then id."""
    lost = [row for row in rows if row.scored and row.passed < row.scored]
    return sorted(lost, key=lambda row: (row.passed / row.scored, -row.violated, -STAKES.index(row.stakes), row.task))[:WORST]
