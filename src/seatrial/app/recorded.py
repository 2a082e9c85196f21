"""Judge a recording by a suite: the recording brings tasks and trials, the suite what its tools do and which rules hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import structs

from seatrial.app.loading import LoadedSuite
from seatrial.base.canonical import content_hash
from seatrial.base.errors import SuiteError, UsageError
from seatrial.base.names import nearest
from seatrial.base.wording import listed
from seatrial.importers import Imported
from seatrial.records.contract import ToolSpec
from seatrial.records.manifest import Manifest, PlannedTask
from seatrial.records.task import Task
from seatrial.records.trace import Effect, Step, ToolCall, Trace
from seatrial.suite.files import read_bytes
from seatrial.suite.fixture_checks import FixtureIndex
from seatrial.suite.fixtures import MAX_BYTES, FixtureData, Rows
from seatrial.suite.header import read_header
from seatrial.suite.load import read_top
from seatrial.suite.ownership import Owned

MOST_NAMED = 12
"""Tools that are named in one remark."""


def as_run_of(loaded: LoadedSuite, imported: Imported, fixture: Path | None = None) -> Imported:
    """Return a recording as a run of a suite: its tools, documents and rules over the tasks and trials of the recording.

    The suite decides what each tool does, so also which calls are writes; what is required of a trial stays as it was recorded.

    Args:
        loaded: The suite.
        imported: The recording.
        fixture: Folder with the records that the trials started from, one JSON file a collection: whose they are completes each
            task's caller, where the suite's `ownership` says how. `None`: not at hand.

    Raises:
        UsageError: The suite has none of the recording's tools.
        SuiteError: The records do not name their owners as the suite says.
    """
    manifest = imported.manifest
    notes = tuple(_remarks(loaded, manifest.tools))
    documents = {**loaded.suite.documents, **manifest.documents}
    tasks = ruled(loaded, _owning(loaded, imported.tasks, fixture), documents)
    contracts = {task.id: task.contract_hash for task in tasks}
    judged_by = structs.replace(
        manifest,
        suite=loaded.suite.name,
        suite_version=loaded.suite.version or manifest.suite_version,
        suite_hash=content_hash((loaded.suite.hash, contracts)),
        plan=tuple(PlannedTask(one.task, contracts[one.task], one.trials) for one in manifest.plan),
        tools=tools_of(loaded, manifest.tools),
        documents=documents,
        gate=loaded.suite.gate,
        stubs_checked=loaded.suite.stubs_checked,
        risks=loaded.suite.risks,
        notes=(*manifest.notes, *notes),
    )
    return Imported(judged_by, tasks, _traces(imported.traces, judged_by, contracts))


def ruled(loaded: LoadedSuite, tasks: Iterable[Task], documents: Mapping[str, str]) -> tuple[Task, ...]:
    """Return recorded tasks with a suite's clock, rules and sources in place of any that they had.

    Args:
        loaded: The suite.
        tasks: The tasks as they were recorded.
        documents: Name → text of what the agent was given.
    """
    suite, hashed = loaded.suite, content_hash(dict(documents)) if documents else ""
    return tuple(
        structs.replace(
            task,
            now=suite.defaults.now,
            documents=hashed,
            contract=structs.replace(
                task.contract,
                provenance=suite.defaults.provenance,
                constants=suite.defaults.constants,
                derived=suite.defaults.derived,
                invariants=suite.invariants,
            ),
        )
        for task in tasks
    )


def _owning(loaded: LoadedSuite, tasks: Sequence[Task], folder: Path | None) -> Sequence[Task]:
    """Return tasks whose callers are completed by the records of a fixture that are theirs."""
    definition = loaded.definition.suite_definition()
    ownership = read_header(read_top(loaded.suite.folder), definition).ownership
    if folder is None or not ownership:
        return tasks
    owned = Owned(FixtureIndex(_records(folder, ownership), definition), ownership)
    return [structs.replace(task, caller=owned.caller(task.caller, {})) if task.caller else task for task in tasks]


def _records(folder: Path, names: Iterable[str]) -> FixtureData:
    found: dict[str, Rows] = {}
    for path in (folder / f"{name}.json" for name in names):
        try:
            found[path.stem] = msgspec.json.decode(read_bytes(path, MAX_BYTES), type=dict[str, dict[str, object]])
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            raise SuiteError(f"it holds no records by key: {error}", file=str(path)) from error
    return FixtureData(records=found, file=str(folder))


def tools_of(loaded: LoadedSuite, recorded: Iterable[ToolSpec]) -> tuple[ToolSpec, ...]:
    """Return a suite's tools and those that only the recording has, by name."""
    known = {tool.name: tool for tool in recorded} | {tool.name: tool for tool in loaded.tools}
    return tuple(known[name] for name in sorted(known))


def _remarks(loaded: LoadedSuite, recorded: tuple[ToolSpec, ...]) -> Iterator[str]:
    """Yield where the tools of a suite and of a recording differ."""
    ours, theirs = {tool.name for tool in loaded.tools}, {tool.name for tool in recorded}
    name = loaded.suite.name
    _refuse_another_world(name, "tools", ours, theirs)
    _refuse_another_world(name, "tools that write", _writes(loaded.tools), _writes(recorded))
    yield f"judged by the suite {name!r}: its tools, its rules, its sources of values; what a trial must do stays as it was recorded"
    if missing := sorted(theirs - ours):
        named = listed([_near(tool, ours) for tool in missing], MOST_NAMED)
        yield f"tools of the recording that the suite does not describe, so that their effects are the importer's: {named}"
    if idle := sorted(ours - theirs):
        yield f"tools of the suite that the recording does not name: {listed([_near(tool, theirs) for tool in idle], MOST_NAMED)}"


def _refuse_another_world(name: str, kind: str, ours: set[str], theirs: set[str]) -> None:
    """Refuse a suite that shares nothing with a recording: a rule over tools that nobody called would pass everything."""
    if ours and theirs and not ours & theirs:
        known, named = listed(sorted(ours), MOST_NAMED), listed(sorted(theirs), MOST_NAMED)
        raise UsageError(f"the suite {name!r} is of another world: it has none of the {kind} of the recording ({named}); it has {known}")


def _writes(tools: Iterable[ToolSpec]) -> set[str]:
    return {tool.name for tool in tools if tool.effect == "write"}


def _near(tool: str, among: Iterable[str]) -> str:
    near = nearest(tool, among)
    return tool if near is None else f"{tool} (did you mean {near}?)"


def _traces(traces: Iterator[Trace], manifest: Manifest, contracts: Mapping[str, str]) -> Iterator[Trace]:
    effects: dict[str, Effect] = {tool.name: tool.effect for tool in manifest.tools}
    for trace in traces:
        identity = structs.replace(trace.identity, suite=manifest.suite, contract=contracts[trace.identity.task])
        attempts = tuple(structs.replace(attempt, steps=_steps(attempt.steps, effects)) for attempt in trace.attempts)
        yield structs.replace(trace, identity=identity, steps=_steps(trace.steps, effects), attempts=attempts)


def _steps(steps: tuple[Step, ...], effects: Mapping[str, Effect]) -> tuple[Step, ...]:
    return tuple([_declared(step, effects) if isinstance(step, ToolCall) else step for step in steps])


def _declared(call: ToolCall, effects: Mapping[str, Effect]) -> ToolCall:
    effect = effects.get(call.tool, call.effect)
    return call if effect == call.effect else structs.replace(call, effect=effect)
