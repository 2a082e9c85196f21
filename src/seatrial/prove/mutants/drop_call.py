"""`drop_call`: a call of the path is left out."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.prove.mutant import Mutant
from seatrial.prove.path import edited
from seatrial.prove.subject import Subject


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the path without each of its calls in turn."""
    for call in subject.calls:
        path = edited(subject.path, call.at, call.position, ())
        yield Mutant(call.label, path, closes=call.closing, allowed=call.dispensable)
