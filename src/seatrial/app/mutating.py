"""Play mutants of right ways, and agents that should fail, in the real world: a fresh trial each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec
from msgspec import structs

from seatrial.agents import Agent, make_agent
from seatrial.app.judging import Judge
from seatrial.app.loading import LoadedSuite
from seatrial.app.reference import ReferenceRun, job_of
from seatrial.base import catalogue
from seatrial.prove import Mutant, PathPlayer, Subject, subject_of, written_into
from seatrial.records.grade import Grade
from seatrial.records.task import Task
from seatrial.records.trace import Trace
from seatrial.run import TrialJob
from seatrial.suite.fixture_checks import FixtureIndex
from seatrial.world import Database

AGENTS = {
    "null": "outcome: {answer: [what the user must be told]}",
    "refuser": "ends: completed",
    "echo": "outcome: {answer: [a value that the input does not hold]}",
    "done_only": "outcome: {answer: [what the user must be told]}",
    "greedy_writer": "process: {extras: reads}",
}
"""Agents that no task should let pass, each with the line of a contract that would notice it."""
TIMEOUT = 10.0
"""Wall seconds of one trial: a tool that nobody else calls may be one that does not come back."""
_MOST_KEYS = 1_000
"""Keys of a table that are read from a fixture in SQL."""


@dataclass(frozen=True)
class Played:
    """What came of a mutant, or of an agent that should fail, on one task.

    Args:
        task: Id of the task.
        kind: Kind of the mutant; `agent` for an agent.
        name: Its name in the suite: `drop_call(coverage)`.
        mutant: The mutant.
        trace: What came of it; `None`: it was not played, for the contract allows it.
        graded: Its grade; `None`: it was not played.
        right: The trace of the right way; `None`: there is none.
        way: Name of the right way; empty: the only one.
    """

    task: str
    kind: str
    name: str
    mutant: Mutant
    trace: Trace | None = None
    graded: Grade | None = None
    right: Trace | None = None
    way: str = ""


@dataclass(frozen=True)
class Play:
    """A mutant that is still to be played.

    Args:
        job: The trial.
        result: Returns what came of it.
    """

    job: TrialJob
    result: Callable[[Trace], Played]


class Playground:
    """A suite on which mutants are played.

    Args:
        loaded: The suite.
        judge: Judges its tasks.
    """

    def __init__(self, loaded: LoadedSuite, judge: Judge) -> None:
        self._loaded, self._judge = loaded, judge
        self._tools = {tool.name: tool for tool in loaded.tools}
        self._agents = {name: make_agent(name, loaded.suite.folder) for name in AGENTS}
        self._known: dict[str, dict[str, list[str]]] = {}

    def plays(self, task: str, runs: Sequence[ReferenceRun]) -> Iterator[Play | Played]:
        """Yield the agents that should fail on a task, and every mutant of its right ways; those that need not be played are done.

        Args:
            task: Id of the task.
            runs: Its right ways, played.
        """
        job = job_of(self._loaded, self._judge.tasks[task], PathPlayer(()), timeout=TIMEOUT)
        rights = [run.trace for run in runs if run.trace is not None]
        yield from (self._agent(job, name, rights) for name in AGENTS)
        for run in runs:
            if run.trace is not None and not run.problem:
                subject = self._subject(run, run.trace)
                yield from (self._mutant(job, subject, run, kind, mutant) for kind, mutant in _mutants(subject))

    def _agent(self, job: TrialJob, name: str, rights: Sequence[Trace]) -> Play:
        def result(trace: Trace) -> Played:
            mutant = Mutant(name, (), closes=AGENTS[name], allowed=_allowed(name, job.task, trace, rights))
            return Played(job.task.id, "agent", f"agent({name})", mutant, trace, self._judge.grade(trace))

        return Play(_with(job, job.task, self._agents[name]), result)

    def _mutant(self, job: TrialJob, subject: Subject, run: ReferenceRun, kind: str, mutant: Mutant) -> Play | Played:
        way = "when_fault" if run.after_fault else run.way.name
        played = Played(job.task.id, kind, f"{f'{way}/' if way else ''}{kind}({mutant.name})", mutant, right=subject.trace, way=way)

        def result(trace: Trace) -> Played:
            told = written_into(subject, mutant) if mutant.same and not _as_good(trace, subject.trace) else trace
            return replace(played, trace=told, graded=self._judge.grade(told))

        task = structs.replace(subject.task, faults=(*mutant.faults, *subject.task.faults)) if mutant.faults else subject.task
        player = PathPlayer(mutant.path, retries=0 if mutant.faults else None)
        return played if mutant.allowed else Play(_with(job, task, player), result)

    def _subject(self, run: ReferenceRun, trace: Trace) -> Subject:
        return subject_of(run.task, run.way, trace, tools=self._tools, keys=self._keys(run.task))

    def _keys(self, task: Task) -> dict[str, tuple[str, ...]]:
        """Return the keys of all records of a task's fixture, and of those laid over it."""
        fixture = task.fixture.use
        if fixture not in self._known:
            self._known[fixture] = self._keys_of(task)
        found = {name: list(keys) for name, keys in self._known[fixture].items()}
        for name, rows in task.fixture.with_.items():
            for row in map(msgspec.json.decode, rows):
                fields = self._loaded.suite.definition.keys.get(name) or tuple(row)[:1]
                if len(fields) == 1 and row.get(fields[0]) is not None:
                    found.setdefault(name, []).append(str(row[fields[0]]))
        return {name: tuple(sorted(set(known))) for name, known in sorted(found.items())}

    def _keys_of(self, task: Task) -> dict[str, list[str]]:
        """Return the keys of the records in a task's fixture: as it is written, or as the database that SQL makes of it holds them."""
        data, definition = self._loaded.fixture(task.fixture.use), self._loaded.suite.definition
        if data.sql is None:
            return {name: list(rows) for name, rows in FixtureIndex(data, definition).records.items()}
        world = self._loaded.world(task).open(seed=0, trial=0)
        try:
            handle = world.state.handle
            single = {name: fields[0] for name, fields in definition.keys.items() if len(fields) == 1}
            return {name: _column(handle, name, field) for name, field in single.items()} if isinstance(handle, Database) else {}
        finally:
            world.close()


