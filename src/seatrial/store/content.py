"""Content hashes of a run file, part by part: the same for the same content, whatever was written first and however it was packed.

A part is hashed as a list of lines, one a record: its key, and the content hash of the record in its current shape, with its keys in
order. Only the hash grows with the part, never the memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from seatrial.base.canonical import canonical, content_hash
from seatrial.records.decision import RunHashes, Signature
from seatrial.records.grade import Grade
from seatrial.records.label import Label
from seatrial.records.manifest import Manifest
from seatrial.records.task import Task
from seatrial.records.trace import Trace

Line = tuple[Sequence[str | int], object]
"""Key of a record, and the record."""


def run_hashes(
    manifest: Manifest,
    tasks: Mapping[str, Task],
    traces: Iterable[Trace],
    grades: Iterable[Grade],
    labels: Sequence[Label],
    signatures: Sequence[Signature],
) -> RunHashes:
    """Return the content hashes of a run.

    Args:
        manifest: What it was made of.
        tasks: Id → task, in any order.
        traces: By task and trial; each is let go when it is hashed.
        grades: By task and trial, as they are stored.
        labels: In the order in which they were given: of two labels of one reviewer the later one counts, so that their order within a
            trial is content, and that between trials is not.
        signatures: In the order in which they were given; as with labels, within a slice.
    """
    return RunHashes(
        manifest=content_hash(manifest),
        tasks=_part(((task.id,), task) for task in sorted(tasks.values(), key=lambda one: one.id)),
        traces=_part(((trace.identity.task, trace.identity.trial), trace) for trace in traces),
        grades=_part(((grade.task, grade.trial), grade) for grade in grades),
        labels=_part(((one.task, one.trial), one) for one in sorted(labels, key=lambda one: (one.task, one.trial))),
        signatures=_part(((one.slice,), one) for one in sorted(signatures, key=lambda one: one.slice)),
    )


def _part(lines: Iterable[Line]) -> str:
    digest = hashlib.sha256()
    for line in _lines(lines):
        digest.update(line)
    return digest.hexdigest()[:32]


def _lines(lines: Iterable[Line]) -> Iterator[bytes]:
    for key, record in lines:
        yield canonical((*key, content_hash(record))) + b"\n"
