"""`invent_value`: a made-up text of the same form stands in an argument."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.prove.mutant import Mutant
from seatrial.prove.subject import Subject
from seatrial.prove.values import allowed, arguments, closing, invented, path_with


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the path with each text argument in turn changed to one that nobody ever named."""
    known = (subject.task.input, *(key for keys in subject.keys.values() for key in keys))
    for argument in arguments(subject):
        new = invented(argument.value, known) if "enum" not in argument.schema else None
        if new is not None:
            path = path_with(subject, argument, new)
            yield Mutant(argument.changed(new), path, closes=closing(argument), allowed=allowed(argument, new))
