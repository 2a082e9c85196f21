"""What of a run fits into one HTML file, in the form in which it stands there."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import msgspec

from seatrial.records.grade import Grade, Verdict
from seatrial.records.trace import Trace

MOST_BYTES = 64_000_000
"""JSON of traces in one file, before compression."""
MOST_TRACES = 20_000
CHUNK_BYTES = 500_000
"""JSON of traces that a reader unpacks at once."""
PLAIN_BYTES = 1_000_000
"""Data larger than this are compressed."""

Key = tuple[str, int]
"""Task and trial."""
Form = Literal["json", "gzip"]


class EmbeddedTrial(msgspec.Struct, frozen=True):
    """A trial as it stands in the file."""

    trace: Trace
    grade: Grade


@dataclass(frozen=True)
class Kept:
    """A trial that may become part of the file.

    Attributes:
        arrival: Its place in the run.
        key: Its task and trial.
        data: Its JSON.
    """

    arrival: int
    key: Key
    data: bytes


@dataclass(frozen=True)
class Limits:
    """How much of a run becomes part of the file.

    Attributes:
        traces: Most traces.
        size: Most bytes of their JSON, before compression.
    """

    traces: int = MOST_TRACES
    size: int = MOST_BYTES


class Selection:
    """The trials that fit: failed ones first, then unknown ones, then the rest; within a rank the earlier ones.

    Args:
        limits: How much fits.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits, self.seen, self._size = limits, 0, 0
        self._ranks: tuple[list[Kept], ...] = ([], [], [])

    def offer(self, trace: Trace, grade: Grade) -> None:
        """Keep a trial if it fits, in the place of lower ones if need be."""
        data = msgspec.json.encode(EmbeddedTrial(trace, grade))
        one = Kept(self.seen, (trace.identity.task, trace.identity.trial), data)
        self.seen += 1
        rank = _rank(grade)
        if not self._fits(one) and self._could_fit(one, rank):
            self._make_room(one, rank)
        if self._fits(one):
            self._ranks[rank].append(one)
            self._size += len(data)

    def kept(self) -> list[Kept]:
        """Return the trials that fit, in the order of the run."""
        return sorted(chain.from_iterable(self._ranks), key=lambda one: one.arrival)

    def _fits(self, one: Kept) -> bool:
        return sum(map(len, self._ranks)) < self.limits.traces and self._size + len(one.data) <= self.limits.size

    def _could_fit(self, one: Kept, rank: int) -> bool:
        lower = list(chain.from_iterable(self._ranks[rank + 1 :]))
        return bool(lower) and self._size - sum(len(other.data) for other in lower) + len(one.data) <= self.limits.size

    def _make_room(self, one: Kept, rank: int) -> None:
        for row in reversed(self._ranks[rank + 1 :]):
            while row and not self._fits(one):
                self._size -= len(row.pop().data)


def _rank(grade: Grade) -> int:
    """Return 0 for a trial that failed a question, 1 for an unknown one, 2 for all others."""
    return {Verdict.FAIL: 0, Verdict.UNDETERMINED: 1}.get(grade.strict, 2)


def select(trials: Iterable[tuple[Trace, Grade]], limits: Limits) -> Selection:
    """Return which trials become part of the file; memory stays within the limits.

    Args:
        trials: Traces with their grades.
        limits: How much fits.
    """
    selection = Selection(limits)
    for trace, grade in trials:
        selection.offer(trace, grade)
    return selection


def chunks(kept: Sequence[Kept]) -> Iterator[list[Kept]]:
    """Yield the trials in groups that are unpacked together.

    Args:
        kept: The trials.
    """
    group: list[Kept] = []
    size = 0
    for one in kept:
        if group and size + len(one.data) > CHUNK_BYTES:
            yield group
            group, size = [], 0
        group.append(one)
        size += len(one.data)
    if group:
        yield group


def joined(group: Sequence[Kept]) -> bytes:
    """Return the JSON list of a group of trials."""
    return b"[" + b",".join(one.data for one in group) + b"]"


def script(name: str, data: bytes, form: Form) -> str:
    """Return a script element that holds JSON and is never run.

    Args:
        name: Id of the element.
        data: JSON.
        form: `json`, or `gzip`: compressed, in base64.
    """
    return f'<script type="application/json" id="{name}" data-form="{form}">{_written(data, form)}</script>'


def _written(data: bytes, form: Form) -> str:
    """Return data as they may stand within a script element."""
    if form == "gzip":
        return base64.b64encode(gzip.compress(data, 6, mtime=0)).decode("ascii")
    # A value that was read as raw JSON may hold bytes that are no text; one of them must not cost the whole report.
    text = data.decode("utf-8", "replace")
    for mark in "<>&\u2028\u2029":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text
