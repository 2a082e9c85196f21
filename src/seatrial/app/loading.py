"""Load a suite with its world: the two halves of one folder, checked against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from seatrial.base.canonical import content_hash
from seatrial.base.errors import SuiteError, UsageError
from seatrial.records.contract import ToolSpec
from seatrial.records.task import Task
from seatrial.suite import Suite, load_suite, read_fixture
from seatrial.suite.fixtures import FixtureData
from seatrial.world import TaskWorld, WorldDefinition, load_definition


@dataclass(frozen=True)
class LoadedSuite:
    """A suite with the world it acts on.

    Args:
        suite: Tasks, defaults, documents.
        definition: State, tools, probes of the world.
    """

    suite: Suite
    definition: WorldDefinition
    _fixtures: dict[str, FixtureData] = field(default_factory=dict, repr=False)

    @cached_property
    def tools(self) -> tuple[ToolSpec, ...]:
        """Specifications of all tools."""
        return tuple(tool.spec for tool in self.definition.tools.values())

    @property
    def tools_hash(self) -> str:
        """Hash of all tool specifications."""
        return content_hash(self.tools)

    def fixture(self, name: str) -> FixtureData:
        """Return a fixture of the suite, read once."""
        if name not in self._fixtures:
            self._fixtures[name] = read_fixture(self.suite.folder, name)
        return self._fixtures[name]

    def world(self, task: Task) -> TaskWorld:
        """Return the world of a task: its fixture with the task's own records laid over it."""
        return self.definition.prepare(task, self.fixture(task.fixture.use))

    def with_tasks(self, tasks: Sequence[Task]) -> LoadedSuite:
        """Return the same suite with other tasks."""
        from dataclasses import replace

        return LoadedSuite(replace(self.suite, tasks=tuple(tasks)), self.definition, self._fixtures)


def load(folder: Path | str) -> LoadedSuite:
    """Load a suite folder.

    Args:
        folder: The folder that holds `suite.yaml`.

    Raises:
        UsageError: There is no suite in the folder.
        SuiteError: Something in the suite is wrong; file, line, value and way out are in its text.
    """
    folder = Path(folder)
    if not (folder / "suite.yaml").is_file():
        raise UsageError(f"{folder} holds no suite.yaml; a suite is a folder with one. `seatrial new {folder.name}` writes a working one")
    definition = _definition(folder, world_file(folder))
    return LoadedSuite(load_suite(folder, definition=definition.suite_definition()), definition)


def _definition(folder: Path, name: str) -> WorldDefinition:
    file = folder / name
    if not file.resolve().is_relative_to(folder.resolve()):
        raise SuiteError(
            f"the world {name!r} lies outside of the suite's folder; put it beside suite.yaml", file=str(folder / "suite.yaml")
        )
    try:
        return load_definition(folder, name)
    except SystemExit as error:
        raise SuiteError("the world ended the program when it was imported (SystemExit)", file=str(file)) from error


def world_file(folder: Path) -> str:
    """Return the name of the world's file that `suite.yaml` gives; `world.py` when it gives none."""
    import yaml

    try:
        content = yaml.safe_load((folder / "suite.yaml").read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError):
        return "world.py"  # the suite loader says what is wrong, with file and line
    name = content.get("world", "world.py") if isinstance(content, dict) else "world.py"
    return name if isinstance(name, str) else "world.py"
