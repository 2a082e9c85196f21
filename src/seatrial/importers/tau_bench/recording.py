"""One τ-bench result file as tasks, manifest and traces."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seatrial import __version__
from seatrial.base.canonical import content_hash
from seatrial.base.names import is_identifier
from seatrial.importers.tau_bench.facts import Facts, notes_of
from seatrial.importers.tau_bench.fixture import FixtureCheck, read_fixture
from seatrial.importers.tau_bench.json_rows import MAX_BYTES, read_rows
from seatrial.importers.tau_bench.rows import Message, Row, Rows
from seatrial.importers.tau_bench.tasks import task_of, tools_in, work_of
from seatrial.importers.tau_bench.trace import SOURCE, ending_of, trace_of
from seatrial.records.manifest import Candidate, Manifest, PlannedTask
from seatrial.records.task import Task
from seatrial.records.trace import Identity, Trace

POLICY = "policy"
"""Name of the document that holds the system prompt: the domain's policy."""
_HEADLINE_K = 4


class Recording:
    """One result file, checked.

    Args:
        path: The file.
        limit: Largest file that is read, in bytes.
    """

    def __init__(self, path: Path, *, limit: int = MAX_BYTES) -> None:
        self.path, self.rows = path, Rows(path, read_rows(path, limit=limit))
        self._work = work_of(self.rows)
        self._rank = {label: index for index, label in enumerate(self.rows.labels)}
        self.policies, called = self._survey()
        self.domain, self.tools = tools_in(self._work, called)
        self.tasks: tuple[Task, ...] = tuple(task_of(task, info, self.tools) for task, info in self._work.items())
        self._contracts = {task.id: task.contract_hash for task in self.tasks}
        self.suite = f"tau_{self.domain or 'bench'}"
        self.candidate = self._candidate()
        self.facts = self._count()

    def traces(self) -> Iterator[Trace]:
        """Make the traces, one at a time, in file order."""
        for row, messages in self._conversations():
            yield trace_of(row, messages, self._identity(row))

    def manifest(self, fixture_folder: Path | None) -> Manifest:
        """Return what the run was made of; with a fixture, its hash and how it fits."""
        world, check = self._fixture(fixture_folder)
        return Manifest(
            suite=self.suite,
            suite_version="recorded",
            suite_hash=content_hash(self._contracts),
            candidate=self.candidate,
            seed=0,
            plan=tuple(PlannedTask(task.id, self._contracts[task.id], len(self.rows.labels)) for task in self.tasks),
            tools=self.tools,
            world=world,
            documents={POLICY: next(iter(self.policies))} if self.policies else {},
            headline_k=min(_HEADLINE_K, len(self.rows.labels)),
            because="τ-bench publishes pass^1 to pass^4",
            seatrial=__version__,
            source=SOURCE,
            notes=(*notes_of(self.facts), *self._oddities(), *check),
        )

    def _conversations(self) -> Iterator[tuple[Row, tuple[Message, ...]]]:
        for index, row in enumerate(self.rows):
            yield row, self.rows.messages(index, row)

    def _survey(self) -> tuple[dict[str, int], tuple[str, ...]]:
        """Read every message once: the distinct system prompts with their numbers, and the names of the called tools."""
        policies: dict[str, int] = {}
        called: dict[str, None] = {}
        for _, messages in self._conversations():
            for message in messages:
                if message.role == "system" and message.content:
                    policies[message.content] = policies.get(message.content, 0) + 1
                called.update((call.function.name, None) for call in message.tool_calls or ())
        return policies, tuple(called)

    def _count(self) -> Facts:
        facts = Facts(trials=len(self.rows.labels))
        for task, info in self._work.items():
            facts.add_task(task, info)
        held: set[tuple[str, int]] = set()
        for row, messages in self._conversations():
            trace = trace_of(row, messages, self._identity(row))
            held.add((row.task, trace.identity.trial))
            facts.add_trace(trace, ending_of(row, messages), self._work[row.task])
        planned = ((task, trial) for task in self._work for trial in range(facts.trials))
        facts.missing = [f"{task}.{trial}" for task, trial in planned if (task, trial) not in held]
        return facts

    def _candidate(self) -> Candidate:
        name = self.path.stem if is_identifier(self.path.stem) else "recorded"
        return Candidate(name=name, agent=SOURCE, policy=content_hash(sorted(self.policies)) if self.policies else "")

    def _identity(self, row: Row) -> Identity:
        return Identity(
            suite=self.suite,
            task=row.task,
            contract=self._contracts[row.task],
            candidate=self.candidate.name,
            candidate_hash=self.candidate.hash,
            trial=self._rank[row.trial],
            seed=0,
        )

    def _fixture(self, folder: Path | None) -> tuple[str, tuple[str, ...]]:
        if folder is None:
            return "", ()
        fixture, check = read_fixture(folder), FixtureCheck()
        for trace in self.traces():
            check.add(trace, fixture)
        return fixture.hash, (check.note(fixture),)

    def _oddities(self) -> Iterator[str]:
        labels = self.rows.labels
        if labels != tuple(range(len(labels))):
            yield f"the file's trial labels {', '.join(map(str, labels[:10]))} are numbered from 0 here, in their order"
        if len(self.policies) > 1:
            yield f"the trials have {len(self.policies):,} different system prompts; the first is kept as the policy document"
