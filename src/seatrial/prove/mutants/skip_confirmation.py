"""`skip_confirmation`: what is said to the user right before a write is left out, so that nobody said yes."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.prove.confirmation import confirmations
from seatrial.prove.mutant import Mutant
from seatrial.prove.subject import Subject


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the path without the question before each write."""
    for at, write in confirmations(subject):
        path = subject.path[:at] + subject.path[at + 1 :]
        yield Mutant(write.label, path, closes="invariants: [write_needs_confirmation]")
