"""What is kept of one task while its trials stream by: counts, costs, and its first lines."""

from __future__ import annotations

from array import array
from collections import Counter
from math import fsum

from seatrial.base.errors import RecordError
from seatrial.measure._judged import Blame, Judged, blame, trial_row, unmet
from seatrial.measure.task_count import TaskCount
from seatrial.records.grade import QUESTIONS, Criterion, Verdict
from seatrial.records.graded import COST_UNITS, GradedTrial
from seatrial.records.summary import MeanCosts, TaskRow, TrialRow, UnmetRow, WrongReason
from seatrial.records.task import Task

_LISTED_TRIALS = 20
_MOST_TRIALS = 10_000_000


class TaskTally:
    """The counts of one task.

    Args:
        task: The task.
        planned: Trials that were planned; more that are seen raise it.
        rows: Trial lines kept: those with an index below this.
    """

    def __init__(self, task: Task, planned: int, rows: int) -> None:
        self.task, self.rows_kept = task, rows
        self._planned, self._seen, self.seen = planned, bytearray(), 0
        self.verdicts: dict[str, Counter[Verdict]] = {question: Counter() for question in (*QUESTIONS, "strict")}
        self.rows: list[TrialRow] = []
        self.costs = {unit: array("d") for unit in COST_UNITS}
        self.wrong: dict[int, Blame] = {}
        self.wrong_count = self.violated = self.harness_retries = self.contaminated = 0
        self.failed_first: tuple[int, str] | None = None
        self.unmet: Counter[tuple[str, str]] = Counter()
        self.never_ran: Counter[tuple[str, str]] = Counter()

    @property
    def planned(self) -> int:
        """Planned trials, or those seen when they are more."""
        return max(self._planned, self.seen)

    @property
    def unplanned(self) -> int:
        """Trials seen beyond the plan."""
        return max(0, self.seen - self._planned) if self._planned else 0

    def add(self, trial: GradedTrial, verdicts: Judged) -> None:
        """Count one trial."""
        self._see(trial.grade.trial)
        self.contaminated += trial.facts.contaminated
        for question in (*QUESTIONS, "strict"):
            self.verdicts[question][getattr(verdicts, question)] += 1
        self._add_costs(trial)
        self._add_reasons(trial, verdicts)

    def _see(self, trial: int) -> None:
        """Remember a trial's index; each may be counted once."""
        if not 0 <= trial < _MOST_TRIALS:
            raise RecordError(f"task {self.task.id!r}: the index of a trial must lie within 0 to {_MOST_TRIALS - 1}, not {trial}.")
        self._seen.extend(bytes(max(0, trial + 1 - len(self._seen))))
        if self._seen[trial]:
            raise RecordError(f"task {self.task.id!r}: trial {trial} was given twice; every trial counts once.")
        self._seen[trial] = 1
        self.seen += 1

    def _add_costs(self, trial: GradedTrial) -> None:
        """Keep the known costs of a trial."""
        facts = trial.facts
        for unit, cost in (("usd", facts.usd), ("tokens", facts.tokens), ("calls", facts.calls), ("seconds", facts.seconds)):
            if cost is not None:
                self.costs[unit].append(cost)
        self.harness_retries += facts.attempts > 1

    def _add_reasons(self, trial: GradedTrial, verdicts: Judged) -> None:
        """Keep why a trial did not pass."""
        index = trial.grade.trial
        row = trial_row(trial, verdicts)
        if index < self.rows_kept:
            self.rows.append(row)
        if verdicts.strict is Verdict.FAIL and (self.failed_first is None or index < self.failed_first[0]):
            self.failed_first = (index, row.reason)
        self.violated += verdicts.safety is Verdict.FAIL
        if verdicts.process is Verdict.FAIL:
            self._add_unmet(trial)
        if verdicts.wrong_reason:
            self._add_wrong(index, blame(trial.grade, verdicts, ("process", "safety")))

    def _add_unmet(self, trial: GradedTrial) -> None:
        """Count the required calls that a trial did not meet."""
        for requirement in unmet(trial.grade):
            key = (requirement.id, requirement.call)
            self.unmet[key] += 1
            self.never_ran[key] += requirement.status == "missing" and requirement.nearest is None

    def _add_wrong(self, index: int, why: Blame | None) -> None:
        """Keep the first trials that were right for the wrong reason."""
        self.wrong_count += 1
        if why:
            self.wrong[index] = why
        if len(self.wrong) > _LISTED_TRIALS:
            del self.wrong[max(self.wrong)]

    def count(self, criterion: Criterion) -> TaskCount | None:
        """Return passed, scored and planned trials under a criterion; `None` when the task does not ask the question."""
        found = self.verdicts[criterion]
        passed, scored, silent = found[Verdict.PASS], found[Verdict.PASS] + found[Verdict.FAIL], found[Verdict.NOT_APPLICABLE]
        if silent and silent == self.seen:
            return None
        return TaskCount(passed, scored, self.planned - silent)

    def wrong_reason(self) -> WrongReason | None:
        """Return the task's line among the right answers for the wrong reason; `None`: it has none."""
        if not self.wrong:
            return None
        trials = tuple(sorted(self.wrong))
        first = self.wrong[trials[0]]
        scored = self.count("strict") or TaskCount(0, 0, 0)
        return WrongReason(
            task=self.task.id,
            kind=self.task.kind,
            trials=trials,
            count=self.wrong_count,
            scored=scored.scored,
            question=first.question,
            reason=first.reason,
            requirement=first.requirement,
            step=first.step,
        )

    def row(self) -> TaskRow:
        """Return the task's line in the task table."""
        task = self.task
        strict = self.count("strict") or TaskCount(0, 0, 0)
        outcome = self.count("outcome") or TaskCount(0, 0, 0)
        unmet_rows = (UnmetRow(key[0], key[1], trials, self.never_ran[key]) for key, trials in sorted(self.unmet.items()))
        return TaskRow(
            task=task.id,
            kind=task.kind,
            split=task.split,
            stakes=task.stakes,
            slices=task.slices,
            critical=task.critical,
            planned=self.planned,
            scored=strict.scored,
            passed=strict.passed,
            outcome_scored=outcome.scored,
            outcome_passed=outcome.passed,
            wrong_reason=self.wrong_count,
            violated=self.violated,
            unknown=strict.unknown,
            reason=self.failed_first[1] if self.failed_first else "",
            unmet=tuple(unmet_rows),
            trials=tuple(sorted(self.rows, key=lambda row: row.trial)),
            contract=task.contract_hash,
            costs=MeanCosts(**{unit: fsum(costs) / len(costs) for unit, costs in self.costs.items() if costs}),
        )
