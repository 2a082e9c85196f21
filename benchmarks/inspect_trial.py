"""What the harness costs: a scripted trial of four calls, recorded durably and graded, against the same four calls in Inspect AI.

Ours: fresh SQLite world, four tool calls with validation, permissions and changes, end state, one durable row, a grade. Theirs:
one `mockllm` sample, `log_realtime=False`, no display, usage set, `includes` as scorer. Both sides run many trials a call and pay
for the call; imports, and the loading of our suite, are not counted.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks._interleave import cpu, interleave
from benchmarks._line import Line, at_least, unmeasured
from benchmarks._peers import Peer, PeerUnavailable

SUITE = Path(__file__).parent / "trial_suite"
OURS_A_ROUND, THEIRS_A_ROUND = 200, 25
NAME = "trial: scripted, 4 calls, recorded durably, against Inspect AI 0.3.285"


def lines() -> Iterator[Line]:
    """Measure by turns."""
    try:
        with Peer("inspect", "_inspect_worker") as peer:
            peer.cpu(2)
            found = interleave(ours, lambda: peer.cpu(THEIRS_A_ROUND) * 1000, rounds=7)
    except PeerUnavailable as error:
        yield unmeasured(NAME, "CPU ms", str(error), ok=False)
        return
    yield at_least(NAME, found.ours, found.theirs, ratio=found.ratio, bar=40, unit="CPU ms a trial")


def ours(agent: str = "agents:scripted") -> float:
    """Return the CPU milliseconds of one of our trials, averaged over one run.

    Args:
        agent: Which of the suite's agents plays.
    """
    from seatrial.app.loading import load
    from seatrial.app.options import RunOptions
    from seatrial.app.run import run_candidates
    from seatrial.base.clock import SystemClock

    loaded = load(SUITE)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.seatrial"
        options = RunOptions(trials=OURS_A_ROUND, output=path)
        seconds = cpu(lambda: run_candidates(loaded, [agent], options, clock=SystemClock()))
        _check(path)
    return seconds / OURS_A_ROUND * 1000


def _check(path: Path) -> None:
    """Every trial must have been recorded and be strict, or the figure is void."""
    from seatrial.store import RunFile

    with RunFile.open(path) as file:
        strict = [grade.strict for grade in file.grades()]
    if strict.count("pass") != OURS_A_ROUND:
        raise RuntimeError(f"{strict.count('pass')} of {OURS_A_ROUND} trials are strict")
