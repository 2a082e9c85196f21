"""The crew of one call of `run_candidates`: hands out the trials, stores what comes back, grades it, keeps account."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from msgspec import structs

from seatrial import __version__
from seatrial.app.loading import LoadedSuite
from seatrial.app.options import RunOptions
from seatrial.app.redacting import redacted_trace
from seatrial.app.resuming import open_run
from seatrial.app.sailing import Cargo, Sailing
from seatrial.base.clock import Clock
from seatrial.base.seeds import derive
from seatrial.grade import CompiledTask, compile_task, grade
from seatrial.records.grade import Grade, Verdict
from seatrial.records.task import Task
from seatrial.records.trace import Trace, Usage, Versions
from seatrial.run import Follower, PlannedTrial, Stop, TrialJob, as_attempt, plan_trials
from seatrial.store import RunFile
from seatrial.world import TaskWorld

Watcher = Callable[[Trace, Grade], None]
"""Called with every finished trial and its grade."""
GRADES_AT_ONCE = 50
"""Grades that wait to be stored together; a grade that was lost is made again from its trace."""


@dataclass(frozen=True)
class Bridge:
    """Who commands a run, and who hears of it while it lasts.

    Args:
        clock: Says how long it takes.
        stop: Reasons to stop early.
        trial: Called with every finished trial and its grade; `None`: nobody.
        step: Called with every step as it happens; `None`: nobody.
    """

    clock: Clock
    stop: Stop
    trial: Watcher | None = None
    step: Follower | None = None


class Crew:
    """Everything that one call of `run_candidates` holds open.

    Args:
        loaded: The suite.
        cargo: The tasks.
        sailings: The candidates.
        options: How to run.
        bridge: Who commands it and hears of it.
    """

    def __init__(self, loaded: LoadedSuite, cargo: Cargo, sailings: Sequence[Sailing], options: RunOptions, bridge: Bridge) -> None:
        self.loaded, self.cargo, self.sailings, self.options = loaded, cargo, sailings, options
        self._bridge = bridge
        self.ran = self.skipped = self.unpriced = 0
        self.spent = 0.0
        self._began = 0.0
        self._by_hash = {sailing.manifest.candidate.hash: sailing for sailing in sailings}
        self._versions = Versions(__version__, loaded.definition.hash, loaded.tools_hash)
        self._compiled: dict[str, CompiledTask] = {}
        self._worlds: dict[str, TaskWorld] = {}
        self._waiting: dict[str, list[Grade]] = {name: [] for name in self._by_hash}

    def __enter__(self) -> None:
        """Open the run files."""
        self._began = self._bridge.clock.seconds()
        order = [task.id for task in self.loaded.suite.tasks]
        try:
            for sailing in self.sailings:
                open_run(sailing, self.cargo.stored, order)
                if sailing.file is not None and self.options.max_usd is not None:
                    self._recall(sailing.file)
        except BaseException:
            self._close()
            raise

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Store the grades that wait and close the run files."""
        try:
            if kind is None:
                for name in self._by_hash:
                    self._store_grades(name)
                self._store_pace()
        finally:
            self._close()

    def jobs(self) -> Iterator[TrialJob]:
        """Yield the trials that are not finished, the candidates taking turns."""
        counts = {one.task: one.trials for one in self.sailings[0].manifest.plan}
        for planned_trial in plan_trials(self.cargo.tasks, lambda task: counts[task.id], seed=self.options.seed):
            for sailing in self.sailings:
                if (planned_trial.task.id, planned_trial.trial) in sailing.finished:
                    self.skipped += 1
                else:
                    yield self._job(sailing, planned_trial)

    def record(self, trace: Trace) -> None:
        """Store a finished trial, then grade it; a grade can be made again, a trial cannot.

        Args:
            trace: The trial, as it happened.

        Raises:
            RunFileError: The disk is full or failed.
        """
        name = trace.identity.candidate_hash
        self._account([trace.usage, *(attempt.usage for attempt in trace.attempts)])
        trace = self._stored(self._by_hash[name], redacted_trace(trace, self.cargo.redactor))
        graded = grade(self._contract(trace.identity.task), trace)
        self._waiting[name].append(graded)
        if len(self._waiting[name]) >= GRADES_AT_ONCE:
            self._store_grades(name)
        self.ran += 1
        if self.options.stop_on_failure and graded.strict is Verdict.FAIL:
            self._bridge.stop.ask(f"task {graded.task!r}, trial {graded.trial} failed (-x)")
        if self._bridge.trial is not None:
            self._bridge.trial(trace, graded)

    def _job(self, sailing: Sailing, planned_trial: PlannedTrial) -> TrialJob:
        task, loaded = planned_trial.task, self.loaded
        if task.id not in self._worlds:
            self._worlds[task.id] = loaded.world(task)
        return TrialJob(
            task,
            self._contract(task.id).contract,
            self._worlds[task.id],
            sailing.agent,
            sailing.manifest.candidate.hash,
            loaded.suite.name,
            planned_trial.trial,
            derive(self.options.seed, task.id, planned_trial.trial),
            tools=loaded.tools,
            documents=loaded.suite.documents,
            versions=self._versions,
            retries=self.options.retries,
            timeout=self.options.timeout,
            watch=self._bridge.step,
        )

    def _contract(self, task: str) -> CompiledTask:
        if task not in self._compiled:
            stored: Task = self.cargo.stored[task]
            manifest = self.sailings[0].manifest
            self._compiled[task] = compile_task(stored, manifest.tools, documents=manifest.documents)
        return self._compiled[task]

    def _stored(self, sailing: Sailing, trace: Trace) -> Trace:
        """Store a trace and return it; the attempts of an earlier call, which left it unknown, stay in front of its own."""
        file, key = _file(sailing), (trace.identity.task, trace.identity.trial)
        if key in sailing.unknown:
            before = file.read(*key)
            trace = structs.replace(trace, attempts=(*before.attempts, as_attempt(before), *trace.attempts))
            sailing.unknown.discard(key)
        file.append(trace)
        return trace

    def _store_grades(self, name: str) -> None:
        waiting, self._waiting[name] = self._waiting[name], []
        _file(self._by_hash[name]).put_grades(waiting)

    def _store_pace(self) -> None:
        if self.ran:
            pace = (self._bridge.clock.seconds() - self._began) * self.options.concurrency / self.ran
            for sailing in self.sailings:
                file = _file(sailing)
                file.replan(structs.replace(file.manifest, pace=pace), ())

    def _recall(self, file: RunFile) -> None:
        """Count what the run has cost before."""
        for header in file.headers():
            trace = file.read(header.task, header.trial) if header.attempts else None
            attempts = [attempt.usage for attempt in trace.attempts] if trace is not None else []
            self._account([Usage(usd=header.usd), *attempts])

    def _account(self, usages: Sequence[Usage]) -> None:
        known = [usage.usd for usage in usages if usage.usd is not None]
        self.unpriced += len(known) < len(usages)
        self.spent += sum(known)
        limit = self.options.max_usd
        if limit is not None and self.spent >= limit:
            self._bridge.stop.ask(f"the run has cost ${self.spent:.4f} of at most ${limit:g} (--max-cost); a higher one goes on")

    def _close(self) -> None:
        for sailing in self.sailings:
            if sailing.file is not None:
                sailing.file.close()
                sailing.file = None


def _file(sailing: Sailing) -> RunFile:
    if sailing.file is None:
        raise RuntimeError("the run file is not open")
    return sailing.file
