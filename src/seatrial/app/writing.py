"""Write a report: at once or not at all, and never over a run."""

from __future__ import annotations

import os
from pathlib import Path

from seatrial.base.errors import UsageError
from seatrial.base.replacing import replace_files
from seatrial.store.connection import refuse_to_replace


def write_report(text: str, output: Path) -> None:
    """Write a report; when that fails, an earlier report of that name stays as it is.

    Args:
        text: The report; what UTF-8 cannot hold becomes `?`.
        output: The file; where it is a link, the file that it leads to.

    Raises:
        RunFileError: The file is a run file or another database, or no plain file.
        UsageError: It cannot be written.
    """
    try:
        target = Path(os.path.realpath(output))
        refuse_to_replace(target)
        replace_files({target: text.encode("utf-8", "replace")})
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror or error}. Choose another name, or make room") from error
