"""Random amounts in place of payments: how many of them would count as derived? A rule that lets them through proves nothing."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Raw, structs

from seatrial.app.judging import Judge
from seatrial.grade.provenance import judge_provenance
from seatrial.grade.view import TraceView
from seatrial.records.grade import ValueSource
from seatrial.records.trace import ToolCall, Trace
from seatrial.store import RunFile

TOOL = "book_reservation"
PARTS = "payment_methods"
DRAWS = 1_000
MOST = 2_000
"""Largest amount that is drawn; the payments of the recording are smaller."""


class Place(NamedTuple):
    """One payment of one booking."""

    trace: Trace
    call: ToolCall
    position: int


def drawn(run: Path, *, draws: int = DRAWS, seed: int = 0) -> Counter[str]:
    """Replace payments by random amounts and return the classes of sources that these are given.

    Args:
        run: The run file.
        draws: How many amounts are drawn.
        seed: Seed of the draws.
    """
    chance = random.Random(seed)
    with RunFile.open(run) as file:
        judge = Judge.of_run(file)
        places = list(_places(file.traces()))
        return Counter(_source(judge, *_changed(chance.choice(places), chance)) for _ in range(draws if places else 0))


def _places(traces: Iterator[Trace]) -> Iterator[Place]:
    for trace in traces:
        for call in trace.calls:
            if call.tool == TOOL:
                yield from (Place(trace, call, position) for position in range(len(json.loads(bytes(call.proposed))[PARTS])))


def _changed(place: Place, chance: random.Random) -> tuple[Trace, int, str]:
    """Return a trial up to a booking with another amount in it, the step, and the path of the amount."""
    proposed = json.loads(bytes(place.call.proposed))
    payment = proposed[PARTS][place.position]
    payment["amount"] = chance.choice([amount for amount in range(10, MOST + 1) if amount != payment["amount"]])
    raw = Raw(json.dumps(proposed).encode())
    changed = structs.replace(place.call, proposed=raw, executed=raw)
    steps: Sequence = [step for step in place.trace.steps if step.sequence < place.call.sequence]
    path = f"{TOOL}.{PARTS}[{place.position}].amount"
    return structs.replace(place.trace, steps=(*steps, changed)), place.call.sequence, path


def _source(judge: Judge, trace: Trace, step: int, path: str) -> str:
    compiled = judge.compiled(trace.identity.task).provenance
    listed = judge_provenance(compiled, TraceView(trace.steps), witnessed=False).sources
    # Most draws have no source, and these a grade lists; only for the others it is asked which source they have.
    return _at(listed, step, path) or _at(judge.explain(trace), step, path)


def _at(rows: Sequence[ValueSource], step: int, path: str) -> str:
    return next((row.source for row in rows if row.step == step and row.argument == path), "")
