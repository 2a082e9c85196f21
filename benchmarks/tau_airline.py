"""The 200 recorded airline runs of τ-bench: import and grade them; play their access pattern on the `documents` state.

The replay uses small tools of our own over the same records (`_airline_tools`), not τ-bench's, on both sides: what is compared is
reset + the same reads and writes + finding what changed, against a pickled copy of everything a run, compared in full. Ours also
says what each call changed, as every trial's record does; theirs does not.
"""

from __future__ import annotations

import json
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks._airline_tools import TOOLS
from benchmarks._interleave import Comparison, cpu, interleave
from benchmarks._line import Line, against, at_most, unmeasured
from benchmarks._peers import ROOT
from seatrial.records.trace import ToolCall

DATA = ROOT.parent / "shared" / "data" / "tau_airline"
RECORDING = DATA / "gpt-4o-results.json"
COLLECTIONS = ("flights", "reservations", "users")
RUNS_A_ROUND = 25
Calls = Sequence[tuple[str, bytes]]
"""The successful calls of one run: tool, arguments as JSON text."""


def lines() -> Iterator[Line]:
    """Measure import and grading, then the replay."""
    if not RECORDING.exists():
        yield unmeasured("tau-bench airline", "", f"{RECORDING.name} is not at ../shared/data/tau_airline")
        return
    yield import_and_grade()
    yield import_under_suite()
    yield replay()


def import_and_grade() -> Line:
    """Read the file, write a run file, grade every trial, as `seatrial import tau-bench` does."""
    return at_most("tau-bench airline: import, store and grade 200 runs", _import_seconds(None), bar=2.0, unit="CPU s")


def import_under_suite() -> Line:
    """The same under `examples/tau_airline`: provenance of every value, confirmation of every write, ownership, doubled writes."""
    name = "tau-bench airline: import, store and grade 200 runs under its suite"
    return at_most(name, _import_seconds(ROOT / "examples" / "tau_airline"), bar=1.0, unit="CPU s")


def _import_seconds(suite: Path | None) -> float:
    from seatrial.app.importing import import_run

    def work() -> None:
        with tempfile.TemporaryDirectory() as folder:
            done = import_run("tau-bench", RECORDING, Path(folder) / "t.seatrial", suite=suite)
            assert done.traces == 200

    work()
    return min(cpu(work) for _ in range(3))


def replay() -> Line:
    """Play the successful calls of the recorded runs on both states."""
    runs = recorded_calls()
    with tempfile.TemporaryDirectory() as folder:
        compared = _compare(runs, Path(folder) / "airline")
    of_all_runs = replace(compared, ours=compared.ours * len(runs), theirs=compared.theirs * len(runs))
    name = f"documents state: the access pattern of the {len(runs)} airline runs (own small tools) against a pickled copy a run"
    return against(name, of_all_runs, bar=40, unit="CPU s for all runs")


def _compare(runs: Sequence[Calls], suite: Path) -> Comparison:
    records = {name: json.loads((DATA / f"{name}.json").read_bytes()) for name in COLLECTIONS}
    blob = pickle.dumps(records, protocol=pickle.HIGHEST_PROTOCOL)
    world = _world(suite)
    _check_same(runs, world, records, blob)
    ours, theirs = _Rounds(runs, lambda run: _ours(run, world)), _Rounds(runs, lambda run: _theirs(run, records, blob))
    return interleave(ours, theirs, rounds=8)


def recorded_calls() -> list[Calls]:
    """Return the successful calls of every recorded run, by our importer."""
    from seatrial.importers import tau_bench

    return [[_replayed(call) for call in trace.calls if call.succeeded] for trace in tau_bench.read(RECORDING).traces]


def _replayed(call: ToolCall) -> tuple[str, bytes]:
    """Return a call to play; a booking gets the key that it was recorded with, since later calls name it."""
    if call.tool != "book_reservation":
        return call.tool, bytes(call.proposed)
    key = json.loads(bytes(call.observation))["reservation_id"]
    return call.tool, json.dumps({**json.loads(bytes(call.proposed)), "reservation_id": key}).encode()


def _world(suite: Path) -> Any:
    """Return the task's world over the airline records, through the same doors as any suite."""
    from seatrial.app.loading import load

    shutil.copytree(Path(__file__).parent / "airline_world", suite)
    (suite / "fixtures" / "base").mkdir(parents=True)
    for name in COLLECTIONS:
        shutil.copy(DATA / f"{name}.json", suite / "fixtures" / "base")
    loaded = load(suite)
    return loaded.world(loaded.suite.tasks[0])


def _ours(run: Calls, world: Any) -> list[str]:
    opened = world.open(seed=0, trial=0)
    state = opened.state
    for tool, arguments in run:
        state.begin(effect_of(tool))
        TOOLS[tool](state.handle, json.loads(arguments))
        state.keep()
    changed = [change.path for change in state.changes()]
    opened.close()
    return changed


def _theirs(run: Calls, records: dict, blob: bytes) -> list[str]:
    own = pickle.loads(blob)
    for tool, arguments in run:
        TOOLS[tool](own, json.loads(arguments))
    return sorted(
        f"{name}/{key}" for name in COLLECTIONS for key in {*records[name], *own[name]} if records[name].get(key) != own[name].get(key)
    )


def effect_of(tool: str) -> str:
    """Return what a tool of ours does to the records."""
    return "write" if tool.startswith(("book_", "cancel_", "update_", "send_")) else "read"


def _check_same(runs: Sequence[Calls], world: Any, records: dict, blob: bytes) -> None:
    """Both sides must find the same changed records, or the comparison is void."""
    for run in runs:
        ours, theirs = _ours(run, world), _theirs(run, records, blob)
        if ours != theirs:
            raise RuntimeError(f"the states differ: ours {ours}, theirs {theirs}")


class _Rounds:
    """Plays a slice of the runs a round, the next slice the next time.

    Args:
        runs: All runs.
        play: Plays one.
    """

    def __init__(self, runs: Sequence[Calls], play: Callable[[Calls], object]) -> None:
        self.runs, self.play, self.start = runs, play, 0

    def __call__(self) -> float:
        chosen = [self.runs[(self.start + step) % len(self.runs)] for step in range(RUNS_A_ROUND)]
        self.start += RUNS_A_ROUND
        return cpu(lambda: [self.play(run) for run in chosen]) / RUNS_A_ROUND
