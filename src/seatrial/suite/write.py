"""Write suites: a new one from the template, and proposed ceilings into the files of an old one."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path as FilePath

from seatrial.base.errors import UsageError
from seatrial.base.names import is_identifier
from seatrial.records.contract import Budget
from seatrial.suite.budget_edit import BudgetEdit
from seatrial.suite.canary import canary_from
from seatrial.suite.editing import edit_tasks

_NAME, _CANARY = "SUITE_NAME", "SUITE_CANARY_IS_FRESH"
"""What stands for the suite's name and its canary in the template."""


def write_new(folder: FilePath, name: str) -> tuple[FilePath, ...]:
    """Write a small working suite, ready to be changed.

    Args:
        folder: The folder; it must be absent or empty.
        name: Name of the suite; characters that a name cannot have become `_`.

    Returns:
        The files written.

    Raises:
        UsageError: The folder holds something, or cannot be written.
    """
    folder = FilePath(folder)
    fitting = re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_-") or "suite"
    written = []
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder} is not empty; `seatrial new` never writes over anything, choose another folder")
        canary = canary_from(secrets.token_hex(16))
        for inside, text in _template(files("seatrial.suite") / "templates" / "new"):
            path = folder / inside
            path.parent.mkdir(parents=True, exist_ok=True)
            named = text.replace(_NAME, fitting if is_identifier(fitting) else "suite").replace(_CANARY, canary)
            path.write_text(named, encoding="utf-8")
            written.append(path)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}") from error
    return tuple(written)


def write_budgets(folder: FilePath, budgets: Mapping[str, Budget]) -> tuple[FilePath, ...]:
    """Write ceilings into the task files of a suite; everything else, comments too, stays as it is.

    Args:
        folder: The suite's folder.
        budgets: Id of a task to its ceilings; those that are `None` are left as they are.

    Returns:
        The files that changed.

    Raises:
        SuiteError: A task is not in the files, or a file cannot be edited without changing more than its budgets.
    """
    return edit_tasks(folder, {task: BudgetEdit(budget) for task, budget in budgets.items()})


def _template(folder: Traversable, inside: str = "") -> Iterator[tuple[str, str]]:
    for each in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if each.is_dir():
            yield from _template(each, f"{inside}{each.name}/")
        else:
            # Python files carry a suffix, so that tools do not take them for modules of this package.
            yield inside + each.name.removesuffix(".template"), each.read_text(encoding="utf-8")
