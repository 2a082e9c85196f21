"""Load a suite folder: `suite.yaml`, documents, fixtures, tasks and risks, checked against what the world offers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path as FilePath

from msgspec import structs

from seatrial.base.canonical import content_hash
from seatrial.base.errors import SuiteError
from seatrial.base.names import nearest
from seatrial.records.proof import HoleNote
from seatrial.records.risk import Risk
from seatrial.records.task import Task
from seatrial.suite.definition import SuiteDefinition
from seatrial.suite.files import is_there, read_text, refuse_outside
from seatrial.suite.fixture_checks import FixtureIndex, Records, check_changes, laid_records
from seatrial.suite.fixtures import FixtureData, fixture_home, read_fixture
from seatrial.suite.header import Header, read_header
from seatrial.suite.holes import read_holes
from seatrial.suite.json_source import read_lines
from seatrial.suite.ownership import Owned, Ownership
from seatrial.suite.part import Part, listed
from seatrial.suite.place import Place
from seatrial.suite.risks import read_risks
from seatrial.suite.suite import Suite
from seatrial.suite.task import TaskDefaults, read_task
from seatrial.suite.yaml_source import read_yaml

SUITE_FILE = "suite.yaml"
RISKS_FILE = "risks.yaml"
_TASK_FILES = (".yaml", ".yml", ".jsonl", ".json")
MAX_DOCUMENT = 4 * 1024 * 1024
"""Size of a document beyond which it is refused."""


def load_suite(folder: FilePath, *, definition: SuiteDefinition, recorded: bool = False) -> Suite:
    """Load a suite.

    Args:
        folder: The folder that holds `suite.yaml`.
        definition: What the suite's world offers.
        recorded: Whether the tasks come from a recording, so that the folder need hold none.

    Returns:
        The suite; every name, value and limit in it is checked.

    Raises:
        SuiteError: Something is wrong; the message has file, line, value and the nearest right name.
    """
    folder = FilePath(folder)
    top = read_top(folder)
    header = read_header(top, definition)
    documents = {name: _document(folder, name, part) for name, part in header.documents.items()}
    defaults = header.task_defaults(definition, content_hash(documents) if documents else "")
    reading = Reading(folder, definition, header.ownership)
    for part in task_parts(folder):
        reading.add(part, defaults)
    if not reading.tasks and not recorded:
        message = (
            "the suite has no task; write tasks/*.yaml or tasks.jsonl, or bring a recording: seatrial import FORMAT FILE --suite FOLDER"
        )
        raise SuiteError(message, file=str(folder))
    return suite_of(header, reading, _risks(folder, definition, reading.tasks), documents)


def read_top(folder: FilePath) -> Part:
    """Return the content of `suite.yaml`, unread but for its YAML.

    Args:
        folder: The suite's folder.

    Raises:
        SuiteError: It cannot be read, or is not one YAML document.
    """
    return read_only_document(FilePath(folder) / SUITE_FILE)


@dataclass
class Reading:
    """Tasks as they are read, with the fixtures that they use.

    Args:
        folder: The suite's folder.
        definition: What the world offers.
        ownership: Collection to how its records name their owner.
        apart: Folder of a holdout, whose fixtures come before the suite's; `None`: there is none.
    """

    folder: FilePath
    definition: SuiteDefinition
    ownership: Ownership = field(default_factory=dict)
    tasks: dict[str, Task] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    fixtures: dict[str, FixtureIndex] = field(default_factory=dict)
    _owners: dict[str, Owned] = field(default_factory=dict)
    holes: list[HoleNote] = field(default_factory=list)
    apart: FilePath | None = None

    def add(self, part: Part, defaults: TaskDefaults) -> None:
        """Read one task, check it against its fixture, and keep it."""
        task = read_task(part, defaults)
        place = part.place.at(part.path)
        index = self.fixture(task.fixture.use, part)
        task = structs.replace(task, fixture_hash=index.data.hash)
        if task.id in self.tasks:
            differ = " with different contracts" if task.contract_hash != self.tasks[task.id].contract_hash else ""
            raise SuiteError(
                f"two tasks{differ} have the id {task.id!r}; the other is at {self.places[task.id]}", file=place.file, line=place.line
            )
        given = part.get("fixture")
        laid = laid_records(task.fixture.with_, self.definition, given.get("with") if given is not None else None)
        check_changes(part.get("expect"), task.contract, index, laid)
        self._refuse_collisions(task, index, laid, part)
        if self.ownership and task.caller:
            task = structs.replace(task, caller=self._owned(task, index).caller(task.caller, laid))
        self.holes += part.read("holes", lambda each: read_holes(each, task.id), ())
        self.tasks[task.id] = task
        self.places[task.id] = Place(place.file, place.line)

    def _owned(self, task: Task, index: FixtureIndex) -> Owned:
        return self._owners.setdefault(task.fixture.use, Owned(index, self.ownership))

    def fixture(self, name: str, part: Part) -> FixtureIndex:
        """Return a fixture, read and checked once."""
        if name not in self.fixtures:
            try:
                data = read_fixture(fixture_home(self.folder, self.apart, name), name)
            except SuiteError as error:
                where = part.get("fixture") or part
                place = where.place.at(where.path)
                file, line = (error.file, error.line) if error.file and FilePath(error.file).is_file() else (place.file, place.line)
                raise SuiteError(error.message, file=file, line=line, nearest=error.nearest) from error
            self._check_fixture(data)
            index = FixtureIndex(data, self.definition)
            for collision in index.collisions(self._declared):
                raise SuiteError(_collision(*collision), file=data.file)
            self.fixtures[name] = index
        return self.fixtures[name]

    def _check_fixture(self, data: FixtureData) -> None:
        known = self.definition.collections
        if known is None:
            return
        for collection in data.records or {}:
            if collection not in known:
                raise SuiteError(f"there is no collection {collection!r} in the world.", file=data.file, nearest=nearest(collection, known))

    def _refuse_collisions(self, task: Task, index: FixtureIndex, laid: Records, part: Part) -> None:
        processes = [each.process for each in task.contract.alternatives if each.process is not None]
        own = {pair for process in processes for required in process.required for pair in required.normalise.items()} - self._declared
        for collision in (*index.collisions(own), *index.collisions_with(laid, self._declared | own)):
            (part.get("fixture") or part).fail(_collision(*collision))

    @cached_property
    def _declared(self) -> set[tuple[str, str]]:
        return {pair for tool in self.definition.tools for pair in tool.normalisers.items()}


def suite_of(header: Header, reading: Reading, risks: tuple[Risk, ...], documents: Mapping[str, str]) -> Suite:
    """Return the suite that a header, its tasks, risks and documents make."""
    tasks, holes = tuple(reading.tasks.values()), (*header.holes, *reading.holes)
    matters = {
        "header": [header.name, header.version, header.defaults, header.invariants, header.traffic, header.gate, header.redact],
        "tasks": [[task.id, content_hash(task)] for task in tasks],
        "risks": risks,
        "holes": holes,
        "documents": documents,
        "fixtures": {name: index.data.hash for name, index in reading.fixtures.items()},
        "world": reading.definition.hash,
        **({"exceptions": header.exceptions} if header.exceptions else {}),
    }
    return Suite(
        name=header.name,
        version=header.version,
        folder=reading.folder,
        tasks=tasks,
        description=header.description,
        defaults=header.defaults,
        documents=documents,
        invariants=header.invariants,
        risks=risks,
        traffic=header.traffic,
        error_cost=header.error_cost,
        gate=header.gate,
        stubs_checked=header.stubs_checked,
        redact=header.redact,
        holes=holes,
        exceptions=header.exceptions,
        canary=header.canary,
        hash=content_hash(matters),
        world_file=header.world_file,
        definition=reading.definition,
        places=reading.places,
    )


def task_parts(folder: FilePath) -> Iterator[Part]:
    """Yield the tasks of a suite folder in the order of its files, unread.

    Args:
        folder: The folder; looked for are `tasks/*.yaml`, `tasks/*.yml`, `tasks/*.jsonl` and `tasks.jsonl`.

    Raises:
        SuiteError: A file cannot be read or is a link to the outside.
    """
    for path in task_files(folder):
        if path.suffix == ".jsonl":
            yield from read_lines(path)
            continue
        for document in read_yaml(path):
            yield from _tasks_of(document)


def task_files(folder: FilePath) -> list[FilePath]:
    """Return the task files of a suite folder, sorted by name, `tasks.jsonl` last."""
    inside = folder / "tasks"
    found = sorted(each for each in inside.iterdir() if _holds_tasks(each)) if inside.is_dir() else []
    if is_there(folder / "tasks.jsonl"):
        found.append(folder / "tasks.jsonl")
    for path in found:
        refuse_outside(folder, path)
        if not path.is_file():
            raise SuiteError("tasks are read from plain files right in the folder `tasks`, and this is none", file=str(path))
        if path.suffix == ".json":
            raise SuiteError("tasks are read from .yaml, .yml and .jsonl; JSON is YAML too, so rename the file", file=str(path))
    return found


def _holds_tasks(path: FilePath) -> bool:
    """Tell whether a name in the folder `tasks` promises tasks: a file of tasks, or a folder with such files in it."""
    if path.name.startswith("."):
        return False
    return path.suffix in _TASK_FILES or (path.is_dir() and any(each.suffix in _TASK_FILES for each in path.rglob("*")))


def _tasks_of(document: Part) -> Iterator[Part]:
    if not isinstance(document.value, list):
        yield document
        return
    for position in range(len(document.value)):
        place = Place(document.place.file, document.place.line, document.place.lines, skipped=1)
        yield Part(document.value[position], place, (position,))


def read_only_document(path: FilePath) -> Part:
    """Return the one YAML document of a file of a suite, unread but for its YAML.

    Args:
        path: The file.

    Raises:
        SuiteError: It cannot be read, is a link to the outside, or holds another number of documents.
    """
    return _only(_documents(path), path)


def _documents(path: FilePath) -> list[Part]:
    refuse_outside(path.parent, path)
    return read_yaml(path)


def _only(documents: list[Part], path: FilePath) -> Part:
    if len(documents) != 1:
        raise SuiteError(f"expected one YAML document, got {len(documents)}", file=str(path))
    return documents[0]


def _document(folder: FilePath, name: str, part: Part) -> str:
    path = folder / name
    if not path.is_file():
        known = [str(each.relative_to(folder)) for each in sorted(folder.glob("**/*.md"))]
        part.fail(f"there is no document {name!r} in the folder; known: {listed(known)}.", close_to=name, among=known)
    refuse_outside(folder, path)
    return read_text(path, MAX_DOCUMENT)


def _risks(folder: FilePath, definition: SuiteDefinition, tasks: Mapping[str, Task]) -> tuple[Risk, ...]:
    path = folder / RISKS_FILE
    if not is_there(path) or not (documents := _documents(path)):
        return ()
    return read_risks(_only(documents, path), definition, tasks)


def _collision(collection: str, normaliser: str, first: str, second: str) -> str:
    return (
        f"the keys {first!r} and {second!r} of {collection!r} are one under the normaliser {normaliser!r}, so a call could mean either;"
        " rename one, or drop the normaliser"
    )
