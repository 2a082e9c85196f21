"""A suite's `world.py`, loaded: its state, tools, probes, normalisers and invariants."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from seatrial.base.canonical import bytes_hash, content_hash
from seatrial.base.errors import SuiteError
from seatrial.records.paths import OUTBOX
from seatrial.records.task import Task
from seatrial.suite.definition import SuiteDefinition
from seatrial.suite.fixtures import FixtureData
from seatrial.world.prepared import TaskWorld
from seatrial.world.state import StateDefinition
from seatrial.world.tools import Invariant, Look, Normaliser, Tool

Named = TypeVar("Named", Tool, Look, Normaliser, Invariant)

MAX_SOURCE = 1_000_000
"""Largest `world.py` that is read, bytes."""


@dataclass(frozen=True)
class WorldDefinition:
    """What a suite's `world.py` defines.

    Args:
        state: Kind and shape of the state.
        tools: Name → tool.
        probes: Name → probe.
        normalisers: Name → the suite's own normaliser.
        invariants: Name → the suite's own invariant.
        hash: Hash of the code and the schema.
        file: Path of the file; empty: it was made in Python.
    """

    state: StateDefinition
    tools: Mapping[str, Tool]
    probes: Mapping[str, Look] = field(default_factory=dict)
    normalisers: Mapping[str, Normaliser] = field(default_factory=dict)
    invariants: Mapping[str, Invariant] = field(default_factory=dict)
    hash: str = ""
    file: str = ""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the suite's author should know of the world."""
        return self.state.warnings

    def suite_definition(self) -> SuiteDefinition:
        """Return what the suite loader needs to know, so that wrong names are found at load."""
        return SuiteDefinition(
            tools=tuple(tool.spec for tool in self.tools.values()),
            normalisers=frozenset(self.normalisers),
            invariants=frozenset(self.invariants),
            probes=frozenset(self.probes),
            collections=self.state.collections,
            hash=self.hash,
            keys=self.state.keys,
        )

    def prepare(self, task: Task, fixture: FixtureData) -> TaskWorld:
        """Return the world of a task: the fixture with the task's own records laid over it, built once.

        Args:
            task: The task.
            fixture: The fixture's content.

        Raises:
            SuiteError: A record breaks the schema.
        """
        try:
            state = self.state.prepare(fixture, task.fixture.with_)
        except SuiteError as error:
            raise SuiteError(f"task {task.id!r}: {error.message}", file=error.file, line=error.line, nearest=error.nearest) from error
        world_hash = content_hash([self.hash, fixture.hash])
        return TaskWorld(task, state, self.tools, self.probes, self.normalisers, world_hash)


def load_definition(folder: Path, world_file: str = "world.py") -> WorldDefinition:
    """Load the world of a suite.

    The file is Python that the suite's author wrote: it is run, as the agent's own code is. It gets a module name of its own,
    so that two suites never mix.

    Args:
        folder: The suite's folder.
        world_file: Name of the file in it.

    Raises:
        SuiteError: The file is missing, does not run, or defines something wrong; file and line are in its text.
    """
    path = Path(folder) / world_file
    source = _read(path)
    module = _run(path, bytes_hash(source))
    state = getattr(module, "STATE", None)
    if state is None or not hasattr(state, "prepare"):
        raise SuiteError("the world has no STATE: write `STATE = Sqlite(schema=...)` or `STATE = Documents()`", file=str(path))
    definition = WorldDefinition(
        state=state,
        tools=_named(module, Tool, path),
        probes=_named(module, Look, path),
        normalisers=_named(module, Normaliser, path),
        invariants=_named(module, Invariant, path),
        hash=content_hash([bytes_hash(source), state.source]),
        file=str(path),
    )
    _check(definition)
    return definition


def _read(path: Path) -> bytes:
    try:
        source = path.read_bytes()
    except OSError as error:
        raise SuiteError(f"the world cannot be read: {error.strerror}", file=str(path)) from error
    if len(source) > MAX_SOURCE:
        raise SuiteError(f"the world is {len(source):,} bytes; at most {MAX_SOURCE:,} are read", file=str(path))
    return source


def _run(path: Path, source_hash: str) -> ModuleType:
    name = f"seatrial_world_{content_hash([str(path.resolve()), source_hash])}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise SuiteError("the world is no Python file: its name must end in .py", file=str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except SuiteError as error:
        sys.modules.pop(name, None)
        file, line = (error.file, error.line) if error.line else (str(path), _line(error, path))
        raise SuiteError(error.message, file=file, line=line, nearest=error.nearest) from error
    except Exception as error:
        sys.modules.pop(name, None)
        line = error.lineno if isinstance(error, SyntaxError) else _line(error, path)
        raise SuiteError(f"the world does not run: {type(error).__name__}: {error}", file=str(path), line=line) from error
    return module


def _line(error: BaseException, path: Path) -> int | None:
    """Return the last line of the world's own file that an error passed through."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return lines[-1] if lines else None


def _named(module: ModuleType, kind: type[Named], path: Path) -> dict[str, Named]:
    found: dict[str, Named] = {}
    for one in _once(value for value in vars(module).values() if isinstance(value, kind)):
        if one.name in found:
            raise SuiteError(f"two {kind.__name__.lower()}s are named {one.name!r}", file=str(path))
        found[one.name] = one
    return found


def _once(values: Iterable[Named]) -> list[Named]:
    return list({id(value): value for value in values}.values())


def _check(definition: WorldDefinition) -> None:
    file = definition.file
    if not definition.tools:
        raise SuiteError("the world defines no tool: decorate a function with `@tool(effect=...)`", file=file)
    external = [tool.name for tool in definition.tools.values() if tool.spec.effect == "external"]
    if external and OUTBOX in (definition.state.collections or ()):
        raise SuiteError(f"the collection {OUTBOX!r} is where the effects of {external[0]!r} land; call yours by another name", file=file)
    for tool in definition.tools.values():
        for other in tool.spec.confusable:
            if other not in definition.tools:
                from seatrial.base.names import nearest

                raise SuiteError(
                    f"{tool.name}: confusable names the tool {other!r}, which there is not",
                    file=file,
                    nearest=nearest(other, definition.tools),
                )
