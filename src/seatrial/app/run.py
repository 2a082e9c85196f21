"""Run candidates on a suite: plan, execute, record, grade as they come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from seatrial.app.changes import spare
from seatrial.app.disclosure import names_withheld
from seatrial.app.executing import Observers, RunExecution, Watcher
from seatrial.app.loading import LoadedSuite, errors_withheld
from seatrial.app.options import RunOptions
from seatrial.app.preparing import CandidateRun, SelectedTasks, prepare
from seatrial.app.resuming import finished_in
from seatrial.base import catalogue
from seatrial.base.clock import Clock
from seatrial.base.errors import InfrastructureError, RunFileError
from seatrial.records.task import Task
from seatrial.run import Follower, Stop
from seatrial.store import RunFile


@dataclass(frozen=True)
class RunResult:
    """What a call of `run_candidates` left behind.

    Args:
        paths: Run files, one a candidate, in the order of the agents.
        stopped: Why the run stopped early; empty: it is complete.
        interrupted: Whether a person stopped it.
        ran: Trials that were run now.
        skipped: Trials that were finished before.
        unpriced: Trials whose cost is not known, so that a ceiling of cost cannot see them.
    """

    paths: tuple[Path, ...]
    stopped: str
    interrupted: bool
    ran: int
    skipped: int
    unpriced: int


@dataclass(frozen=True)
class Planned:
    """What a run would do.

    Args:
        tasks: The selected tasks, outcomes resolved.
        trials: Trials in all, over all candidates, finished ones not counted.
        finished: Trials finished before.
        paths: Run files.
        seconds: Wall seconds that it would take at the pace of earlier trials in the same files; `None`: there are none.
        usd: US dollars that it would cost by the mean of those trials; `None`: there are none of known cost.
        spared: What `--changed-since` found, one sentence each; empty: it was not asked.
    """

    tasks: tuple[Task, ...]
    trials: int
    finished: int
    paths: tuple[Path, ...]
    seconds: float | None = None
    usd: float | None = None
    spared: tuple[str, ...] = ()


def planned(loaded: LoadedSuite, targets: Sequence[str], options: RunOptions, *, clock: Clock) -> Planned:
    """Tell what a run would do, without doing it.

    Args:
        loaded: The suite.
        targets: What stands behind `--agent`, one a candidate.
        options: How to run.
        clock: Says when the run would be made.

    Raises:
        UsageError: The options, the agents or an existing run file do not fit.
    """
    with errors_withheld(loaded.apart):
        options, spared = spare(loaded, targets, options, clock=clock)
        plan = replace(_planned(*prepare(loaded, targets, options, clock=clock)), spared=spared)
    pace, usd = _experience([path for path in plan.paths if path.exists()])
    return replace(
        plan,
        seconds=None if pace is None else pace * plan.trials / options.concurrency,
        usd=None if usd is None else usd * plan.trials,
    )


def _experience(paths: Sequence[Path]) -> tuple[float | None, float | None]:
    """Return pace and mean cost of the trials in some run files."""
    paces: list[float] = []
    costs: list[float] = []
    for path in paths:
        with RunFile.open(path) as file:
            paces += [file.manifest.pace] if file.manifest.pace is not None else []
            costs += [header.usd for header in file.headers() if header.usd is not None]
    return (sum(paces) / len(paces) if paces else None, sum(costs) / len(costs) if costs else None)


def _planned(selected: SelectedTasks, runs: Sequence[CandidateRun]) -> Planned:
    every, trials = sum(len(run.asked) for run in runs), sum(len(run.asked - finished_in(run)) for run in runs)
    return Planned(selected.tasks, trials, every - trials, tuple(run.path for run in runs))


def run_candidates(
    loaded: LoadedSuite,
    targets: Sequence[str],
    options: RunOptions,
    *,
    clock: Clock,
    stop: Stop | None = None,
    begin: Callable[[Planned], None] | None = None,
    watch: Watcher | None = None,
    follow: Follower | None = None,
) -> RunResult:
    """Run candidates on a suite, interleaved in time, one run file each; finished trials are never run again.

    Args:
        loaded: The suite.
        targets: What stands behind `--agent`, one a candidate.
        options: How to run.
        clock: Says when the run was made.
        stop: Lets others stop the run.
        begin: Called with what is going to be done.
        watch: Called with every finished trial and its grade.
        follow: Called with every step as it happens.

    Raises:
        UsageError: The options, the agents or an existing run file do not fit.
        RunFileError: A run file cannot be made or opened.
        InfrastructureError: A run file could no longer be written while the run was on; what was stored is intact.
    """
    stop, engine = stop or Stop(), catalogue.load("engine", options.engine)
    with errors_withheld(loaded.apart):
        options, spared = spare(loaded, targets, options, clock=clock)
        selected, runs = prepare(loaded, targets, options, clock=clock)
    execution = RunExecution(loaded, selected, runs, options, Observers(clock, stop, watch, follow))
    plan = replace(_planned(selected, runs), spared=spared)
    if begin is not None:
        begin(plan)
    opened = False
    try:
        with errors_withheld(loaded.apart), names_withheld(loaded.suite.tasks), execution:
            opened = True
            engine.execute(execution.jobs(), on_trace=execution.record, stop=stop, concurrency=options.concurrency)
    except RunFileError as error:
        if opened:
            raise InfrastructureError(str(error)) from error
        raise
    return RunResult(plan.paths, stop.reason, stop.interrupted, execution.ran, execution.skipped, execution.unpriced)
