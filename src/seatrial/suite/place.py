"""Where a value of a suite stands: file, line and the path of keys down to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

Path = tuple[str | int, ...]
"""Keys and list positions from the root of a document down to a value."""


@dataclass(frozen=True)
class Place:
    """Where a value stands: a file and a line, with the lines of all that lies below it.

    Args:
        file: The file; `None`: the value came from Python.
        line: The line (from 1); `None`: not known.
        lines: Path of a value from the root of its document to its line; empty: only `line` is known.
        label: What the value belongs to, in words, for example `task 'water-017'`.
        skipped: How many leading elements of a path name only the position in the file and are left out of messages.
    """

    file: str | None = None
    line: int | None = None
    lines: Mapping[Path, int] = field(default_factory=dict, repr=False, compare=False)
    label: str = ""
    skipped: int = 0

    def line_of(self, path: Path) -> int | None:
        """Return the line of a value, or of the nearest value above it whose line is known."""
        for length in range(len(path), -1, -1):
            if (line := self.lines.get(path[:length])) is not None:
                return line
        return self.line

    def at(self, path: Path) -> Place:
        """Return the place of a value below this one."""
        return replace(self, line=self.line_of(path))

    def __str__(self) -> str:
        """Return `file:line`, as far as known."""
        if self.file is None:
            return self.label or "Python"
        return f"{self.file}:{self.line}" if self.line is not None else self.file
