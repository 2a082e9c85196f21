"""What the harness costs: a scripted trial of four calls, recorded durably, against the same four calls in Inspect AI.

Ours: fresh SQLite world, four tool calls with validation, permissions and changes, end state, one durable row a trial. Theirs: one
`mockllm` sample, `log_realtime=False`, no display, usage set. Both sides run many trials a call and pay for the whole call, opening
and closing of the file included; imports, and the loading of our suite, are not counted. A second line, for information, adds our
grade with its four questions, stored as well: what `seatrial run` costs; Inspect's sample has its `includes` scorer in both.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks._interleave import Measure, cpu, interleave
from benchmarks._line import Line, against, unmeasured
from benchmarks._peers import Peer, PeerUnavailable
from seatrial.agents import make_agent
from seatrial.app.loading import LoadedSuite, load
from seatrial.app.options import RunOptions
from seatrial.app.run import run_candidates
from seatrial.base.clock import SystemClock
from seatrial.base.seeds import derive
from seatrial.records.manifest import Manifest, PlannedTask
from seatrial.run import TrialJob
from seatrial.run.engines import local
from seatrial.run.stop import Stop
from seatrial.store import RunFile

SUITE = Path(__file__).parent / "trial_suite"
AGENT = "agents:scripted"
OURS_A_ROUND, THEIRS_A_ROUND = 1000, 30
RECORDED = "trial: scripted, 4 calls, recorded durably, against Inspect AI 0.3.285"
GRADED = "trial: the same, graded and its grade stored (for information)"


def lines() -> Iterator[Line]:
    """Measure by turns, first the recording, then the recording with its grade."""
    loaded = load(SUITE)
    try:
        with Peer("inspect", "_inspect_worker") as peer:
            peer.cpu(2)
            yield _line(RECORDED, lambda: per_trial(loaded, record), peer, rounds=7, bar=40)
            yield _line(GRADED, lambda: per_trial(loaded, run), peer, rounds=3, bar=None)
    except PeerUnavailable as error:
        yield unmeasured(RECORDED, "ms CPU a trial", str(error), ok=False)


def _line(name: str, ours: Measure, peer: Peer, *, rounds: int, bar: float | None) -> Line:
    found = interleave(ours, lambda: peer.cpu(THEIRS_A_ROUND) * 1000, rounds=rounds)
    return against(name, found, bar=bar, unit="ms CPU a trial")


def per_trial(loaded: LoadedSuite, work: Callable[[LoadedSuite, Path], None]) -> float:
    """Return the CPU milliseconds of one of our trials, averaged over one run file of `OURS_A_ROUND`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.seatrial"
        seconds = cpu(lambda: work(loaded, path))
        _check(path, graded=work is run)
    return seconds / OURS_A_ROUND * 1000


def record(loaded: LoadedSuite, path: Path) -> None:
    """Run the trials and store their traces: the harness alone."""
    (task,) = loaded.suite.tasks
    agent = make_agent(AGENT, loaded.suite.folder)
    contract, world, candidate = task.contract_hash, loaded.world(task), agent.candidate.hash
    plan = (PlannedTask(task.id, contract, OURS_A_ROUND),)
    manifest = Manifest(loaded.suite.name, loaded.suite.version, loaded.suite.hash, agent.candidate, 0, plan=plan, tools=loaded.tools)

    def jobs() -> Iterator[TrialJob]:
        for trial in range(OURS_A_ROUND):
            seed = derive(0, task.id, trial)
            yield TrialJob(task, contract, world, agent, candidate, loaded.suite.name, trial, seed, loaded.tools, loaded.suite.documents)

    with RunFile.create(path, manifest, [task]) as file:
        local.execute(jobs(), on_trace=file.append, stop=Stop(), concurrency=8)


def run(loaded: LoadedSuite, path: Path) -> None:
    """Run, store and grade the trials, as `seatrial run` does."""
    run_candidates(loaded, [AGENT], RunOptions(trials=OURS_A_ROUND, output=path), clock=SystemClock())


def _check(path: Path, *, graded: bool) -> None:
    """Every trial must have been recorded whole, and be strict where it was graded, or the figure is void."""
    with RunFile.open(path) as file:
        calls = sum(len(trace.calls) == 4 and trace.status == "completed" for trace in file.traces())
        strict = sum(grade.strict == "pass" for grade in file.grades())
    if calls != OURS_A_ROUND or (graded and strict != OURS_A_ROUND):
        raise RuntimeError(f"of {OURS_A_ROUND} trials {calls} are whole and {strict} strict")
