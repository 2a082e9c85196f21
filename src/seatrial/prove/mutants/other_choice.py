"""`other_choice`: another choice of the tool's own list stands in an argument, or a flag is turned."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.prove.mutant import Mutant
from seatrial.prove.subject import Subject
from seatrial.prove.values import allowed, arguments, closing, other_choice, path_with


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the path with each argument in turn changed to another of its choices."""
    for argument in arguments(subject):
        new = other_choice(argument.value, argument.schema)
        if new is not None:
            path = path_with(subject, argument, new)
            yield Mutant(argument.changed(new), path, closes=closing(argument), allowed=allowed(argument, new))
