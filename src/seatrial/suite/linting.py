"""Lint a suite: what a suite that loads still does not test."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

import msgspec
from msgspec import UNSET

from seatrial.base.wording import listed
from seatrial.records.task import Task
from seatrial.records.trace import Change
from seatrial.suite.finding import Finding, about_task
from seatrial.suite.lints import canary, contracts, faults, risks, whole
from seatrial.suite.suite import Suite


def lint(
    suite: Suite,
    *,
    null_passes: Collection[str] = (),
    reference_changes: Mapping[str, Sequence[Change]] | None = None,
    fixtures: Mapping[str, str] | None = None,
) -> tuple[Finding, ...]:
    """Return what is weak in a suite.

    Args:
        suite: The suite.
        null_passes: Ids of tasks that the null agent passes, from running it.
        reference_changes: Id of a task to what its reference path changes on its fixture, from running it.
        fixtures: What a fixture is called in words to its text; `None`: not at hand.

    Returns:
        The findings, errors first, then in the order of the files.
    """
    changes = reference_changes or {}
    found = [*whole.find(suite), *risks.find(suite), *contracts.find(suite), *faults.find(suite), *canary.find(suite, fixtures)]
    for task in suite.tasks:
        found += _passed_by_nobody(suite, task, null_passes)
        found += _hidden(suite, task, changes.get(task.id, ()))
    order = {task.id: position for position, task in enumerate(suite.tasks)}
    return tuple(sorted(found, key=lambda each: (each.level != "error", order.get(each.task, -1))))


def _passed_by_nobody(suite: Suite, task: Task, null_passes: Collection[str]) -> Iterator[Finding]:
    if task.id in null_passes:
        message = "an agent that does nothing passes this task"
        yield about_task(
            suite, task, "null_agent_passes", message, "require a call, an answer or a change that doing nothing does not give"
        )


def _hidden(suite: Suite, task: Task, changes: Sequence[Change]) -> Iterator[Finding]:
    globs = [glob for each in task.contract.alternatives if each.outcome is not None for glob in each.outcome.ignore]
    hidden = sorted(path for change in changes for path in _fields(change) if any(fnmatchcase(path, glob) for glob in globs))
    if hidden:
        message = f"`ignore` hides what the reference path itself writes: {listed(hidden, 5)}; a wrong value there is not seen"
        yield about_task(suite, task, "ignored_write", message, "narrow `ignore` to fields that differ by nature, such as time stamps")


def _fields(change: Change) -> Iterator[str]:
    record = change.after if change.after is not UNSET else change.before
    for field in msgspec.json.decode(record) if record is not UNSET else ():
        yield f"{change.path}/{field}"
