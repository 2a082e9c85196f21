"""Critical tasks have a bar of their own: each of them passes at least so large a share of its trials, in every split.

They are counted, not estimated: each is this very task and no sample of others. Unknown trials are counted both ways.
"""

from __future__ import annotations

from msgspec import Struct

from seatrial.base.wording import count
from seatrial.gate._choosing import Share
from seatrial.gate._naming import named
from seatrial.gate.evidence import Evidence
from seatrial.records.decision import RuleResult
from seatrial.records.grade import Verdict
from seatrial.records.summary import TaskRow
from seatrial.records.task import Kind

NAME = "critical_tasks"


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """The bar of each critical task."""

    at_least: Share = 1.0
    """Share of its trials that pass all four questions."""
    kind: Kind | None = None
    """Only critical tasks of this kind; `None`: both."""


def evaluate(evidence: Evidence, arguments: Arguments) -> RuleResult:
    """Hold every critical task against the bar.

    Args:
        evidence: The whole run is looked at.
        arguments: The bar.

    Returns:
        Fail when a task stays under the bar even if its unknown trials passed; inconclusive when one does if they failed, or when no task
        is critical; else pass.
    """
    rows = [row for row in evidence.summary.tasks if row.critical and row.scored + row.unknown and arguments.kind in (None, row.kind)]
    if not rows:
        which = f"critical {arguments.kind} task" if arguments.kind else "critical task"
        return RuleResult(NAME, "inconclusive", f"the run has no {which}: mark those that must not fail with `critical: true`")
    missed = [row for row in rows if row.passed + row.unknown < arguments.at_least * (row.scored + row.unknown)]
    if missed:
        reason = f"{len(missed)} of {count(len(rows), 'critical task')} passed fewer trials than {_bar(arguments)} ({_shown(missed)})"
        return RuleResult(NAME, "fail", reason, _failed(missed), limit=arguments.at_least)
    open_ = [row for row in rows if row.passed < arguments.at_least * (row.scored + row.unknown)]
    if open_:
        reason = f"{len(open_)} of {count(len(rows), 'critical task')} may pass fewer trials than {_bar(arguments)} ({_shown(open_)})"
        return RuleResult(NAME, "inconclusive", reason, tuple(row.task for row in open_), limit=arguments.at_least)
    trials = sum(row.scored for row in rows)
    passed = f"all {count(len(rows), 'critical task')} passed {_bar(arguments)}, {count(trials, 'trial')} in all"
    return RuleResult(NAME, "pass", passed, limit=arguments.at_least)


def _bar(arguments: Arguments) -> str:
    """Return the bar in words."""
    return "every trial" if arguments.at_least == 1 else f"{100 * arguments.at_least:g} % of their trials"


def _shown(rows: list[TaskRow]) -> str:
    """Return some tasks with their counts."""
    return named([f"{row.task} {row.passed}/{row.scored}{f' and {row.unknown} unknown' if row.unknown else ''}" for row in rows])


def _failed(rows: list[TaskRow]) -> tuple[str, ...]:
    """Return the failed trials of some tasks; a task alone when none of them is listed."""
    found = [(row.task, [trial.trial for trial in row.trials if trial.strict is Verdict.FAIL]) for row in rows]
    return tuple(name for task, trials in found for name in ([f"{task}#{trial}" for trial in trials] or [task]))
