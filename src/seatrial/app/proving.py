"""Prove a suite: show that its contracts and rules notice what is wrong, and let pass what is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import repeat
from pathlib import Path

import msgspec

from seatrial.app.checking import reference_findings
from seatrial.app.judging import Judge
from seatrial.app.loading import LoadedSuite, load
from seatrial.app.mutating import Play, Played, Playground
from seatrial.app.proof_tally import ProofPart, ProofTally, joined
from seatrial.app.redacting import refuse_blind_matchers
from seatrial.app.reference import ReferenceRun, filled, run_references
from seatrial.app.risks import prove_risks
from seatrial.base import catalogue
from seatrial.base.errors import InfrastructureError, NothingSelected
from seatrial.records.proof import Proof
from seatrial.records.task import Task
from seatrial.run import Stop, TrialJob

Watch = Callable[[int, int], None]
"""Called with the tasks done and the tasks there are."""
MANY = 40
"""Tasks from which on several processes are worth their start."""
_PARTS = 4
"""Parts that each process is given, so that all end at about the same time."""


def prove(loaded: LoadedSuite, *, only: Sequence[str] = (), processes: int = 1, watch: Watch | None = None) -> Proof:
    """Prove a suite.

    Args:
        loaded: The suite.
        only: Globs of the tasks to look at; empty: all, and the risk list too.
        processes: How many processes may share the work; more than one read the suite again from its folder.
        watch: Called as tasks are done.

    Returns:
        The proof: the same for the same suite, byte for byte, however many processes made it.

    Raises:
        NothingSelected: No task has such an id.
        SuiteError: A contract cannot be judged by.
        InfrastructureError: A process died.
    """
    refuse_blind_matchers(loaded)
    tasks = _selected(loaded, only)
    shared = processes > 1 and len(tasks) >= MANY
    parts = list(_shared(loaded, tasks, processes, watch) if shared else [prove_part(loaded, tasks, watch)])
    return joined(loaded, parts, risks=() if only else prove_risks(loaded), partial=bool(only))


def prove_part(loaded: LoadedSuite, tasks: Sequence[Task], watch: Watch | None = None) -> ProofPart:
    """Play the mutants of some tasks of a suite.

    Args:
        loaded: The suite.
        tasks: Tasks of it.
        watch: Called as tasks are done.

    Raises:
        SuiteError: A contract cannot be judged by.
    """
    runs = tuple(run_references(loaded, tasks))
    known = {task.id: filled(task, runs) for task in tasks}
    judge = Judge.of_suite(loaded, known, tools=loaded.tools, documents=loaded.suite.documents)
    tally, playground = ProofTally(judge, loaded.suite.holes), Playground(loaded, judge)
    plays = ((done, playground.plays(task.id, [run for run in runs if run.task.id == task.id])) for done, task in enumerate(tasks))
    _play(plays, tally, (lambda done: watch(done + 1, len(tasks))) if watch is not None else lambda _: None)
    return tally.part(references=sum(run.played for run in runs), errors=_errors(loaded, judge, runs))


def _play(plays: Iterable[tuple[int, Iterator[Play | Played]]], tally: ProofTally, told: Callable[[int], None]) -> None:
    """Play what is to be played, one trial after the other, and count it; an interrupt ends the whole."""
    waiting: list[Play] = []

    def jobs() -> Iterator[TrialJob]:
        for done, found in plays:
            for one in found:
                if isinstance(one, Play):
                    waiting.append(one)
                    yield one.job
                else:
                    tally.add(one)
            told(done)

    stop = Stop()
    engine = catalogue.load("engine", "local")
    engine.execute(jobs(), on_trace=lambda trace: tally.add(waiting.pop().result(trace)), stop=stop, concurrency=1)
    if stop.interrupted:
        raise KeyboardInterrupt


def _shared(loaded: LoadedSuite, tasks: Sequence[Task], processes: int, watch: Watch | None) -> Iterator[ProofPart]:
    """Yield the parts that several processes make."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    slices = [[task.id for task in tasks[start :: processes * _PARTS]] for start in range(processes * _PARTS)]
    folder, done = str(loaded.suite.folder.resolve()), 0
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        try:
            for data in pool.map(_part_of, repeat(folder), [names for names in slices if names]):
                part = msgspec.json.decode(data, type=ProofPart)
                done += len({count[0] for count in part.counts})
                if watch is not None:
                    watch(done, len(tasks))
                yield part
        except BrokenProcessPool as error:
            raise InfrastructureError("a process that played mutants died; --processes 1 plays them all in this one") from error
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _part_of(folder: str, names: Sequence[str]) -> bytes:
    """Return a part as JSON; runs in a process of its own."""
    loaded = _loaded(folder)
    return msgspec.json.encode(prove_part(loaded, [task for task in loaded.suite.tasks if task.id in set(names)]))


@lru_cache(maxsize=1)
def _loaded(folder: str) -> LoadedSuite:
    return load(Path(folder))


def _selected(loaded: LoadedSuite, only: Sequence[str]) -> list[Task]:
    tasks = [task for task in loaded.suite.tasks if not only or any(glob == task.id or fnmatchcase(task.id, glob) for glob in only)]
    if not tasks:
        raise NothingSelected(f"the suite has no task {' or '.join(map(repr, only))}")
    return tasks


def _errors(loaded: LoadedSuite, judge: Judge, runs: Iterable[ReferenceRun]) -> Iterator[str]:
    """Yield the right ways that do not pass, and every rule that one of them breaks."""
    for run in runs:
        yield from (f"{found.task}: {found.message}" for found in reference_findings(loaded, judge, run) if found.level == "error")
        violations = judge.grade(run.trace).violations if run.trace is not None and not run.problem else ()
        yield from (f"{run.task.id}: the reference path breaks the rule {one.rule}: {one.reason}" for one in violations)
