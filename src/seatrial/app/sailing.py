"""What goes to sea: the selected tasks, the candidates, and the run file that each of them writes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import structs

from seatrial import __version__
from seatrial.agents import Agent, make_agent
from seatrial.app.loading import LoadedSuite
from seatrial.app.options import RunOptions
from seatrial.app.redacting import redacted_manifest, redacted_task, redactor_for
from seatrial.app.reference import with_references
from seatrial.base.canonical import content_hash
from seatrial.base.clock import Clock
from seatrial.base.errors import UsageError
from seatrial.base.redaction import Redactor
from seatrial.records.manifest import Manifest, PlannedTask
from seatrial.records.task import Task
from seatrial.run import select
from seatrial.store import RunFile


@dataclass
class Sailing:
    """One candidate at sea.

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

    Args:
        loaded: The suite.
        options: How to run.

    Raises:
        UsageError: A filter is wrong.
        SuiteError: A reference path that is needed fails.
    """
    tasks = with_references(loaded, select(loaded.suite.tasks, options.selection))
    redactor = redactor_for(loaded)
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
    manifests = [redacted_manifest(_manifest(loaded, agent, cargo, options, clock), cargo.redactor) for agent in agents]
    paths = [_path(manifest, options, several=len(agents) > 1) for manifest in manifests]
    if len(set(paths)) < len(paths):
        raise UsageError("two agents would share one run file; give them different names, or run them apart")
    return cargo, [Sailing(*parts) for parts in zip(agents, paths, manifests, strict=True)]


def _manifest(loaded: LoadedSuite, agent: Agent, cargo: Cargo, options: RunOptions, clock: Clock) -> Manifest:
    suite = loaded.suite
    candidate = structs.replace(agent.candidate, tools=loaded.tools_hash, policy=content_hash(suite.documents))
    return Manifest(
        suite.name,
        suite.version,
        suite.hash,
        candidate,
        options.seed,
        plan=tuple(PlannedTask(task.id, cargo.stored[task.id].contract_hash, _trials(loaded, task, options)) for task in cargo.tasks),
        tools=loaded.tools,
        world=loaded.definition.hash,
        documents=dict(suite.documents),
        headline_k=suite.defaults.k,
        because=suite.defaults.because,
        seatrial=__version__,
        created_at=clock.now(),
        partial=options.selection.text,
        redaction=cargo.redactor.fingerprint if cargo.redactor is not None else "",
    )


def _trials(loaded: LoadedSuite, task: Task, options: RunOptions) -> int:
    return loaded.suite.trials_for(task, options.trials)


def _path(manifest: Manifest, options: RunOptions, *, several: bool) -> Path:
    """Return where a run goes: runs that must not be mixed have different names."""
    mark = content_hash((manifest.candidate.hash, manifest.suite_hash, manifest.world, manifest.seed, manifest.redaction))[:8]
    name = re.sub(r"[^A-Za-z0-9._-]", "_", f"{manifest.suite}-{manifest.candidate.name}-{mark}.seatrial")
    if options.output is None:
        return Path("runs") / name
    return options.output / name if several else options.output
