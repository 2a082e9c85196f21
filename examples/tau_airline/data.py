"""Where the recording and the records are: beside this project, or in a checkout of the benchmark that the user names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from seatrial.base.errors import UsageError

SUITE = Path(__file__).parent
DEFAULT = SUITE.parents[1].parent / "shared" / "data" / "tau_airline"
_RECORDINGS = ("gpt-4o-results.json", "historical_trajectories/gpt-4o-airline.json")
_RECORDS = (".", "tau_bench/envs/airline/data")


@dataclass(frozen=True)
class Data:
    """The benchmark's files.

    Args:
        recording: The result file.
        records: Folder of users, flights and reservations; `None`: not there.
    """

    recording: Path
    records: Path | None


def data_in(folder: Path) -> Data:
    """Return the benchmark's files in a folder: of this project's neighbour, or of a checkout.

    Args:
        folder: The folder.

    Raises:
        UsageError: There is no recording in it.
    """
    recording = next((path for name in _RECORDINGS if (path := folder / name).is_file()), None)
    if recording is None:
        raise UsageError(
            f"{folder} holds no recording of the airline desk ({' or '.join(_RECORDINGS)}). The benchmark's data are not part of this "
            "project: name a checkout of sierra-research/tau-bench with --data DIR"
        )
    records = next((path for name in _RECORDS if (path := folder / name / "users.json").is_file()), None)
    return Data(recording, records and records.parent)
