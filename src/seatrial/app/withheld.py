"""The doors of a run file that a holdout must not leave by: what may be named, and who is told to ask for more."""

from __future__ import annotations

from collections.abc import Collection

from seatrial.base.errors import UsageError
from seatrial.report.withholding import Withholding, withholding_of
from seatrial.store import RunFile

ASK = "give --reveal to see it, and --holdout PATH so that the look is entered in its ledger"


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
