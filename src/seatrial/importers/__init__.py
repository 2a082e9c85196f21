"""Foreign traces and benchmarks into ours, one format a module.

An importer is a module or a package of this folder with a function `read` (see `Importer`). It refuses what it cannot read before
it hands out the first trace, and marks what its source does not know as unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from seatrial.records.manifest import Manifest
from seatrial.records.task import Task
from seatrial.records.trace import Trace


@dataclass(frozen=True, slots=True)
class Imported:
    """A foreign file as a run."""

    manifest: Manifest
    """What the run was made of; `notes` say what the source does not know."""
    tasks: tuple[Task, ...]
    """Every task of the file, with its contract."""
    traces: Iterator[Trace]
    """One trace a recorded trial, made as it is asked for; all of them were checked before."""


class Importer(Protocol):
    """What the module of an importer offers."""

    def read(self, path: Path, fixture_folder: Path | None = None) -> Imported:
        """Read a foreign file.

        Args:
            path: The file.
            fixture_folder: Folder of the fixture that the trials ran on; `None`: not at hand.

        Returns:
            The run that the file holds.

        Raises:
            ForeignFormatError: The file is not of this format, is cut, or contradicts itself.
        """
        ...


class TableImporter(Importer, Protocol):
    """What an importer offers whose file holds many runs and is read as its user says."""

    Options: type[Struct]
    """What a user says of the file; each field is a flag, and the description of its type is the flag's help."""

    def read_all(self, path: Path, options: Struct) -> Iterator[Imported]:
        """Read a foreign file as one run a candidate.

        Args:
            path: The file.
            options: An `Options`.

        Returns:
            The runs; all of the file was checked before the first is handed out.

        Raises:
            ForeignFormatError: The file is not of this format, or not what the options say.
        """
        ...