def _column(database: Database, table: str, column: str) -> list[str]:
    """Return the first keys of a table as texts."""
    rows = database.all(f'SELECT "{column}" AS key FROM "{table}" ORDER BY 1 LIMIT {_MOST_KEYS}')  # noqa: S608 - names of the suite's own schema
    return [str(row["key"]) for row in rows if row["key"] is not None]


def _as_good(trace: Trace, right: Trace) -> bool:
    """Tell whether the world took a way as equal to the right one: the calls came to the same, and so did the end state."""
    failed = [[(call.failure.kind, call.failure.status) if call.failure else None for call in one.calls] for one in (trace, right)]
    return failed[0] == failed[1] and trace.changes == right.changes


def _allowed(agent: str, task: Task, trace: Trace, rights: Sequence[Trace]) -> str:
    """Return why an agent that should fail may pass; empty: it may not."""
    if agent == "refuser" and task.contract.ends == "refusal":
        return "the task expects a refusal"
    does_right = trace.changes and any(_deeds(trace) == _deeds(right) for right in rights)
    return "it did what is right, call by call" if does_right else ""


def _deeds(trace: Trace) -> tuple[object, ...]:
    """Return what was done in a trial, whatever was said."""
    return tuple((call.tool, bytes(call.proposed)) for call in trace.calls), trace.changes


def _with(job: TrialJob, task: Task, agent: Agent) -> TrialJob:
    return replace(job, task=task, agent=agent, candidate_hash=agent.candidate.hash)


def _mutants(subject: Subject) -> Iterator[tuple[str, Mutant]]:
    """Yield every mutant with its kind; no two of a kind are the same path."""
    for kind in catalogue.built_in("mutant"):
        seen = set[bytes]()
        for mutant in catalogue.load("mutant", kind).mutants(subject):
            key = msgspec.json.encode((mutant.path, mutant.faults))
            if key not in seen:
                seen.add(key)
                yield kind, mutant
