"""Check a suite: load it, lint it, sail its reference paths and the agent that does nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from msgspec import structs

from seatrial.agents import make_agent
from seatrial.app.loading import LoadedSuite
from seatrial.app.reference import ReferenceRun, filled, job_of, run_references
from seatrial.grade import compile_task, grade
from seatrial.records.grade import Grade, Verdict
from seatrial.records.task import Task
from seatrial.records.trace import Change, ToolCall, Trace
from seatrial.run import run_trial
from seatrial.suite import Finding, lint
from seatrial.suite.finding import about_task


@dataclass(frozen=True)
class Checked:
    """What a check found.

    Args:
        tasks: Tasks of the suite.
        references: Reference paths that were sailed.
        findings: What is wrong or weak, errors first.
    """

    tasks: int
    references: int
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return sum(finding.level == "error" for finding in self.findings)


def check(loaded: LoadedSuite) -> Checked:
    """Check a loaded suite.

    Args:
        loaded: The suite; that it loaded is the first half of the check.

    Returns:
        The findings: those of the lint, reference paths that fail, tasks that an agent passes which does nothing.
    """
    runs = list(run_references(loaded, loaded.suite.tasks))
    tasks = {task.id: task for task in (_resolved(task, runs) for task in loaded.suite.tasks)}
    broken = [finding for run in runs for finding in _of_reference(loaded, tasks[run.task.id], run)]
    linted = lint(loaded.suite, null_passes=_null_passes(loaded, tasks.values()), reference_changes=_changes(runs))
    found = sorted((*broken, *linted), key=lambda finding: finding.level != "error")
    return Checked(len(tasks), len(runs), tuple(found))


def _resolved(task: Task, runs: Sequence[ReferenceRun]) -> Task:
    """Return a task whose open outcomes hold what the reference path did, right or wrong."""
    mine = {run.alternative: run.trace for run in runs if run.task.id == task.id}
    alternatives = tuple(filled(one, mine[one.name].changes) if one.name in mine else one for one in task.contract.alternatives)
    return structs.replace(task, contract=structs.replace(task.contract, alternatives=alternatives))


def _of_reference(loaded: LoadedSuite, task: Task, run: ReferenceRun) -> Iterator[Finding]:
    name = f" of {run.alternative!r}" if run.alternative else ""
    if run.problem:
        yield about_task(
            loaded.suite, task, "reference_fails", f"the reference path{name} {run.problem}", "mend the path or the fixture", level="error"
        )
        return
    for step in run.trace.calls:
        if step.failure is not None:
            yield _failed_read(loaded, task, name, step)
    graded = _graded(loaded, task, run.trace)
    if graded.strict is not Verdict.PASS:
        question, reason = _first_failure(graded)
        message = f"the reference path{name} does not pass its own contract: {question}: {reason}"
        yield about_task(loaded.suite, task, "reference_not_strict", message, "mend the contract or write `reference:`", level="error")


def _failed_read(loaded: LoadedSuite, task: Task, name: str, step: ToolCall) -> Finding:
    told = step.failure.message if step.failure else ""
    return about_task(
        loaded.suite,
        task,
        "reference_read_errors",
        f"the reference path{name} makes a read that errors: {step.tool} answered {told!r}",
        "check that the record it looks for is in the fixture",
    )


def _graded(loaded: LoadedSuite, task: Task, trace: Trace) -> Grade:
    return grade(compile_task(task, loaded.tools, documents=loaded.suite.documents), trace)


def _first_failure(graded: Grade) -> tuple[str, str]:
    for question, answer in graded.answers.items():
        if answer.verdict not in (Verdict.PASS, Verdict.NOT_APPLICABLE):
            return question, answer.reason
    return "nothing", "no question applies"


def _null_passes(loaded: LoadedSuite, tasks: Iterable[Task]) -> list[str]:
    """Return the tasks that an agent passes which does nothing."""
    nobody = make_agent("null", loaded.suite.folder)
    traces = ((task, asyncio.run(run_trial(job_of(loaded, task, nobody)))) for task in tasks)
    return [task.id for task, trace in traces if _graded(loaded, task, trace).strict in (Verdict.PASS, Verdict.NOT_APPLICABLE)]


def _changes(runs: Sequence[ReferenceRun]) -> dict[str, tuple[Change, ...]]:
    found: dict[str, tuple[Change, ...]] = {}
    for run in runs:
        found[run.task.id] = found.get(run.task.id, ()) + run.trace.changes
    return found
