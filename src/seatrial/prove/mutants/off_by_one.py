"""`off_by_one`: a number is one more, or a date a day later."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.prove.mutant import Mutant
from seatrial.prove.subject import Subject
from seatrial.prove.values import allowed, arguments, closing, one_more, path_with


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the path with each argument in turn changed to one more, or a day later."""
    for argument in arguments(subject):
        new = one_more(argument.value)
        if new is not None:
            path = path_with(subject, argument, new)
            yield Mutant(argument.changed(new), path, closes=closing(argument), allowed=allowed(argument, new))
