"""A suite's `world.py`, loaded: its state, tools, probes, normalisers and invariants."""

from __future__ import annotations

import traceback
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from seatrial.base.canonical import bytes_hash, content_hash
from seatrial.base.errors import SuiteError
from seatrial.base.names import nearest
from seatrial.base.normal_forms import BUILT_IN
from seatrial.records.paths import OUTBOX
from seatrial.records.task import Task
from seatrial.suite.definition import SuiteDefinition
from seatrial.suite.fixtures import FixtureData
from seatrial.world.calls import described
from seatrial.world.modules import SuiteModules, read_source
from seatrial.world.prepared import TaskWorld
from seatrial.world.signature import place_of, wrong
from seatrial.world.sources import own_sources
from seatrial.world.state import StateDefinition
from seatrial.world.tools import Invariant, Look, Normaliser, Tool

Named = TypeVar("Named", Tool, Look, Normaliser, Invariant)


@dataclass(frozen=True)
class WorldDefinition:
    """What a suite's `world.py` defines.

    Args:
        state: Kind and shape of the state.
        tools: Name → tool.
        probes: Name → probe.
        normalisers: Name → the suite's own normaliser.
        invariants: Name → the suite's own invariant.
        hash: Hash of the code, of the modules beside it that it imports, and of the schema.
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
            SuiteError: A record breaks the schema, or the suite's own kind of state raised.
        """
        try:
            state = self.state.prepare(fixture, task.fixture.with_)
        except SuiteError as error:
            raise SuiteError(f"task {task.id!r}: {error.message}", file=error.file, line=error.line, nearest=error.nearest) from error
        except Exception as error:
            message = f"task {task.id!r}: its world cannot be prepared: {described(error)}"
            raise SuiteError(message, file=fixture.file or self.file or None) from error
        world_hash = content_hash([self.hash, fixture.hash])
        return TaskWorld(task, state, self.tools, self.probes, self.normalisers, world_hash)


def load_definition(folder: Path, world_file: str = "world.py") -> WorldDefinition:
    """Load the world of a suite.

    The file is Python that the suite's author wrote: it is run, as the agent's own code is. It may import modules that lie
    beside it. All get names of their own, so that two suites never mix.

    Args:
        folder: The suite's folder.
        world_file: Name of the file in it.

    Raises:
        SuiteError: The file is missing, does not run, or defines something wrong; file and line are in its text.
    """
    path = Path(folder) / world_file
    if path.suffix != ".py":
        raise SuiteError("the world is no Python file: its name must end in .py", file=str(path))
    code = _code_hash(path)
    modules = SuiteModules(path, f"seatrial_world_{content_hash([str(path.resolve()), code])}")
    with _blamed(path, modules):
        definition = _collected(modules.run(), path, code)
        _check(definition)
    return definition


def _code_hash(path: Path) -> str:
    """Return the hash of a world's file, of the modules that it imports and nobody installed, and of the texts beside it that it names."""
    own = bytes_hash(read_source(path))
    home = path.resolve().parent
    beside = {name: each for name, each in own_sources(path, home).items() if each != path.resolve()}
    parts = {name: bytes_hash(_content(each, home)) for name, each in beside.items()}
    return content_hash([own, parts]) if parts else own


def _content(path: Path, home: Path) -> bytes:
    """Return what a file holds; a module beside the world is bounded as the world is."""
    return read_source(path) if path.suffix == ".py" and path.is_relative_to(home) else path.read_bytes()


@contextmanager
def _blamed(path: Path, modules: SuiteModules) -> Iterator[None]:
    """Turn whatever a suite's own code raises, but a person's interruption, into an error with the file and line it comes from."""
    try:
        yield
    except KeyboardInterrupt:
        modules.forget()
        raise
    except BaseException as error:
        modules.forget()
        file, line = _place(error, path, modules.files)
        if not isinstance(error, SuiteError):
            raise SuiteError(f"the world does not run: {described(error)}", file=file, line=line) from error
        if error.line:
            file, line = error.file or file, error.line
        raise SuiteError(error.message, file=file, line=line, nearest=error.nearest) from error


def _place(error: BaseException, path: Path, files: Collection[str]) -> tuple[str, int | None]:
    """Return the last file of the suite's own, and the line in it, that an error passed through."""
    if isinstance(error, SyntaxError) and error.filename in files:
        return str(error.filename), error.lineno
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__) if frame.filename in files]
    return places[-1] if places else (str(path), None)


def _collected(module: ModuleType, path: Path, code: str) -> WorldDefinition:
    state = getattr(module, "STATE", None)
    if state is None or isinstance(state, type) or not hasattr(state, "prepare"):
        raise SuiteError("the world has no STATE: write `STATE = Sqlite(schema=...)` or `STATE = Documents()`", file=str(path))
    return WorldDefinition(
        state=state,
        tools=_named(module, Tool),
        probes=_named(module, Look),
        normalisers=_named(module, Normaliser),
        invariants=_named(module, Invariant),
        hash=content_hash([code, state.source]),
        file=str(path),
    )


def _named(module: ModuleType, kind: type[Named]) -> dict[str, Named]:
    found: dict[str, Named] = {}
    for one in _once(value for value in vars(module).values() if isinstance(value, kind)):
        if one.name in found:
            file, line = place_of(one.function)
            raise SuiteError(f"two {kind.__name__.lower()}s are named {one.name!r}", file=file, line=line)
        found[one.name] = one
    return found


def _once(values: Iterable[Named]) -> list[Named]:
    return list({id(value): value for value in values}.values())


def _check(definition: WorldDefinition) -> None:
    file, tools = definition.file, definition.tools
    if not tools:
        raise SuiteError("the world defines no tool: decorate a function with `@tool(effect=...)`", file=file)
    external = [tool.name for tool in tools.values() if tool.spec.effect == "external"]
    if external and OUTBOX in (definition.state.collections or ()):
        raise SuiteError(f"the collection {OUTBOX!r} is where the effects of {external[0]!r} land; call yours by another name", file=file)
    for own in definition.normalisers.values():
        if own.name in BUILT_IN:
            raise wrong(own.function, f"{own.name!r} is the name of a built-in normaliser; call yours by another name")
    for tool in tools.values():
        _check_words(tool, "confusable names the tool", tool.spec.confusable, tools)
        _check_words(tool, "normalise names the normaliser", tool.spec.normalisers.values(), {*BUILT_IN, *definition.normalisers})


def _check_words(tool: Tool, what: str, names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise wrong(tool.function, f"{what} {name!r}, which there is not.", nearest=nearest(name, known))
