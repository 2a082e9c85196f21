"""Every regression task is strict on every planned trial: what worked once must never break again."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from seatrial.base.wording import count
from seatrial.gate._naming import named
from seatrial.gate.evidence import Evidence
from seatrial.records.decision import RuleResult
from seatrial.records.grade import Verdict
from seatrial.records.summary import TaskRow

NAME = "regression_strict"


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """None are taken."""


def evaluate(evidence: Evidence, arguments: Arguments) -> RuleResult:  # noqa: ARG001 - every rule is called alike
    """Judge the regression tasks of a run.

    Args:
        evidence: The run's summary is looked at.
        arguments: None are taken.

    Returns:
        Fail when a trial of a regression task failed; inconclusive when one is unknown, or when there is no regression task;
        else pass.
    """
    tasks = [row for row in evidence.summary.tasks if row.kind == "regression" and row.scored + row.unknown]
    if not tasks:
        return RuleResult(NAME, "inconclusive", "the run has no regression task")
    failed = [row for row in tasks if row.passed < row.scored]
    if failed:
        reason = f"{len(failed)} of {count(len(tasks), 'regression task')} failed a trial ({named([row.task for row in failed])})"
        return RuleResult(NAME, "fail", reason, _trials(failed, Verdict.FAIL))
    unknown = [row for row in tasks if row.unknown]
    if unknown:
        lost = f"{count(sum(row.unknown for row in unknown), 'trial')} of {count(len(unknown), 'regression task')}"
        reason = f"{lost} without a known result ({named([row.task for row in unknown])})"
        return RuleResult(NAME, "inconclusive", reason, _trials(unknown, Verdict.UNDETERMINED))
    trials = sum(row.scored for row in tasks)
    return RuleResult(NAME, "pass", f"all {count(trials, 'trial')} of {count(len(tasks), 'regression task')} passed all four questions")


def _trials(rows: Sequence[TaskRow], verdict: Verdict) -> tuple[str, ...]:
    """Return the listed trials of a verdict as `task#trial`; a task alone when none of them is listed."""
    found = [(row.task, [trial.trial for trial in row.trials if trial.strict is verdict]) for row in rows]
    return tuple(name for task, trials in found for name in ([f"{task}#{trial}" for trial in trials] or [task]))
