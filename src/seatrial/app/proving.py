"""Prove a suite: show that its contracts and rules notice what is wrong, and let pass what is right."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from seatrial.app.checking import reference_findings
from seatrial.app.judging import Judge
from seatrial.app.loading import LoadedSuite
from seatrial.app.mutating import Playground
from seatrial.app.proof_tally import ProofTally
from seatrial.app.redacting import refuse_blind_matchers
from seatrial.app.reference import ReferenceRun, filled, run_references
from seatrial.app.risks import prove_risks
from seatrial.base.errors import NothingSelected
from seatrial.records.proof import Proof
from seatrial.records.task import Task


def prove(loaded: LoadedSuite, *, only: Sequence[str] = (), watch: Callable[[int, int], None] | None = None) -> Proof:
    """Prove a suite.

    Args:
        loaded: The suite.
        only: Globs of the tasks to look at; empty: all, and the risk list too.
        watch: Called with the tasks done and the tasks there are.

    Returns:
        The proof: the same for the same suite, byte for byte.

    Raises:
        NothingSelected: No task has such an id.
        SuiteError: A contract cannot be judged by.
    """
    refuse_blind_matchers(loaded)
    tasks = _selected(loaded, only)
    runs = tuple(run_references(loaded, tasks))
    judge = _judge(loaded, tasks, runs)
    tally, playground = ProofTally(loaded, judge), Playground(loaded, judge)
    for done, task in enumerate(tasks):
        for played in asyncio.run(playground.play(task.id, [run for run in runs if run.task.id == task.id])):
            tally.add(played)
        if watch is not None:
            watch(done + 1, len(tasks))
    return tally.proof(
        references=sum(run.played for run in runs),
        errors=list(_errors(loaded, judge, runs)),
        risks=() if only else prove_risks(loaded, judge=judge),
        partial=bool(only),
    )


def _selected(loaded: LoadedSuite, only: Sequence[str]) -> list[Task]:
    tasks = [task for task in loaded.suite.tasks if not only or any(glob == task.id or fnmatchcase(task.id, glob) for glob in only)]
    if not tasks:
        raise NothingSelected(f"the suite has no task {' or '.join(map(repr, only))}")
    return tasks


def _judge(loaded: LoadedSuite, tasks: Iterable[Task], runs: Sequence[ReferenceRun]) -> Judge:
    known = {task.id: filled(task, runs) for task in tasks}
    return Judge.of_suite(loaded, known, tools=loaded.tools, documents=loaded.suite.documents)


def _errors(loaded: LoadedSuite, judge: Judge, runs: Iterable[ReferenceRun]) -> Iterator[str]:
    """Yield the right ways that do not pass, and every rule that one of them breaks."""
    for run in runs:
        yield from (f"{found.task}: {found.message}" for found in reference_findings(loaded, judge, run) if found.level == "error")
        violations = judge.grade(run.trace).violations if run.trace is not None and not run.problem else ()
        yield from (f"{run.task.id}: the reference path breaks the rule {one.rule}: {one.reason}" for one in violations)
