"""What of a run file may be named where it holds holdout tasks, and who is told to ask for more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from seatrial.app.withholding import Withholding, aliases_of, withholding_of
from seatrial.base.errors import RunFileError, UsageError
from seatrial.records.task import Task
from seatrial.store import RunFile

ASK = "give --reveal to see it, and --holdout PATH where it is a folder of its own, so that the look is entered in its ledger"


def withholding_for(file: RunFile, *, called: Collection[str] = (), reveal: bool = False) -> Withholding:
    """Return what of a run may be named.

    Args:
        file: The run file, open.
        called: Names of tools that were called outside of the holdout.
        reveal: Whether everything may be named.
    """
    if reveal:
        return Withholding({})
    return withholding_of(file.tasks().values(), {tool.name for tool in file.manifest.tools} | set(called))


@contextmanager
def opened(path: Path, *, reveal: bool = False, write: bool = False) -> Iterator[RunFile]:
    """Open a run file whose errors name a holdout task as reports do.

    Args:
        path: The run file.
        reveal: Whether holdout tasks may be named.
        write: Whether it will be written to.

    Raises:
        RunFileError: The run file cannot be read or written.
    """
    with RunFile.open(path, write=write) as file, names_withheld(file.tasks().values(), reveal=reveal):
        yield file


@contextmanager
def names_withheld(tasks: Iterable[Task], *, reveal: bool = False) -> Iterator[None]:
    """Let an error of a run file name a holdout task as reports do.

    Args:
        tasks: All tasks of the run.
        reveal: Whether holdout tasks may be named.

    Raises:
        RunFileError: The run file cannot be read or written.
    """
    try:
        yield
    except RunFileError as error:
        text = str(error)
        for task, alias in aliases_of(() if reveal else tasks).items():
            text = text.replace(f"task {task!r}", f"task {alias!r}")
        if text == str(error):
            raise
        raise RunFileError(text) from None


def task_meant(task: str, withholding: Withholding, *, reveal: bool) -> str:
    """Return the id of the task that a word names: its id, or the name that it stands under in reports.

    Args:
        task: The word.
        withholding: The names of the run's holdout tasks, whether they are withheld here or not.
        reveal: Whether holdout tasks may be shown.

    Raises:
        UsageError: It names a holdout task, and those are withheld.
    """
    meant = next((name for name, alias in withholding.aliases.items() if alias == task), task)
    if meant in withholding.aliases and not reveal:
        raise UsageError(f"{withholding.named(meant)} is a task of the holdout and withheld: {ASK}")
    return meant
