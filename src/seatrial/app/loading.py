"""Load a suite with its world: the two halves of one folder, checked against each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from seatrial.app.agreement import check_own_names, check_rule_arguments
from seatrial.base.canonical import content_hash
from seatrial.base.errors import SuiteError, UsageError
from seatrial.records.contract import ToolSpec
from seatrial.records.task import Task
from seatrial.suite import Suite, load_suite, read_fixture
from seatrial.suite.files import refuse_outside
from seatrial.suite.fixtures import FixtureData
from seatrial.suite.header import world_file
from seatrial.suite.load import read_top
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
        """Return the world of a task: its fixture with the task's own records laid over it.

        Args:
            task: A task of the suite.

        Raises:
            SuiteError: A record breaks the schema; the task's file and line are in its text.
        """
        try:
            return self.definition.prepare(task, self.fixture(task.fixture.use))
        except SuiteError as error:
            place = self.suite.places.get(task.id)
            if error.file is not None or place is None:
                raise
            raise SuiteError(error.message, file=place.file, line=place.line, nearest=error.nearest) from error


def load(folder: Path | str, *, recorded: bool = False) -> LoadedSuite:
    """Load a suite folder.

    Args:
        folder: The folder that holds `suite.yaml`.
        recorded: Whether the tasks come from a recording, so that the folder need hold none.

    Raises:
        UsageError: There is no suite in the folder.
        SuiteError: Something in the suite is wrong; file, line, value and way out are in its text.
    """
    folder = Path(folder)
    if not (folder / "suite.yaml").is_file():
        raise UsageError(f"{folder} holds no suite.yaml; a suite is a folder with one. `seatrial new {folder.name}` writes a working one")
    top = read_top(folder)
    definition = _definition(folder, world_file(top))
    check_own_names(definition)
    suite = load_suite(folder, definition=definition.suite_definition(), recorded=recorded)
    check_rule_arguments(suite, definition, top)
    return LoadedSuite(suite, definition)


def _definition(folder: Path, name: str) -> WorldDefinition:
    refuse_outside(folder, folder / name)
    try:
        return load_definition(folder, name)
    except SystemExit as error:
        raise SuiteError("the world ended the program when it was imported (SystemExit)", file=str(folder / name)) from error
