"""How long it takes to prove the flagship suite: 150 tasks, every right way spoiled in every way, each mutant a trial of its own."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks._line import Line, at_least, at_most
from seatrial.app.loading import load
from seatrial.app.proving import prove

SUITE = Path(__file__).parent.parent / "examples" / "claims_intake"
PROCESSES = 2
"""The bar is set for two cores."""


def lines() -> Iterator[Line]:
    """Prove the suite once and say how long that took, how much was played, and what came of it."""
    started = time.monotonic()
    proof = prove(load(SUITE), processes=PROCESSES)
    seconds = time.monotonic() - started
    total = proof.total
    played = total.counted + total.same + total.false_alarms + total.spoiled
    note = f"{len(proof.tasks)} tasks, {proof.references} right ways, {played:,} mutants, {PROCESSES} processes on {os.cpu_count()} cores"
    yield at_most("prove 150 tasks", seconds, bar=60, unit="s", note=note)
    yield Line("mutants a second", played / seconds, None, None, None, True, "1/s")
    yield at_least("score of the suite", total.score or 0.0, bar=1.0, unit="", note=f"{total.holes} holes, {total.explained} explained")
    passing = total.same / (total.same + total.false_alarms)
    yield at_least("equal spellings that pass", passing, bar=1.0, unit="", note=f"{total.same:,} right ways in another spelling")
