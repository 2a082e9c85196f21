"""Plain tables of results: CSV with one row a trial, of any program, columns mapped by name.

Source: RFC 4180 (quoting, line ends); read are also `;`, tab and `|` between columns, a byte-order mark, and blank lines. A row becomes a
trace without steps whose recorded verdict is evidence (kind *reported*): outcome only, process and safety are not applicable. Every task
that any candidate of the table has is planned for all of them, with as many trials as the candidate has labels: a row that is not there
is a trial of unknown success, and so is an empty verdict. An empty cost is unknown, and is not 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seatrial.base.wording import listed
from seatrial.importers import Imported
from seatrial.importers.csv.columns import Columns
from seatrial.importers.csv.runs import Runs
from seatrial.importers.csv.table import MAX_BYTES

Options = Columns
"""What a user says of the table."""


def read(path: Path, fixture_folder: Path | None = None, columns: Columns | None = None, *, limit: int = MAX_BYTES) -> Imported:
    """Read a table with one candidate.

    Args:
        path: The table.
        fixture_folder: Not used: a table starts from no records.
        columns: What its columns are; `None`: they are called `task`, `passed`, and perhaps `trial`.
        limit: Largest file that is read, in bytes.

    Returns:
        The run; every row was checked before the first trace is handed out.

    Raises:
        ForeignFormatError: The file is no such table, holds a trial twice, a cell that cannot be read, or several candidates.
    """
    del fixture_folder
    runs = Runs(path, columns or Columns(), limit=limit)
    if len(runs.own) > 1:
        runs.table.refuse(f"it holds {len(runs.own):,} candidates ({listed(list(runs.names.values()), 3)}); read_all reads them all")
    return next(iter(runs))


def read_all(path: Path, columns: Columns, *, limit: int = MAX_BYTES) -> Iterator[Imported]:
    """Read a table with one or more candidates.

    Args:
        path: The table.
        columns: What its columns are.
        limit: Largest file that is read, in bytes.

    Returns:
        One run a candidate, all of the same tasks; every row of the table was checked before the first is handed out.

    Raises:
        ForeignFormatError: The file is no such table, holds a trial twice, or a cell that cannot be read.
    """
    return iter(Runs(path, columns, limit=limit))
