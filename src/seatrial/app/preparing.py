"""What a run is made of: the selected tasks, the candidates, and the run file that each of them writes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import structs

from seatrial import __version__
from seatrial.agents import Agent, make_agent
from seatrial.app.baselines import read_pin
from seatrial.app.judging import Judge
from seatrial.app.loading import LoadedSuite
from seatrial.app.options import RunOptions
from seatrial.app.proof_file import proof_note
from seatrial.app.redacting import redacted_manifest, redacted_task, redactor_for
from seatrial.app.reference import with_references
from seatrial.base.canonical import content_hash
from seatrial.base.clock import Clock
from seatrial.base.errors import UsageError
from seatrial.base.redaction import Redactor
from seatrial.base.wording import count
from seatrial.records.holdout import HoldoutNote
from seatrial.records.manifest import Candidate, Manifest, PlannedTask
from seatrial.records.task import Task
from seatrial.run import select
from seatrial.store import RunFile


@dataclass
class CandidateRun:
    """The run of one candidate.

    Args:
        agent: The candidate.
        path: Its run file.
        manifest: What this call asks for.
        file: The run file, while it is open.
        finished: Trials (task, trial) that need not be run.
        unknown: Trials that are stored and left success unknown: they are run again.
    """

    agent: Agent
    path: Path
    manifest: Manifest
    file: RunFile | None = None
    finished: set[tuple[str, int]] = field(default_factory=set)
    unknown: set[tuple[str, int]] = field(default_factory=set)

    @property
    def asked(self) -> set[tuple[str, int]]:
        """The trials that this call asks for."""
        return {(one.task, trial) for one in self.manifest.plan for trial in range(one.trials)}

    @property
    def opened(self) -> RunFile:
        """The run file, known to be open."""
        if self.file is None:
            raise RuntimeError("the run file is not open")
        return self.file


@dataclass(frozen=True)
class SelectedTasks:
    """The tasks of a run, twice: as the world plays them and as the run file holds them.

    Args:
        tasks: As they are played, outcomes resolved.
        judge: Judges by them as they are stored: redacted where the suite says so.
        redactor: What redacts; `None`: nothing is redacted.
    """

    tasks: tuple[Task, ...]
    judge: Judge
    redactor: Redactor | None


def prepare(
    loaded: LoadedSuite, targets: Sequence[str], options: RunOptions, *, clock: Clock
) -> tuple[SelectedTasks, tuple[CandidateRun, ...]]:
    """Select the tasks, compile their contracts, make the agents and name their run files; nothing is written.

    Args:
        loaded: The suite.
        targets: What stands behind `--agent`, one a candidate.
        options: How to run.
        clock: Says when the run was made.

    Returns:
        The tasks and the run of each candidate, its file not yet open.

    Raises:
        UsageError: An agent cannot be made, two would share a file, or a filter is wrong.
        SuiteError: A reference path that is needed fails, or a contract cannot be judged by.
    """
    tasks, redactor = with_references(loaded, select(loaded.suite.tasks, options.selection)), redactor_for(loaded)
    stored = {task.id: redacted_task(task, redactor) for task in tasks}
    plan = tuple(PlannedTask(task.id, stored[task.id].contract_hash, loaded.suite.trials_for(task, options.trials)) for task in tasks)
    common = redacted_manifest(_manifest(loaded, plan, options, clock, redactor), redactor)
    judge = Judge.of_suite(loaded, stored, tools=common.tools, documents=common.documents)
    judge.compile()
    # Names and hashes of ours, which are no texts of the suite: a pattern that redacts must not spoil them.
    common = structs.replace(common, normal_forms=judge.forms.all(), baseline=read_pin(loaded.suite.folder), redacts=_redacts(loaded))
    runs = [_candidate_run(loaded, target, common, options, several=len(targets) > 1) for target in targets]
    if len({run.path for run in runs}) < len(runs):
        raise UsageError("two agents would share one run file; give them different names, or run them apart")
    return SelectedTasks(tasks, judge, redactor), tuple(runs)


def _manifest(loaded: LoadedSuite, plan: tuple[PlannedTask, ...], options: RunOptions, clock: Clock, redactor: Redactor | None) -> Manifest:
    """Return what the manifests of all candidates have in common."""
    suite = loaded.suite
    return Manifest(
        suite.name,
        suite.version,
        suite.hash,
        Candidate(""),
        options.seed,
        plan=plan,
        tools=loaded.tools,
        world=loaded.definition.hash,
        documents=dict(suite.documents),
        headline_k=suite.defaults.k,
        because=suite.defaults.because,
        seatrial=__version__,
        created_at=clock.now(),
        partial=options.selection.text,
        redaction=redactor.fingerprint if redactor is not None else "",
        gate=suite.gate,
        business=suite.business,
        stubs_checked=suite.stubs_checked,
        risks=suite.risks,
        notes=(*(one.note for one in suite.exceptions), *_fewer(loaded, plan)),
        proof=proof_note(loaded),
        canaries=loaded.suite.canaries,
        holdout=_holdout_note(loaded, plan),
    )


def _fewer(loaded: LoadedSuite, plan: Sequence[PlannedTask]) -> tuple[str, ...]:
    """Return the note of a run that gives some tasks fewer trials than the suite asks for; empty: it gives none fewer."""
    tasks = {task.id: task for task in loaded.suite.tasks}
    short = [one for one in plan if one.trials < loaded.suite.trials_for(tasks[one.task])]
    if not short:
        return ()
    asked, given = (sum(trials) for trials in ([loaded.suite.trials_for(tasks[one.task]) for one in short], [one.trials for one in short]))
    return (f"{count(len(short), 'task')} got fewer trials than the suite asks for: {given:,} in place of {asked:,}",)


def _redacts(loaded: LoadedSuite) -> str:
    """Return the hash of what is replaced before anything is written; empty: nothing is."""
    redact = loaded.suite.redact
    return content_hash((sorted(redact.fields), sorted(redact.patterns))) if redact.fields or redact.patterns else ""


def _holdout_note(loaded: LoadedSuite, plan: Sequence[PlannedTask]) -> HoldoutNote | None:
    """Return what the manifest says of the holdout that was given; `None`: none was."""
    if loaded.holdout is None:
        return None
    return HoldoutNote(loaded.holdout.hash, tuple(sorted(one.task for one in plan if loaded.lies_apart(one.task))))


def _candidate_run(loaded: LoadedSuite, target: str, common: Manifest, options: RunOptions, *, several: bool) -> CandidateRun:
    agent = make_agent(target, loaded.suite.folder)
    candidate = structs.replace(agent.candidate, tools=loaded.tools_hash, policy=content_hash(loaded.suite.documents))
    manifest = structs.replace(common, candidate=candidate)
    return CandidateRun(agent, _path(manifest, options, several=several), manifest)


def _path(manifest: Manifest, options: RunOptions, *, several: bool) -> Path:
    """Return where a run goes: runs that must not be mixed have different names."""
    mark = content_hash((manifest.candidate.hash, manifest.suite_hash, manifest.world, manifest.seed, manifest.redaction))[:8]
    name = re.sub(r"[^A-Za-z0-9._-]", "_", f"{manifest.suite}-{manifest.candidate.name}-{mark}.seatrial")
    if options.output is None:
        return Path("runs") / name
    return options.output / name if several else options.output
