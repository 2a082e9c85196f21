"""Benches of the run file: bytes and CPU a stored trial, reading, and memory over a hundred thousand stored traces.

Appending is set against the least that any store can do, measured by turns: Python's own sqlite3 committing the plain JSON of each
trial. It is not meant to be won; it shows what packing, the header and reading back before storing cost.
"""

from __future__ import annotations

import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks._interleave import cpu, interleave
from benchmarks._line import Line, against, at_most
from benchmarks._samples import sample_manifest, twelve_step_task, twelve_step_trace
from seatrial.records.manifest import Manifest
from seatrial.records.task import Task
from seatrial.records.trace import Trace, decode, encode
from seatrial.store import RunFile

_TASKS = 50
_ROUNDS = 7
_ROUND_TRIALS = 300


def lines() -> Iterator[Line]:
    """Measure everything that is said of run files."""
    with tempfile.TemporaryDirectory() as folder:
        yield bytes_per_trial(Path(folder))
        yield append_cpu(Path(folder))
        yield read_cpu(Path(folder))
        yield memory_over_traces(Path(folder))


def bytes_per_trial(folder: Path, *, trials: int = 2000) -> Line:
    """Bytes of the whole closed file – tasks, manifest, dictionary and index included – a stored 12-step trial."""
    traces = _traces(trials)
    path = _stored(folder / "bytes.seatrial", traces)
    plain = statistics.mean(len(encode(trace)) for trace in traces)
    note = f"the whole file over {trials:,} trials of {_TASKS} tasks; a trial is {plain:,.0f} bytes of JSON"
    return at_most("bytes of a stored 12-step trial", path.stat().st_size / trials, bar=1300, unit="bytes", note=note)


def append_cpu(folder: Path) -> Line:
    """CPU of one durable append, against sqlite3 committing the plain JSON."""
    first, traces = 200, iter(_traces(200 + (_ROUNDS + 1) * _ROUND_TRIALS))
    plain = sqlite3.connect(folder / "plain.sqlite", isolation_level=None)
    plain.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE TABLE trials(task, trial, body, UNIQUE(task, trial))")
    with RunFile.create(folder / "append.seatrial", *_plan()) as run_file:
        for _ in range(first):
            run_file.append(next(traces))
        parts = [[next(traces) for _ in range(_ROUND_TRIALS)] for _ in range(_ROUNDS + 1)]
        rounds, again = iter(parts), iter(parts)
        measured = interleave(
            lambda: cpu(lambda: _append(run_file, next(rounds))) / _ROUND_TRIALS * 1e6,
            lambda: cpu(lambda: _insert(plain, next(again))) / _ROUND_TRIALS * 1e6,
            rounds=_ROUNDS,
        )
    plain.close()
    note = "theirs: sqlite3, plain JSON, a commit each; the bar is at most 2.5 times that"
    return against("durable append of a 12-step trial", measured, bar=0.4, unit="µs CPU", note=note)


def read_cpu(folder: Path) -> Line:
    """CPU of reading a stored trace, beyond what decoding its JSON takes."""
    traces = _traces(2000)
    data = [encode(trace) for trace in traces]
    with RunFile.open(_stored(folder / "read.seatrial", traces)) as run_file:
        measured = interleave(
            lambda: cpu(lambda: [None for _ in run_file.traces()]) / len(data) * 1e6,
            lambda: cpu(lambda: [decode(one) and None for one in data]) / len(data) * 1e6,
            rounds=_ROUNDS,
        )
    note = f"beyond decoding, which takes {measured.theirs:.1f}"
    return at_most("read a stored 12-step trace", measured.ours - measured.theirs, bar=30, unit="µs CPU", note=note)


def memory_over_traces(folder: Path, *, trials: int = 100_000) -> Line:
    """Peak resident memory of a process that reads every trace of a large run."""
    path = folder / "large.seatrial"
    contracts = _contracts()
    with RunFile.create(path, *_plan()) as run_file:
        for number in range(trials):
            run_file.append(twelve_step_trace(number // _TASKS, number % _TASKS, contract=contracts[number % _TASKS]))
    told = subprocess.run([sys.executable, "-c", _READER, str(path)], capture_output=True, text=True, check=True).stdout.split()
    if int(told[0]) != trials:
        raise RuntimeError(f"{told[0]} of {trials} traces were read")
    return at_most(f"peak memory over {trials:,} stored traces", float(told[1]), bar=150, unit="MB", note="a process that reads them all")


_READER = """
import sys
from seatrial.store import RunFile

with RunFile.open(sys.argv[1]) as run_file:
    read = sum(1 for _ in run_file.traces())
# The peak of this program alone; getrusage would also count what its parent had at the fork.
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(read, int(peak) / 1024)
"""


def _plan() -> tuple[Manifest, list[Task]]:
    tasks = [twelve_step_task(number)[0] for number in range(_TASKS)]
    return sample_manifest(tasks, trials=2000), tasks


def _contracts() -> list[str]:
    return [task.contract_hash for task in _plan()[1]]


def _traces(trials: int) -> list[Trace]:
    contracts = _contracts()
    return [twelve_step_trace(number // _TASKS, number % _TASKS, contract=contracts[number % _TASKS]) for number in range(trials)]


def _stored(path: Path, traces: list[Trace]) -> Path:
    with RunFile.create(path, *_plan()) as run_file:
        _append(run_file, traces)
    return path


def _append(run_file: RunFile, traces: list[Trace]) -> None:
    for trace in traces:
        run_file.append(trace)


def _insert(connection: sqlite3.Connection, traces: list[Trace]) -> None:
    for trace in traces:
        connection.execute("INSERT INTO trials VALUES (?, ?, ?)", (trace.identity.task, trace.identity.trial, encode(trace)))
