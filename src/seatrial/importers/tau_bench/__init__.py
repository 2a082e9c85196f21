"""τ-bench result files: recorded trials of a tool-calling agent with a simulated user. Start with `recording`.

Source: sierra-research/tau-bench, `historical_trajectories/*.json` and what its `run.py` writes: a JSON list of
`{task_id, trial, reward, info, traj}`. What a recording does not say stays unknown: tokens, money, seed, model, times, the end
state. The recorded reward is kept as *reported* evidence. The benchmark's tools are not part of seatrial, so nothing is
replayed: with a fixture, the looked-up records are compared with it and its hash is kept, no more.
"""

from __future__ import annotations

from pathlib import Path

from seatrial.importers import Imported
from seatrial.importers.tau_bench.facts import Facts
from seatrial.importers.tau_bench.json_rows import MAX_BYTES
from seatrial.importers.tau_bench.recording import Recording


def read(path: Path, fixture_folder: Path | None = None, *, limit: int = MAX_BYTES) -> Imported:
    """Read a τ-bench result file as a run.

    Args:
        path: The result file.
        fixture_folder: Folder with the domain's data (`users.json`, …), whose hash is kept and whose records are compared with
            those that the agent looked up; `None`: not at hand.
        limit: Largest file that is read, in bytes.

    Returns:
        The run; every row was checked before the first trace is handed out, and traces are made one at a time.

    Raises:
        ForeignFormatError: The file is no such list, is cut, holds a trial twice, or contradicts itself.
    """
    recording = Recording(path, limit=limit)
    return Imported(recording.manifest(fixture_folder), recording.tasks, recording.traces())


def facts_of(path: Path) -> Facts:
    """Return the counts over a result file that the manifest's notes are made of.

    Args:
        path: The result file.

    Returns:
        The counts.

    Raises:
        ForeignFormatError: As `read`.
    """
    return Recording(path).facts
