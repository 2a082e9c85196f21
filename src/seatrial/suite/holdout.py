"""The holdout of a suite in a folder of its own: `holdout.yaml`, tasks, and fixtures that only they use.

It may lie in another repository, where those who tune an agent do not read it. Its tasks act in the suite's world under the suite's rules.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path as FilePath

from msgspec import structs

from seatrial.base.canonical import content_hash
from seatrial.base.errors import SuiteError
from seatrial.records.holdout import REFRESH_AFTER
from seatrial.suite.canary import read_canary
from seatrial.suite.definition import SuiteDefinition
from seatrial.suite.files import refuse_outside
from seatrial.suite.fixtures import fixture_names, read_fixture
from seatrial.suite.header import read_header
from seatrial.suite.load import Reading, read_only_document, read_top, task_parts
from seatrial.suite.part import Part, shown
from seatrial.suite.suite import Suite

HOLDOUT_FILE = "holdout.yaml"
KEYS = {
    "suite": "Name of the suite that it belongs to.",
    "canary": "A string that stands in these files and nowhere else.",
    "refresh_after": f"Runs that may be decided on it before it is worn ({REFRESH_AFTER}).",
}
"""Keys of holdout.yaml and what they mean."""


@dataclass(frozen=True)
class Holdout:
    """What `holdout.yaml` says, and what the folder holds.

    Args:
        folder: The folder.
        suite: Name of the suite that it belongs to.
        canary: Its canary; empty: it has none.
        refresh_after: Runs that may be decided on it before it is worn.
        hash: Content hash of its tasks and fixtures; comments, and how tasks are spread over files, do not count.
    """

    folder: FilePath
    suite: str
    canary: str = ""
    refresh_after: int = REFRESH_AFTER
    hash: str = ""

    @property
    def edition(self) -> str:
        """Fingerprint of the canary: a refreshed holdout gets a new one."""
        return content_hash(self.canary)[:12]


def read_holdout(folder: FilePath) -> Holdout:
    """Read a holdout without its suite: who it belongs to, and the hash of what it holds.

    Args:
        folder: The folder that holds `holdout.yaml`.

    Raises:
        SuiteError: There is none, it is wrong, or a file of the folder cannot be read.
    """
    folder = FilePath(folder)
    path = folder / HOLDOUT_FILE
    if not path.is_file():
        raise SuiteError(f"the folder holds no {HOLDOUT_FILE}; a holdout is a folder with one, and with tasks", file=str(folder))
    refuse_outside(folder, path)
    top = read_only_document(path).mapping(KEYS)
    if top.get("suite") is None:
        top.fail("a holdout needs `suite`: the name of the suite that it belongs to")
    return Holdout(
        folder,
        top["suite"].text(),
        top.read("canary", read_canary, ""),
        top.read("refresh_after", lambda each: each.integer(1), REFRESH_AFTER),
        _content_hash(folder),
    )


def joined(suite: Suite, holdout: Holdout, definition: SuiteDefinition) -> Suite:
    """Return a suite with the tasks of its holdout behind its own; its hash stays that of the suite alone.

    Args:
        suite: The suite.
        holdout: The holdout.
        definition: What the suite's world offers.

    Raises:
        SuiteError: The holdout belongs to another suite or lies within this one, or one of its tasks is wrong.
    """
    _refuse_strangers(suite, holdout)
    header = read_header(read_top(suite.folder), definition)
    defaults = header.task_defaults(definition, content_hash(suite.documents) if suite.documents else "")
    own = {task.id: task for task in suite.tasks}
    reading = Reading(suite.folder, definition, header.ownership, tasks=dict(own), places=dict(suite.places), apart=holdout.folder)
    for part in task_parts(holdout.folder):
        _refuse_other_splits(part)
        reading.add(part, defaults)
    found = tuple(structs.replace(task, split="holdout") for name, task in reading.tasks.items() if name not in own)
    if not found:
        raise SuiteError("the holdout has no task; write tasks/*.yaml or tasks.jsonl", file=str(holdout.folder))
    tasks, holes = (*suite.tasks, *found), (*suite.holes, *reading.holes)
    return replace(suite, tasks=tasks, places=reading.places, holes=holes, holdout_canary=holdout.canary)


def _refuse_strangers(suite: Suite, holdout: Holdout) -> None:
    if holdout.suite != suite.name:
        message = f"the holdout belongs to the suite {shown(holdout.suite)}, and this one is {suite.name!r}"
        raise SuiteError(message, file=str(holdout.folder / HOLDOUT_FILE))
    inside, outside = (FilePath(os.path.realpath(each)) for each in (holdout.folder, suite.folder))
    if inside.is_relative_to(outside) or outside.is_relative_to(inside):
        message = (
            "the holdout and the suite lie one within the other, so that whoever reads the suite reads both; move the holdout elsewhere"
        )
        raise SuiteError(message, file=str(holdout.folder))


def _refuse_other_splits(part: Part) -> None:
    split = part.mapping().get("split")
    if split is not None and split.value != "holdout":
        split.fail(f"every task of a holdout is of the split 'holdout', so {shown(split.value)} is wrong; leave `split` out")


def _content_hash(folder: FilePath) -> str:
    tasks = sorted(content_hash(part.value) for part in task_parts(folder))
    fixtures: Mapping[str, str] = {name: read_fixture(folder, name).hash for name in fixture_names(folder)}
    return content_hash([tasks, fixtures])
