"""Write a report: at once or not at all, and never over a run."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from seatrial.base.errors import UsageError
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
        _replace(target, text.encode("utf-8", "replace"))
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror or error}. Choose another name, or make room") from error


def _replace(target: Path, data: bytes) -> None:
    descriptor, part = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.chmod(part, _mode(target))  # noqa: PTH101 - beside `os.replace`
        os.replace(part, target)  # noqa: PTH105 - the two must be one atomic step on every system
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise


def _mode(target: Path) -> int:
    """Return the permissions of the file that is replaced, else those of any new file."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
