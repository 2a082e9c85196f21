"""Check a suite: load it, lint it, play its reference paths and the agent that does nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from seatrial.agents import make_agent
from seatrial.app.judging import Judge
from seatrial.app.loading import LoadedSuite
from seatrial.app.redacting import refuse_blind_matchers
from seatrial.app.reference import ReferenceRun, filled, is_open, job_of, run_references
from seatrial.base.canonical import canonical
from seatrial.grade.ends import outlasted
from seatrial.grade.view import TraceView
from seatrial.records.grade import Answer, Grade, Verdict
from seatrial.records.trace import Change, ToolCall, Trace
from seatrial.run import run_trial
from seatrial.suite import Finding, lint
from seatrial.suite.canary import canary_from
from seatrial.suite.finding import about_task
from seatrial.suite.holdout import HOLDOUT_FILE
from seatrial.suite.load import SUITE_FILE


@dataclass(frozen=True)
class Checked:
    """What a check found.

    Args:
        tasks: Tasks of the suite.
        references: Reference paths that were played.
        findings: What is wrong or weak, errors first.
        hints: What would be better still, one sentence each.
    """

    tasks: int
    references: int
    findings: tuple[Finding, ...]
    hints: tuple[str, ...] = ()

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

    Raises:
        SuiteError: A contract cannot be judged by, or a record breaks the schema.
    """
    refuse_blind_matchers(loaded)
    runs = tuple(run_references(loaded, loaded.suite.tasks))
    tasks = {task.id: filled(task, runs) for task in loaded.suite.tasks}
    judge = Judge.of_suite(loaded, tasks, tools=loaded.tools, documents=loaded.suite.documents)
    broken = [finding for run in runs for finding in reference_findings(loaded, judge, run)]
    linted = lint(loaded.suite, null_passes=_null_passes(loaded, judge), reference_changes=_changes(runs), fixtures=_fixture_texts(loaded))
    found = sorted((*broken, *linted), key=lambda finding: finding.level != "error")
    return Checked(len(tasks), sum(run.played for run in runs), tuple(found), tuple(_hints(loaded)))


def _hints(loaded: LoadedSuite) -> Iterator[str]:
    """Yield a canary where there is none: it follows from all that the files hold, so that nobody without them can guess it."""
    suite, holdout = loaded.suite, loaded.holdout
    if not suite.canary:
        yield _WITHOUT_CANARY.format(SUITE_FILE, canary_from(["suite", suite.name, suite.hash]))
    if holdout is not None and not holdout.canary:
        yield _WITHOUT_CANARY.format(HOLDOUT_FILE, canary_from(["holdout", holdout.suite, holdout.hash]))


_WITHOUT_CANARY = "nothing shows that an agent has read these files; write into {}: `canary: {}`"


_RIGHT_PATH = "mend the contract, or write under `reference:` the path that is right (`{say: …}` asks the user, `{refuse: true}` declines)"


def reference_findings(loaded: LoadedSuite, judge: Judge, run: ReferenceRun) -> Iterator[Finding]:
    """Yield what is wrong with a reference path that was played.

    Args:
        loaded: The suite.
        judge: Judges its tasks.
        run: The path, played.
    """
    suite, task, name = loaded.suite, run.task, _name(run)
    if run.trace is None:
        yield _not_played(loaded, run)
    elif run.problem:
        yield about_task(suite, task, "reference_fails", f"{name} {run.problem}", "mend the path or the fixture", level="error")
    elif _not_met(judge, run):
        message = f"{name} meets no fault that outlasts the retries, so it shows nothing"
        fix = "let the task's faults outlast the retries, or write the calls that fail under `when_fault: {reference: …}`"
        yield about_task(suite, task, "reference_meets_no_fault", message, fix)
    else:
        yield from _of_trace(loaded, judge, run, run.trace)


def _of_trace(loaded: LoadedSuite, judge: Judge, run: ReferenceRun, trace: Trace) -> Iterator[Finding]:
    suite, task, name = loaded.suite, run.task, _name(run)
    for step in trace.calls:
        if step.failure is not None and not run.under_faults:
            yield _failed_read(loaded, run, step)
    graded = judge.grade(trace)
    if graded.strict is not Verdict.PASS:
        question, answer = _first_failure(graded)
        broken = answer.verdict is Verdict.ERROR
        told = "cannot be judged, for a function of the suite broke" if broken else "does not pass its own contract"
        fix = "mend the function; what it meets is whatever an agent may do" if broken else _RIGHT_PATH
        yield about_task(suite, task, "reference_not_strict", f"{name} {told}: {question}: {answer.reason}", fix, level="error")


def _not_played(loaded: LoadedSuite, run: ReferenceRun) -> Finding:
    needed = is_open(run.way)
    fix = "write `outcome: {changes: …}`" if needed else "give the fault another schedule (`nth`, `first`, `when`), or try it in a run"
    message, level = f"{_name(run)} {run.problem}", "error" if needed else "warning"
    return about_task(loaded.suite, run.task, "reference_not_played", message, fix, level=level)


def _name(run: ReferenceRun) -> str:
    if run.after_fault:
        return "the reference path of `when_fault`"
    return f"the reference path of {run.way.name!r}" if run.way.name else "the reference path"


def _failed_read(loaded: LoadedSuite, run: ReferenceRun, step: ToolCall) -> Finding:
    told = step.failure.message if step.failure else ""
    message = f"{_name(run)} makes a read that errors: {step.tool} answered {told!r}"
    return about_task(loaded.suite, run.task, "reference_read_errors", message, "check that the record it looks for is in the fixture")


def _not_met(judge: Judge, run: ReferenceRun) -> bool:
    """Tell whether a path that is right only after a fault met none that outlasted the retries."""
    compiled = judge.compiled(run.task.id)
    return run.after_fault and run.trace is not None and outlasted(TraceView(run.trace), compiled.retries, compiled.identity) is None


def _first_failure(graded: Grade) -> tuple[str, Answer]:
    """Return the first question that failed, else the first that could not be answered."""
    bad = [one for one in graded.answers.items() if one[1].verdict not in (Verdict.PASS, Verdict.NOT_APPLICABLE)]
    failed = [one for one in bad if one[1].verdict is Verdict.FAIL]
    return (*failed, *bad, ("nothing", Answer(Verdict.NOT_APPLICABLE, "no question applies")))[0]


def _null_passes(loaded: LoadedSuite, judge: Judge) -> list[str]:
    """Return the tasks that an agent passes which does nothing."""
    nobody = make_agent("null", loaded.suite.folder)
    traces = ((task, asyncio.run(run_trial(job_of(loaded, task, nobody)))) for task in judge.tasks.values())
    return [task.id for task, trace in traces if judge.grade(trace).strict in (Verdict.PASS, Verdict.NOT_APPLICABLE)]


def _fixture_texts(loaded: LoadedSuite) -> dict[str, str]:
    """Return the text of every fixture that a task uses, by what it is called; none where there is no canary to look for."""
    if not loaded.suite.canaries:
        return {}
    names = {task.fixture.use for task in loaded.suite.tasks}
    found = {name: loaded.fixture(name) for name in sorted(names)}
    return {f"the fixture {name!r}": each.sql if each.sql is not None else canonical(each.records).decode() for name, each in found.items()}


def _changes(runs: Sequence[ReferenceRun]) -> dict[str, tuple[Change, ...]]:
    found: dict[str, tuple[Change, ...]] = {}
    for run in runs:
        if run.trace is not None:
            found[run.task.id] = found.get(run.task.id, ()) + run.trace.changes
    return found
