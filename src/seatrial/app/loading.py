"""Load a suite with its world: the two halves of one folder, checked against each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from seatrial.app.cross_checks import check_own_names, check_rule_arguments
from seatrial.base.canonical import content_hash
from seatrial.base.errors import SuiteError, UsageError
from seatrial.records.contract import ToolSpec
from seatrial.records.task import Task
from seatrial.suite import Suite, load_suite, read_fixture
from seatrial.suite.files import refuse_outside
from seatrial.suite.fixtures import FixtureData, fixture_home
from seatrial.suite.header import world_file
from seatrial.suite.holdout import HOLDOUT_FILE, Holdout, joined, read_holdout
from seatrial.suite.load import read_top
from seatrial.suite.part import Part
from seatrial.world import TaskWorld, WorldDefinition, load_definition


@dataclass(frozen=True)
class LoadedSuite:
    """A suite with the world it acts on.

    Args:
        suite: Tasks, defaults, documents.
        definition: State, tools, probes of the world.
        holdout: The holdout whose tasks stand behind the suite's own; `None`: none was given.
    """

    suite: Suite
    definition: WorldDefinition
    holdout: Holdout | None = None
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
            self._fixtures[name] = read_fixture(fixture_home(self.suite.folder, self.apart, name), name)
        return self._fixtures[name]

    @property
    def apart(self) -> Path | None:
        """Folder of the holdout; `None`: none was given."""
        return self.holdout.folder if self.holdout is not None else None

    def lies_apart(self, task: str) -> bool:
        """Tell whether a task comes from the holdout's folder."""
        place = self.suite.places.get(task)
        return self.holdout is not None and place is not None and _is_withheld(self.holdout.folder, place.file)

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


def load(folder: Path | str, *, recorded: bool = False, holdout: Path | None = None, reveal: bool = False) -> LoadedSuite:
    """Load a suite folder.

    Args:
        folder: The folder that holds `suite.yaml`.
        recorded: Whether the tasks come from a recording, so that the folder need hold none.
        holdout: Folder of a holdout whose tasks are added; `None`: none.
        reveal: Whether an error may say what is wrong within the holdout: to its owner, who checks it.

    Raises:
        UsageError: There is no suite in the folder.
        SuiteError: Something in the suite is wrong; file, line, value and way out are in its text. Of a holdout it says only that.
    """
    folder = Path(folder)
    if not (folder / "suite.yaml").is_file():
        raise UsageError(f"{folder} holds no suite.yaml; a suite is a folder with one. `seatrial new {folder.name}` writes a working one")
    top = read_top(folder)
    definition = _definition(folder, world_file(top))
    check_own_names(definition)
    suite = load_suite(folder, definition=definition.suite_definition(), recorded=recorded)
    check_rule_arguments(suite, definition, top)
    return LoadedSuite(suite, definition) if holdout is None else _with_holdout(suite, definition, holdout, top, reveal=reveal)


def _with_holdout(suite: Suite, definition: WorldDefinition, folder: Path, top: Part, *, reveal: bool) -> LoadedSuite:
    with errors_withheld(folder, reveal=reveal):
        holdout = read_holdout(folder)
        whole = joined(suite, holdout, definition.suite_definition())
        check_rule_arguments(whole, definition, top)
        return LoadedSuite(whole, definition, holdout)


@contextmanager
def errors_withheld(holdout: Path | None, *, reveal: bool = False) -> Iterator[None]:
    """Let an error that lies within a holdout's folder say only that it is there: its text holds what a task asks.

    Args:
        holdout: The folder; `None`: there is none.
        reveal: Whether errors pass as they are.

    Raises:
        SuiteError: The holdout is wrong.
    """
    try:
        yield
    except SuiteError as error:
        if holdout is None or reveal or not _is_withheld(holdout, error.file):
            raise
        # Not chained: whoever prints the cause of an error would print what is withheld.
        told = f"something in the holdout is wrong, and withheld; its owner sees it with seatrial check SUITE --holdout {holdout}"
        raise SuiteError(told, file=str(holdout)) from None


def _is_withheld(holdout: Path, file: str | None) -> bool:
    """Tell whether an error speaks of a task or fixture of a holdout, and not of the holdout as a whole."""
    return file is not None and Path(file).is_relative_to(holdout) and Path(file) not in (holdout, holdout / HOLDOUT_FILE)


def _definition(folder: Path, name: str) -> WorldDefinition:
    refuse_outside(folder, folder / name)
    try:
        return load_definition(folder, name)
    except SystemExit as error:
        raise SuiteError("the world ended the program when it was imported (SystemExit)", file=str(folder / name)) from error
