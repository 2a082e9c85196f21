"""Reset and diff of both kinds of state, and the memory of trials in flight.

Reset is opening a fresh world and closing it; diff is closing the call and putting its changes together. What the tool itself does
in between is not counted. Fixtures of two sizes are measured by turns, and the median of the per-round ratios says how flat it is.
Every memory figure is taken in a process of its own.
"""

from __future__ import annotations

import ctypes
import gc
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks._interleave import interleave
from benchmarks._line import Line, at_most
from seatrial.base.clock import VirtualClock
from seatrial.suite.fixtures import FixtureData
from seatrial.world.history import WatchedState
from seatrial.world.state import PreparedState
from seatrial.world.states.documents import Documents
from seatrial.world.states.sqlite import Sqlite

SMALL, LARGE = 1_000, 1_000_000
"""Rows of the two fixtures."""
HELD_ROWS = 100_000
"""Rows of the fixture under the trials whose memory is measured."""
TRIALS_A_ROUND = 60
TABLES = ("claims", "policies", "notes", "flags", "payments")
SCHEMA = (
    "".join(f"CREATE TABLE {name}(id TEXT PRIMARY KEY NOT NULL, amount INTEGER, text TEXT);" for name in TABLES)
    + "CREATE TRIGGER noted AFTER UPDATE OF amount ON claims BEGIN UPDATE payments SET amount = amount + 1 WHERE id = new.id; END;"
)
"""Five tables and a trigger: the measured call reads twice, writes four times, and changes five rows in five tables."""


@dataclass(frozen=True)
class Cost:
    """CPU microseconds of one trial."""

    reset: float
    diff: float

    @property
    def both(self) -> float:
        """Reset and diff."""
        return self.reset + self.diff


def lines() -> Iterator[Line]:
    """Measure both states, then memory."""
    yield from flat("sqlite", database, edit_database, changed=5, bar=500, times=1.3)
    yield from flat("documents", documents, edit_documents, changed=6, bar=200, times=1.5)
    yield memory_a_trial(32)
    yield memory_at_all(1_000)


def flat(
    kind: str, prepare: Callable[[int], PreparedState], edit: Callable[[WatchedState], None], *, changed: int, bar: float, times: float
) -> Iterator[Line]:
    """Measure one kind of state on both fixtures by turns."""
    small, large = prepare(SMALL), prepare(LARGE)
    costs: list[Cost] = []

    def side(prepared: PreparedState, kept: list[Cost] | None = None) -> float:
        cost = play(prepared, edit, changed=changed)
        if kept is not None:
            kept.append(cost)
        return cost.both

    compared = interleave(lambda: side(large, costs), lambda: side(small), rounds=15)
    measured = costs[1:]
    note = (
        f"reset {statistics.median(one.reset for one in measured):.0f}, diff of {changed} changed records "
        f"{statistics.median(one.diff for one in measured):.0f}; a fixture of {LARGE:,} records"
    )
    yield at_most(f"{kind} state: reset + diff", compared.ours, bar=bar, unit="µs CPU", note=note)
    growth = 1 / compared.ratio
    note = f"{compared.theirs:.0f} us against {compared.ours:.0f} us, measured by turns"
    yield at_most(f"{kind} state: reset + diff, {LARGE:,} records against {SMALL:,}", growth, bar=times, unit="times", note=note)


def play(prepared: PreparedState, edit: Callable[[WatchedState], None], *, changed: int) -> Cost:
    """Return the median cost of a number of trials."""
    costs: list[Cost] = []
    for _ in range(TRIALS_A_ROUND):
        begin = time.process_time()
        state = WatchedState(prepared.open(clock=VirtualClock(), seed=1))
        opened = time.process_time()
        edit(state)
        edited = time.process_time()
        state.keep()
        changes = state.changes()
        seen = time.process_time()
        state.close()
        closed = time.process_time()
        assert len(changes) == changed
        costs.append(Cost((opened - begin + closed - seen) * 1e6, (seen - edited) * 1e6))
    return Cost(statistics.median(one.reset for one in costs), statistics.median(one.diff for one in costs))


def database(rows: int) -> PreparedState:
    """Return a database of so many rows in five tables."""
    each = rows // len(TABLES)
    fill = "".join(
        f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {each - 1}) "
        f"INSERT INTO {name} SELECT 'k' || i, i, 'some text of a usual length, number ' || i FROM n;"
        for name in TABLES
    )
    return Sqlite(schema=SCHEMA).prepare(FixtureData(sql=fill, hash=f"{rows}"), {})


def edit_database(state: WatchedState) -> None:
    """Two look-ups and four writes, one of which sets off a trigger."""
    state.begin("write")
    handle = state.handle
    handle.one("SELECT * FROM policies WHERE id = ?", "k7")
    handle.one("SELECT * FROM flags WHERE id = ?", "k9")
    handle.execute("UPDATE claims SET amount = amount + 1 WHERE id = ?", "k7")
    handle.execute("UPDATE policies SET text = 'seen' WHERE id = ?", "k7")
    handle.execute("INSERT INTO notes VALUES ('new', 1, 'a note')")
    handle.execute("DELETE FROM flags WHERE id = ?", "k9")


def documents(rows: int) -> PreparedState:
    """Return one collection of so many nested records."""
    records = {
        f"k{number}": {"id": f"k{number}", "amount": 1, "lines": [{"n": 1, "tags": ["a"]}], "text": "some text"} for number in range(rows)
    }
    return Documents().prepare(FixtureData(records={"claims": records}, hash=f"{rows}"), {})


def edit_documents(state: WatchedState) -> None:
    """Change a nested field of six records."""
    state.begin("write")
    claims = state.handle["claims"]
    for number in range(6):
        claims[f"k{number * 7}"]["lines"][0]["n"] = 2


def memory_a_trial(in_flight: int) -> Line:
    """Memory that one more trial in flight takes."""
    found = _in_flight(in_flight)
    note = f"{in_flight} trials in flight, each with five written rows, over a fixture of {HELD_ROWS:,} rows that they share"
    return at_most(f"sqlite state: memory a trial, {in_flight} in flight", found["a_trial"] / 1e6, bar=0.5, unit="MB", note=note)


def memory_at_all(in_flight: int) -> Line:
    """Peak memory of a process with many trials in flight."""
    found = _in_flight(in_flight)
    note = f"peak of the whole process, fixture and interpreter included; {found['a_trial'] / 1e6:.2f} MB a trial"
    return at_most(f"sqlite state: {in_flight:,} trials in flight", found["peak"] / 1e6, bar=400, unit="MB", note=note)


def _in_flight(trials: int) -> dict[str, float]:
    command = [sys.executable, "-c", f"from benchmarks.world import hold; hold({trials})"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def hold(trials: int) -> None:
    """Open so many trials, write in each, keep them all open, and print what they took, bytes."""
    prepared = database(HELD_ROWS)
    _held(prepared).close()  # what the first trial loads once is no cost of a trial
    _give_back()
    before = _status("VmRSS")
    held = [_held(prepared) for _ in range(trials)]
    print(json.dumps({"a_trial": (_status("VmRSS") - before) / len(held), "peak": _status("VmHWM")}))


def _held(prepared: PreparedState) -> WatchedState:
    state = WatchedState(prepared.open(clock=VirtualClock(), seed=1))
    edit_database(state)
    state.keep()
    return state


def _give_back() -> None:
    """Return freed memory to the system: what building the fixture left behind would hide what the trials take."""
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)


def _status(field: str) -> int:
    """Return a figure of this process's memory, bytes."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith(field)) * 1024
