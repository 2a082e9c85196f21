"""Findings: what `check` has to say of a suite that loads."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from seatrial.records.task import Task
from seatrial.suite.suite import Suite


class Finding(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One remark on a suite."""

    level: Literal["error", "warning"]
    """`error`: the suite cannot be trusted as it is; `warning`: it can, within the limits that the message names."""
    rule: str
    """Name of the rule that found it."""
    message: str
    """What was found, with numbers."""
    fix: str
    """What to do about it."""
    file: str = ""
    """The file it stands in; empty: the suite was made in Python."""
    line: int | None = None
    """The line, from 1; `None`: not known."""
    task: str = ""
    """Id of the task; empty: it is about the suite."""


def about_suite(suite: Suite, rule: str, message: str, fix: str) -> Finding:
    """Return a warning about the suite as a whole."""
    return Finding("warning", rule, message, fix, file=str(suite.folder / "suite.yaml"))


def about_task(suite: Suite, task: Task, rule: str, message: str, fix: str, *, level: Literal["error", "warning"] = "warning") -> Finding:
    """Return a finding about one task, placed where the task stands."""
    place = suite.places.get(task.id)
    file = (place.file or "") if place is not None else ""
    return Finding(level, rule, message, fix, file=file, line=place.line if place is not None else None, task=task.id)
