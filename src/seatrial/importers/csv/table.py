"""Bounded reading of a table of text: header, rows, and the line where each stands."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from seatrial.base.errors import ForeignFormatError

MAX_BYTES = 1 << 28
"""Largest file that is read, in bytes."""
MAX_CELL = 65_536
"""Longest cell, in characters."""
DELIMITERS = ",;\t|"
"""What may stand between columns where nothing is said; the one that the header holds most often."""


class Table:
    """A table of text with one header line, read whole and not yet understood.

    Args:
        path: The file.
        delimiter: What stands between columns; empty: found in the header.
        limit: Largest file that is read, in bytes.
    """

    __slots__ = ("_delimiter", "_text", "first_line", "header", "path")

    def __init__(self, path: Path, *, delimiter: str = "", limit: int = MAX_BYTES) -> None:
        self.path, self._text, self.first_line = path, _text(path, limit), 1
        if len(delimiter) > 1 and delimiter != "\\t":
            self.refuse(f"a delimiter is one character, not {delimiter!r}")
        self._delimiter = "\t" if delimiter == "\\t" else delimiter or self._found()
        self.header: tuple[str, ...] = ()
        for line, cells in self._lines():
            self.first_line, self.header = line, tuple(cell.strip() for cell in cells)
            break
        else:
            self.refuse("the file is empty; expected a header line and one line a trial")

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield every row behind the header with the number of its first line.

        Raises:
            ForeignFormatError: A row has other cells than the header has columns, or is not quoted well.
        """
        lines = self._lines()
        next(lines)
        for line, cells in lines:
            if len(cells) != len(self.header):
                self.refuse(f"expected {len(self.header)} cells as in the header, got {len(cells)}", line)
            yield line, cells

    def refuse(self, problem: str, line: int | None = None) -> NoReturn:
        """Raise the error of this file.

        Args:
            problem: What is wrong, with the value and what was expected.
            line: Where, from 1; `None`: the file as a whole.

        Raises:
            ForeignFormatError: Always.
        """
        place = f"{self.path}:{line}" if line is not None else f"{self.path}"
        raise ForeignFormatError(f"{place}: {problem}")

    def _lines(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the cells of every line that is not blank, with its number; a quoted cell may run over several lines."""
        reader = csv.reader(io.StringIO(self._text, newline=""), delimiter=self._delimiter, strict=True)
        line = 1
        try:
            for cells in reader:
                if any(len(cell) > MAX_CELL for cell in cells):
                    self.refuse(f"a cell has more than {MAX_CELL:,} characters", line)
                if any(cell.strip() for cell in cells):
                    yield line, cells
                line = reader.line_num + 1
        except csv.Error as error:
            self.refuse(f"the quoting of the row that begins here is broken: {error}", line)

    def _found(self) -> str:
        """Return the delimiter that the first line with text holds most often; quoted text does not count."""
        first = next((line for line in self._text.splitlines() if line.strip()), "")
        bare = "".join(first.split('"')[::2])
        return max(DELIMITERS, key=bare.count)


def _text(path: Path, limit: int) -> str:
    """Return the text of a file, without a byte-order mark."""
    try:
        size = path.stat().st_size
        if not path.is_file() and not path.is_dir():
            raise ForeignFormatError(f"{path}: cannot be read: it is a pipe or a device; write its content to a file first")
        if size > limit:
            raise ForeignFormatError(f"{path}: the file has {size:,} bytes; at most {limit:,} are read. Split it by candidate.")
        data = path.read_bytes()
    except OSError as error:
        raise ForeignFormatError(f"{path}: cannot be read: {error.strerror or error}") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ForeignFormatError(f"{path}:{line}: the byte 0x{data[error.start]:02x} is not UTF-8; save the table as UTF-8") from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ForeignFormatError(f"{path}:{line}: the line holds a NUL character; expected a table of text")
    return text
