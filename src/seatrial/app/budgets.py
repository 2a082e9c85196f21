"""Propose ceilings from the trials that passed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from seatrial.app.disclosure import withholding_for
from seatrial.app.reporting import graded_trials
from seatrial.base.errors import UsageError
from seatrial.base.wording import listed
from seatrial.records.contract import Budget
from seatrial.records.grade import Verdict
from seatrial.records.graded import GradedTrial
from seatrial.store import RunFile
from seatrial.suite import write_budgets
from seatrial.suite.load import read_top, task_parts
from seatrial.suite.task import task_id

HEADROOM = 1.5
"""A ceiling stands at this multiple of the largest passing trial."""
BUDGET_QUESTIONS = ("outcome", "process", "safety")
SHOWN = 5
"""Names that an error lists."""


@dataclass(frozen=True)
class Proposal:
    """A ceiling proposed for one task.

    Args:
        task: Id of the task.
        passing: Trials that it rests on.
        budget: The proposed ceilings; a part is `None` when the run does not know what was used.
    """

    task: str
    passing: int
    budget: Budget


@dataclass(frozen=True)
class Proposals:
    """What a run proposes to a suite.

    Args:
        budgets: Ceilings for the suite's tasks, by id.
        unknown: Names of tasks that passed in the run and that the suite lacks; those of a holdout that lies apart are none of them.
        stranger: Name of the run's suite when it is another one; empty: it is this one.
        failed: Tasks of the suite that the run holds and none of whose trials passed: there is nothing to measure.
        not_run: How many tasks of the suite the run does not hold.
    """

    budgets: tuple[Proposal, ...]
    unknown: tuple[str, ...]
    stranger: str = ""
    failed: tuple[str, ...] = ()
    not_run: int = 0


@dataclass(frozen=True)
class Written:
    """What was written of proposals.

    Args:
        files: The files that changed.
        tasks: The tasks whose ceilings are others than before, and with them the contracts; by id.
    """

    files: tuple[Path, ...]
    tasks: tuple[str, ...]


def propose(suite: Path, run: Path) -> Proposals:
    """Return ceilings for every task that passed at least once: one and a half times the most that a passing trial used.

    A trial passes here when outcome, process and safety pass, whatever its budget was.

    Args:
        suite: The suite's folder; its world is not needed.
        run: The run file.

    Raises:
        SuiteError: The suite's files cannot be read.
        RunFileError: The run file cannot be read.
    """
    tasks, name = {task_id(part) for part in task_parts(suite)}, read_top(suite).get("name")
    with RunFile.open(run) as file:
        manifest, passing, run_tasks = file.manifest, _passing(file), file.tasks().keys()
    of, apart = manifest.suite, set(manifest.holdout.tasks) if manifest.holdout is not None else set()
    known = tuple(Proposal(task, len(trials), _budget(trials)) for task, trials in sorted(passing.items()) if task in tasks)
    return Proposals(
        known,
        unknown=tuple(sorted(set(passing) - tasks - apart)),
        stranger="" if name is not None and name.value == of else of,
        failed=tuple(sorted((tasks & run_tasks) - set(passing))),
        not_run=len(tasks - run_tasks),
    )


def named_openly(proposals: Proposals, run: Path) -> Proposals:
    """Return proposals as they may be shown: tasks of the holdout stand under other names.

    Args:
        proposals: What the run proposes.
        run: The run file.

    Raises:
        RunFileError: The run file cannot be read.
    """
    with RunFile.open(run) as file:
        names = withholding_for(file)
    return replace(
        proposals,
        budgets=tuple(replace(one, task=names.named(one.task)) for one in proposals.budgets),
        unknown=tuple(map(names.named, proposals.unknown)),
        failed=tuple(map(names.named, proposals.failed)),
    )


def write_proposed(suite: Path, proposals: Proposals) -> Written:
    """Write proposed ceilings into a suite's task files, comments kept.

    Args:
        suite: The suite's folder.
        proposals: What a run proposes.

    Raises:
        UsageError: The run is not one of this suite, or holds tasks that the suite lacks; nothing is written.
        SuiteError: A file cannot be edited without changing more than its budgets.
    """
    if proposals.stranger:
        raise UsageError(f"the run is of the suite {proposals.stranger!r}, not of {suite}; nothing is written. Give a run of this suite")
    if proposals.unknown:
        raise UsageError(
            f"the suite {suite} lacks {listed(proposals.unknown, SHOWN)}, which the run holds; nothing is written. "
            "Run the suite again as it is now, and measure that"
        )
    before = _asked(suite)
    files = write_budgets(suite, {one.task: one.budget for one in proposals.budgets})
    after = _asked(suite)
    return Written(files, tuple(one.task for one in proposals.budgets if after[one.task] != before[one.task]))


def _asked(suite: Path) -> dict[str, object]:
    """Return task → what it asks for, as it is written."""
    return {task_id(part): part.value for part in task_parts(suite)}


def _passing(file: RunFile) -> dict[str, list[GradedTrial]]:
    passing: dict[str, list[GradedTrial]] = {}
    for one in graded_trials(file):
        if _passed(one):
            passing.setdefault(one.grade.task, []).append(one)
    return passing


def _passed(one: GradedTrial) -> bool:
    verdicts = [one.grade.answers[question].verdict for question in BUDGET_QUESTIONS]
    return Verdict.PASS in verdicts and all(verdict in (Verdict.PASS, Verdict.NOT_APPLICABLE) for verdict in verdicts)


def _budget(trials: Iterable[GradedTrial]) -> Budget:
    facts = [one.facts for one in trials]
    calls = _most([fact.calls for fact in facts])
    tokens = _most([fact.tokens for fact in facts])
    usd = _most([fact.usd for fact in facts])
    return Budget(
        calls=None if calls is None else max(1, math.ceil(HEADROOM * calls)),
        tokens=math.ceil(HEADROOM * tokens) if tokens else None,
        usd=round(HEADROOM * usd, 6) if usd else None,
    )


def _most(values: list[int | None] | list[float | None] | list[int | float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return max(known) if len(known) == len(values) and known else None
