"""`append_write`: one more write is made after the last one."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.prove.filling import filled_call
from seatrial.prove.mutant import Mutant
from seatrial.prove.path import inserted, last_words
from seatrial.prove.subject import Subject


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the path with one more call of each permitted tool that writes, on another record where the path has one of it."""
    for tool in subject.offered:
        if tool.effect != "read":
            step = filled_call(subject, tool, elsewhere=True)
            yield Mutant(tool.name, inserted(subject.path, last_words(subject.path), step), closes="process: {extras: reads}")
