"""`double_write`: a write that was made is made again."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.prove.mutant import Mutant
from seatrial.prove.path import inserted
from seatrial.prove.subject import Subject


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the path with each write in turn made twice."""
    for call in subject.writes:
        yield Mutant(call.label, inserted(subject.path, call.at + 1, call.step), closes="process: {repeats: {writes: 0}, extras: reads}")
