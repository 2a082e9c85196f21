"""One call of `run_candidates`: hands out the trials, stores what comes back, grades it, keeps account."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from msgspec import structs

from seatrial import __version__
from seatrial.app.loading import LoadedSuite
from seatrial.app.options import RunOptions
from seatrial.app.preparing import CandidateRun, SelectedTasks
from seatrial.app.redacting import redacted_trace
from seatrial.app.resuming import finished_in, open_run
from seatrial.app.withholding import aliases_of
from seatrial.base.clock import Clock
from seatrial.base.errors import RunFileError
from seatrial.base.seeds import derive
from seatrial.records.grade import GRADER_VERSION, Grade, Verdict
from seatrial.records.trace import Trace, Usage, Versions
from seatrial.run import Follower, PlannedTrial, Stop, TrialJob, as_attempt, plan_trials
from seatrial.store import RunFile
from seatrial.world import TaskWorld

Watcher = Callable[[Trace, Grade], None]
"""Called with every finished trial and its grade."""
GRADES_AT_ONCE = 50
"""Grades that wait to be stored together; a grade that was lost is made again from its trace."""


@dataclass(frozen=True)
class Observers:
    """What a run looks at, and who hears of it, while it lasts.

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


class RunExecution:
    """Everything that one call of `run_candidates` holds open.

    Args:
        loaded: The suite.
        selected: The tasks.
        runs: The run of each candidate.
        options: How to run.
        observers: What it looks at, and who hears of it.
    """

    def __init__(
        self, loaded: LoadedSuite, selected: SelectedTasks, runs: Sequence[CandidateRun], options: RunOptions, observers: Observers
    ) -> None:
        self.loaded, self.selected, self.runs, self.options = loaded, selected, runs, options
        self._observers, self._judge = observers, selected.judge
        self.ran = self.skipped = self.unpriced = 0
        self.spent = 0.0
        self._began = 0.0
        self._by_hash = {run.manifest.candidate.hash: run for run in runs}
        self._versions = Versions(__version__, loaded.definition.hash, loaded.tools_hash)
        self._worlds: dict[str, TaskWorld] = {}
        self._waiting: dict[str, list[Grade]] = {name: [] for name in self._by_hash}

    def __enter__(self) -> None:
        """Make the worlds and open the run files; when that fails, no file is left that was not there before."""
        self._began = self._observers.clock.seconds()
        self._make_worlds()
        order, made = [task.id for task in self.loaded.suite.tasks], [run for run in self.runs if not run.path.exists()]
        try:
            for run in self.runs:
                open_run(run, self._judge.tasks, order)
                self._catch_up(run.opened)
        except BaseException:
            opened = [run for run in made if run.file is not None]
            self._close()
            for run in opened:
                run.path.unlink(missing_ok=True)
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
        counts = {one.task: one.trials for one in self.runs[0].manifest.plan}
        for planned_trial in plan_trials(self.selected.tasks, lambda task: counts[task.id], seed=self.options.seed):
            for run in self.runs:
                if (planned_trial.task.id, planned_trial.trial) in run.finished:
                    self.skipped += 1
                else:
                    yield self._job(run, planned_trial)

    def record(self, trace: Trace) -> None:
        """Store a finished trial, then grade it; a grade can be made again, a trial cannot.

        Args:
            trace: The trial, as it happened.

        Raises:
            RunFileError: The disk is full or failed.
        """
        name = trace.identity.candidate_hash
        self._account([trace.usage, *(attempt.usage for attempt in trace.attempts)])
        trace = self._stored(self._by_hash[name], redacted_trace(trace, self.selected.redactor))
        graded = self._judge.grade(trace)
        self._waiting[name].append(graded)
        if len(self._waiting[name]) >= GRADES_AT_ONCE:
            self._store_grades(name)
        self.ran += 1
        if self.options.stop_on_failure and graded.strict is Verdict.FAIL:
            self._observers.stop.ask(f"task {self._named(graded.task)!r}, trial {graded.trial} failed (-x)")
        if self._observers.trial is not None:
            self._observers.trial(trace, graded)

    def _named(self, task: str) -> str:
        """Return the name that a task may be shown under."""
        return aliases_of([self._judge.tasks[task]]).get(task, task)

    def _make_worlds(self) -> None:
        left = {task for run in self.runs for task, _ in run.asked - finished_in(run)}
        self._worlds = {task.id: self.loaded.world(task) for task in self.selected.tasks if task.id in left}

    def _job(self, run: CandidateRun, planned_trial: PlannedTrial) -> TrialJob:
        task, loaded = planned_trial.task, self.loaded
        return TrialJob(
            task,
            self._judge.compiled(task.id).contract,
            self._worlds[task.id],
            run.agent,
            run.manifest.candidate.hash,
            loaded.suite.name,
            planned_trial.trial,
            derive(self.options.seed, task.id, planned_trial.trial),
            tools=loaded.tools,
            documents=loaded.suite.documents,
            versions=self._versions,
            retries=self.options.retries,
            timeout=self.options.timeout,
            watch=self._observers.step,
        )

    def _stored(self, run: CandidateRun, trace: Trace) -> Trace:
        """Store a trace and return it; the attempts of an earlier call, which left it unknown, stay in front of its own."""
        file, key = run.opened, (trace.identity.task, trace.identity.trial)
        if key in run.unknown:
            before = file.read(*key)
            trace = structs.replace(trace, attempts=(*before.attempts, as_attempt(before), *trace.attempts))
            run.unknown.discard(key)
        file.append(trace)
        return trace

    def _store_grades(self, name: str) -> None:
        file, forms = self._by_hash[name].opened, self._judge.forms
        waiting, self._waiting[name] = self._waiting[name], []
        if len(forms) > len(file.manifest.normal_forms):
            file.replan(structs.replace(file.manifest, normal_forms=forms.all()), ())
        file.put_grades(waiting)

    def _store_pace(self) -> None:
        if self.ran:
            pace = (self._observers.clock.seconds() - self._began) * self.options.concurrency / self.ran
            for run in self.runs:
                run.opened.replan(structs.replace(run.opened.manifest, pace=pace), ())

    def _catch_up(self, file: RunFile) -> None:
        """Take over from earlier calls on the same file: what they cost, what they learned, what they did not come to grade."""
        if self.options.max_usd is not None:
            self._recall(file)
        self._judge.forms.learn(file.manifest.normal_forms)
        # Reports make missing grades from the file alone, which cannot answer for a suite's own functions.
        if self.loaded.definition.normalisers or self.loaded.definition.invariants:
            file.put_grades(list(self._ungraded(file)))

    def _ungraded(self, file: RunFile) -> Iterator[Grade]:
        graded = {(one.task, one.trial) for one in file.grades() if one.grader == GRADER_VERSION}
        for task, trial in sorted(file.finished() - graded):
            # A damaged trial is told by reports, with the way out; it keeps no other from being run.
            with suppress(RunFileError):
                if task in self._judge.tasks:
                    yield self._judge.grade(file.read(task, trial))

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
            self._observers.stop.ask(f"the run has cost ${self.spent:.4f} of at most ${limit:g} (--max-cost); a higher one goes on")

    def _close(self) -> None:
        for run in self.runs:
            if run.file is not None:
                run.file.close()
                run.file = None
