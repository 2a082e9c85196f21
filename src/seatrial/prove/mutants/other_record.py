"""`other_record`: another record's key stands in an argument."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.prove.mutant import Mutant
from seatrial.prove.subject import Subject
from seatrial.prove.values import allowed, arguments, closing, other_key, path_with


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the path with each argument in turn changed to the key of another record of the same collection."""
    for argument in arguments(subject):
        new = other_key(argument.value, subject.keys)
        if new is not None:
            path = path_with(subject, argument, new)
            yield Mutant(argument.changed(new), path, closes=closing(argument), allowed=allowed(argument, new))
