"""Peak memory of `compare` over two large runs: the whole of it, from run files to the comparison, in a process of its own.

Runs of 1,000 and of 10,000 tasks × 8 trials are made, of short traces (two calls) that are graded as they are read. What is said is
the peak resident memory of the process, and how much each further task, and each further trial of the same tasks, adds to it: a task
has a row that must stay, a trial has none.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from msgspec import Raw, structs

from benchmarks._line import Line, at_most, told
from benchmarks._samples import sample_manifest
from seatrial.records.contract import Alternative, Contract, Extras, Order, Outcome, Process, Required
from seatrial.records.task import FixtureUse, Task
from seatrial.records.trace import AgentMessage, Change, Identity, Status, ToolCall, Trace, Usage, UserTurn, Versions
from seatrial.store import RunFile

FEW, MANY, TRIALS = 1_000, 10_000, 8
FEWER_TRIALS = 2
_CHANGED = Raw(b'{"status":"routed"}')
_BEFORE = Raw(b'{"status":"open"}')


def lines() -> Iterator[Line]:
    """Measure two runs of 10,000 tasks × 8 trials, and what tasks and trials add."""
    with tempfile.TemporaryDirectory() as folder:
        sizes = ((FEW, TRIALS), (MANY, FEWER_TRIALS), (MANY, TRIALS))
        found = {size: _measured(Path(folder), *size) for size in sizes}
    (few, _), (short, _), (many, seconds) = (found[size] for size in sizes)
    name = f"compare of two runs of {MANY:,} tasks x {TRIALS} trials"
    yield at_most(f"{name}, peak memory", many, bar=400, unit="MB", note="a process that reads, grades and compares both")
    more = 2 * MANY * (TRIALS - FEWER_TRIALS)
    yield at_most(
        f"{name}, what a further trial adds", (many - short) * 1e6 / more, bar=150, unit="bytes", note=f"{FEWER_TRIALS} to {TRIALS}"
    )
    yield at_most(
        f"{name}, what a further task adds", (many - few) * 1e3 / (MANY - FEW), bar=30, unit="kB", note="both runs and the comparison"
    )
    yield told(name, seconds, unit="CPU s", note="reading and grading take most of it")


def _measured(folder: Path, tasks: int, trials: int) -> tuple[float, float]:
    """Return peak memory in MB and CPU seconds of a process that compares two runs."""
    paths = [
        _run(folder / f"{name}-{tasks}-{trials}.seatrial", tasks, trials, chance) for name, chance in (("before", 0.9), ("after", 0.85))
    ]
    told = subprocess.run([sys.executable, "-c", _COMPARER, *map(str, paths)], capture_output=True, text=True, check=True).stdout.split()
    if int(told[0]) != tasks:
        raise RuntimeError(f"{told[0]} of {tasks} tasks were compared")
    return float(told[1]), float(told[2])


_COMPARER = """
import sys, time
from pathlib import Path
from seatrial.app.comparing import compare_runs

found = compare_runs([Path(path) for path in sys.argv[1:]]).comparisons[0]
# The peak of this program alone; getrusage would also count what its parent had at the fork.
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(sum(kind.tasks for kind in found.kinds), int(peak) * 1024 / 1e6, time.process_time())
"""


def _run(path: Path, tasks: int, trials: int, chance: float) -> Path:
    """Write a run whose trials pass with a chance; the others leave the check out."""
    planned = [_task(number) for number in range(tasks)]
    draw = random.Random(f"{path.name}")
    manifest = structs.replace(sample_manifest(planned, trials=trials), suite="large")
    with RunFile.create(path, manifest, planned) as run_file:
        for number, task in enumerate(planned):
            contract = task.contract_hash
            for trial in range(trials):
                run_file.append(_trace(number, trial, contract, manifest.candidate.hash, checked=draw.random() < chance))
    return path


def _task(number: int) -> Task:
    required = (Required("check", ("fraud_flags",), Raw(b"{}")), Required("route", ("route",), Raw(b"{}")))
    way = Alternative(
        process=Process(required=required, order=(Order("check", "<", "route"),), extras=Extras(allow="reads")),
        outcome=Outcome(changes={f"claims/C-{number}": _CHANGED}),
    )
    return Task(
        id=f"task-{number:05d}",
        kind="regression",
        slices={"region": ("north", "south", "east", "west")[number % 4]},
        stakes="write",
        input=f"Please route C-{number}.",
        fixture=FixtureUse("base"),
        contract=Contract(alternatives=(way,)),
    )


def _trace(number: int, trial: int, contract: str, candidate: str, *, checked: bool) -> Trace:
    change = Change(f"claims/C-{number}", "updated", _BEFORE, _CHANGED)
    calls = [_call(2, "fraud_flags", 1, 3, 1, ())] if checked else []
    calls.append(_call(5, "route", 4, 6, 2, (change,)))
    return Trace(
        identity=Identity("large", f"task-{number:05d}", contract, "baseline", candidate, trial, trial),
        status=Status.COMPLETED,
        steps=(UserTurn(0, f"Please route C-{number}."), *calls, AgentMessage(7, "Done.")),
        changes=(change,),
        usage=Usage(calls=len(calls), model_calls=2, tokens=900 + trial, usd=0.001 * (1 + trial % 3), seconds=1.5),
        versions=Versions(seatrial="0.1.0", world="w", tools="t"),
    )


def _call(step: int, tool: str, issued: int, delivered: int, message: int, changes: tuple[Change, ...]) -> ToolCall:
    given, effect = Raw(b"{}"), "write" if changes else "read"
    return ToolCall(
        step, tool, issued, given, given, Raw(b'{"ok":true}'), delivered, message=message, effect=effect, changes=changes, result="valid"
    )
