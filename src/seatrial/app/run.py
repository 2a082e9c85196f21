"""Run candidates on a suite: plan, execute, record, grade as they come."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from seatrial import __version__
from seatrial.agents import Agent, make_agent
from seatrial.app.loading import LoadedSuite
from seatrial.app.options import RunOptions
from seatrial.app.redacting import redacted_task, redacted_trace, redactor_for
from seatrial.app.reference import with_references
from seatrial.base import catalogue
from seatrial.base.canonical import content_hash
from seatrial.base.clock import Clock
from seatrial.base.errors import UsageError
from seatrial.base.redaction import Redactor
from seatrial.base.seeds import derive
from seatrial.grade import CompiledTask, compile_task, grade
from seatrial.records.grade import Grade, Verdict
from seatrial.records.manifest import Manifest, PlannedTask
from seatrial.records.task import Task
from seatrial.records.trace import Step, Trace, Versions
from seatrial.run import PlannedTrial, TrialJob, plan_trials, select
from seatrial.run.stop import Stop
from seatrial.store import RunFile
from seatrial.world import TaskWorld

Watcher = Callable[[Trace, Grade], None]
"""Called with every finished trial and its grade."""


@dataclass
class Sailing:
    """One candidate at sea: its agent, its run file, what is finished.

    Args:
        agent: The candidate.
        path: Its run file.
        manifest: What the run is made of.
    """

    agent: Agent
    path: Path
    manifest: Manifest
    file: RunFile | None = None
    finished: set[tuple[str, int]] = field(default_factory=set)


@dataclass(frozen=True)
class RunResult:
    """What a call of `run_candidates` left behind.

    Args:
        paths: Run files, one a candidate, in the order of the agents.
        stopped: Why the run stopped early; empty: it is complete.
        interrupted: Whether a person stopped it.
        ran: Trials that were run now.
        skipped: Trials that were finished before.
    """

    paths: tuple[Path, ...]
    stopped: str
    interrupted: bool
    ran: int
    skipped: int


@dataclass(frozen=True)
class Planned:
    """What a run would do.

    Args:
        tasks: The selected tasks, outcomes resolved.
        trials: Trials in all, over all candidates, finished ones not counted.
        finished: Trials finished before.
        paths: Run files.
    """

    tasks: tuple[Task, ...]
    trials: int
    finished: int
    paths: tuple[Path, ...]


@dataclass(frozen=True)
class Cargo:
    """The tasks of a run, twice: as the world plays them and as the run file holds them.

    Args:
        tasks: As they are played, outcomes resolved.
        stored: Id → the task as it is stored and judged: redacted where the suite says so.
        redactor: What redacts; `None`: nothing is redacted.
    """

    tasks: tuple[Task, ...]
    stored: Mapping[str, Task]
    redactor: Redactor | None


def load_cargo(loaded: LoadedSuite, options: RunOptions) -> Cargo:
    """Select the tasks and resolve their outcomes.

    Raises:
        UsageError: A filter is wrong.
        SuiteError: A reference path that is needed fails.
    """
    redactor = redactor_for(loaded.suite)
    tasks = with_references(loaded, select(loaded.suite.tasks, options.selection))
    return Cargo(tasks, {task.id: redacted_task(task, redactor) for task in tasks}, redactor)


def prepare(loaded: LoadedSuite, targets: Sequence[str], options: RunOptions, *, clock: Clock) -> tuple[Cargo, list[Sailing]]:
    """Select the tasks, make the agents and name their run files.

    Args:
        loaded: The suite.
        targets: What stands behind `--agent`, one a candidate.
        options: How to run.
        clock: Says when the run was made.

    Returns:
        The tasks and one `Sailing` a candidate, its file not yet open.

    Raises:
        UsageError: An agent cannot be made, two would share a file, or a filter is wrong.
    """
    cargo = load_cargo(loaded, options)
    agents = [make_agent(target, loaded.suite.folder) for target in targets]
    plan = tuple(
        PlannedTask(task.id, cargo.stored[task.id].contract_hash, loaded.suite.trials_for(task, options.trials)) for task in cargo.tasks
    )
    sailings = [_sailing(loaded, agent, plan, options, clock, len(agents)) for agent in agents]
    if len({sailing.path for sailing in sailings}) < len(sailings):
        raise UsageError("two agents would share one run file; give them different names, or run them apart")
    return cargo, sailings


def planned(loaded: LoadedSuite, targets: Sequence[str], options: RunOptions, *, clock: Clock) -> Planned:
    """Tell what a run would do, without doing it."""
    cargo, sailings = prepare(loaded, targets, options, clock=clock)
    done = [_finished_in(sailing) for sailing in sailings]
    every = {(one.task, trial) for one in sailings[0].manifest.plan for trial in range(one.trials)}
    left = sum(len(every - finished) for finished in done)
    return Planned(cargo.tasks, left, len(every) * len(done) - left, tuple(sailing.path for sailing in sailings))


def run_candidates(
    loaded: LoadedSuite,
    targets: Sequence[str],
    options: RunOptions,
    *,
    clock: Clock,
    stop: Stop | None = None,
    watch: Watcher | None = None,
    follow: Callable[[Step], None] | None = None,
) -> RunResult:
    """Run candidates on a suite, interleaved in time, one run file each; finished trials are never run again.

    Args:
        loaded: The suite.
        targets: What stands behind `--agent`, one a candidate.
        options: How to run.
        clock: Says when the run was made.
        stop: Lets others stop the run.
        watch: Called with every finished trial and its grade.
        follow: Called with every step as it happens.

    Raises:
        UsageError: The options, the agents or an existing run file do not fit.
        RunFileError: A run file cannot be written.
    """
    cargo, sailings = prepare(loaded, targets, options, clock=clock)
    crew = _Crew(loaded, cargo, sailings, options, stop or Stop(), watch, follow)
    with crew:
        catalogue.load("engine", options.engine).execute(crew.jobs(), on_trace=crew.record, stop=crew.stop, concurrency=options.concurrency)
    paths = tuple(sailing.path for sailing in sailings)
    return RunResult(paths, crew.stop.reason, crew.stop.interrupted, crew.ran, crew.skipped)


class _Crew:
    """Everything that one call of `run_candidates` holds open."""

    def __init__(
        self,
        loaded: LoadedSuite,
        cargo: Cargo,
        sailings: Sequence[Sailing],
        options: RunOptions,
        stop: Stop,
        watch: Watcher | None,
        follow: Callable[[Step], None] | None,
    ) -> None:
        self.loaded, self.cargo, self.sailings, self.options = loaded, cargo, sailings, options
        self.stop, self.watch, self.follow = stop, watch, follow
        self.by_hash = {sailing.manifest.candidate.hash: sailing for sailing in sailings}
        self.compiled: dict[str, CompiledTask] = {}
        self.worlds: dict[str, TaskWorld] = {}
        self.spent, self.unpriced, self.ran, self.skipped = 0.0, 0, 0, 0

    def __enter__(self) -> None:
        for sailing in self.sailings:
            sailing.file = _open(sailing, tuple(self.cargo.stored.values()))
            sailing.finished = sailing.file.finished()

    def __exit__(self, *_: object) -> None:
        for sailing in self.sailings:
            if sailing.file is not None:
                sailing.file.close()

    def jobs(self) -> Iterator[TrialJob]:
        """Yield the trials that are not finished, the candidates taking turns."""
        counts = {one.task: one.trials for one in self.sailings[0].manifest.plan}
        for planned_trial in plan_trials(self.cargo.tasks, lambda task: counts[task.id], seed=self.options.seed):
            for sailing in self.sailings:
                if (planned_trial.task.id, planned_trial.trial) in sailing.finished:
                    self.skipped += 1
                else:
                    yield self._job(sailing, planned_trial)

    def _job(self, sailing: Sailing, planned_trial: PlannedTrial) -> TrialJob:
        task, loaded = planned_trial.task, self.loaded
        if task.id not in self.worlds:
            self.worlds[task.id] = loaded.world(task)
        return TrialJob(
            task,
            self._compiled(task).contract,
            self.worlds[task.id],
            sailing.agent,
            sailing.manifest.candidate.hash,
            loaded.suite.name,
            planned_trial.trial,
            derive(self.options.seed, task.id, planned_trial.trial),
            tools=loaded.tools,
            documents=loaded.suite.documents,
            versions=Versions(__version__, sailing.manifest.world, loaded.tools_hash),
            retries=self.options.retries,
            timeout=self.options.timeout,
            watch=self.follow,
        )

    def _compiled(self, task: Task) -> CompiledTask:
        if task.id not in self.compiled:
            self.compiled[task.id] = compile_task(self.cargo.stored[task.id], self.loaded.tools, documents=self.loaded.suite.documents)
        return self.compiled[task.id]

    def record(self, trace: Trace) -> None:
        """Store a finished trial, then grade it; a grade can be made again, a trial cannot."""
        trace = redacted_trace(trace, self.cargo.redactor)
        sailing = self.by_hash[trace.identity.candidate_hash]
        assert sailing.file is not None  # noqa: S101 - files are open while the crew is at sea
        sailing.file.append(trace)
        graded = grade(self.compiled[trace.identity.task], trace)
        sailing.file.put_grades([graded])
        self.ran += 1
        self._account(trace)
        if self.options.stop_on_failure and graded.strict is Verdict.FAIL:
            self.stop.ask(f"task {graded.task!r}, trial {graded.trial} failed (-x)")
        if self.watch is not None:
            self.watch(trace, graded)

    def _account(self, trace: Trace) -> None:
        known = [usage.usd for usage in (trace.usage, *(attempt.usage for attempt in trace.attempts)) if usage.usd is not None]
        self.spent += sum(known)
        limit = self.options.max_usd
        if limit is not None and self.spent >= limit:
            self.stop.ask(f"the run has cost ${self.spent:.4f} of at most ${limit:g} (--max-cost)")


def _sailing(loaded: LoadedSuite, agent: Agent, plan: tuple[PlannedTask, ...], options: RunOptions, clock: Clock, crews: int) -> Sailing:
    manifest = _manifest(loaded, agent, plan, options, clock)
    return Sailing(agent, _path(loaded.suite.name, manifest, options, crews), manifest)


def _manifest(loaded: LoadedSuite, agent: Agent, plan: tuple[PlannedTask, ...], options: RunOptions, clock: Clock) -> Manifest:
    from msgspec import structs

    suite = loaded.suite
    candidate = structs.replace(agent.candidate, tools=loaded.tools_hash, policy=content_hash(suite.documents))
    return Manifest(
        suite.name,
        suite.version,
        suite.hash,
        candidate,
        options.seed,
        plan=plan,
        tools=loaded.tools,
        world=loaded.definition.hash,
        documents=suite.documents,
        headline_k=suite.defaults.k,
        because=suite.defaults.because,
        seatrial=__version__,
        created_at=clock.now(),
        partial=options.selection.text,
    )


def _path(suite: str, manifest: Manifest, options: RunOptions, crews: int) -> Path:
    name = re.sub(r"[^A-Za-z0-9._-]", "_", f"{suite}-{manifest.candidate.name}-{manifest.candidate.hash[:8]}.seatrial")
    if options.output is None:
        return Path("runs") / name
    return options.output / name if crews > 1 else options.output


def _finished_in(sailing: Sailing) -> set[tuple[str, int]]:
    if not sailing.path.exists():
        return set()
    with RunFile.open(sailing.path) as file:
        _check_same(file.manifest, sailing)
        return file.finished()


def _open(sailing: Sailing, tasks: Sequence[Task]) -> RunFile:
    if not sailing.path.exists():
        sailing.path.parent.mkdir(parents=True, exist_ok=True)
        return RunFile.create(sailing.path, sailing.manifest, tasks)
    file = RunFile.open(sailing.path, write=True)
    try:
        _check_same(file.manifest, sailing)
    except UsageError:
        file.close()
        raise
    return file


def _check_same(stored: Manifest, sailing: Sailing) -> None:
    """Refuse to mix two runs in one file."""
    now = sailing.manifest
    pairs: Mapping[str, tuple[object, object]] = {
        "suite": ((stored.suite, stored.suite_hash), (now.suite, now.suite_hash)),
        "candidate": (stored.candidate.hash, now.candidate.hash),
        "seed": (stored.seed, now.seed),
        "world": (stored.world, now.world),
        "plan (tasks, trials or filters)": (stored.plan, now.plan),
    }
    changed = [name for name, (before, after) in pairs.items() if before != after]
    if changed:
        raise UsageError(
            f"{sailing.path} holds another run: {', '.join(changed)} changed. Give another file with -o, or move this one away"
        )
