"""Options of a run: one frozen object, shared by Python and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from seatrial.run import Selection

EVERYTHING = Selection()


@dataclass(frozen=True)
class RunOptions:
    """How to run.

    Args:
        selection: Which tasks.
        trials: Trials of a task, instead of the suite's; `None`: the suite's, by stakes.
        seed: Seed of the run.
        concurrency: Trials in flight at once.
        timeout: Wall seconds after which an agent that does not come back is given up.
        retries: How often a trial that the machinery spoiled is tried again.
        max_usd: Ceiling for the whole run, US dollars; `None`: none.
        stop_on_failure: Whether the first trial that is not strict ends the run.
        output: Run file; `None`: `runs/<suite>-<candidate>-<hash>.seatrial`. With several agents: a folder.
        engine: Name of the engine.
        changed_since: Run of the same candidate whose tasks are spared where the suite alone changed, and not in them; `None`: none is.
    """

    selection: Selection = EVERYTHING
    trials: int | None = None
    seed: int = 0
    concurrency: int = 8
    timeout: float = 60.0
    retries: int = 2
    max_usd: float | None = None
    stop_on_failure: bool = False
    output: Path | None = None
    engine: str = "local"
    changed_since: Path | None = None
