"""`move_confirmation`: the user is asked after the write instead of before it."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.prove.confirmation import confirmations
from seatrial.prove.mutant import Mutant
from seatrial.prove.subject import Subject


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the path with the question before each write moved behind it."""
    for at, write in confirmations(subject):
        asked, rest = subject.path[at], subject.path[at + 1 : write.at + 1]
        path = subject.path[:at] + rest + (asked,) + subject.path[write.at + 1 :]
        yield Mutant(write.label, path, closes="invariants: [write_needs_confirmation]")
