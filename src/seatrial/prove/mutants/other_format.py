"""`other_format`: the same value in another spelling, or the same arguments in another order. The path is still right: it must pass."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from seatrial.prove.mutant import Mutant
from seatrial.prove.path import edited, with_arguments
from seatrial.prove.subject import Subject
from seatrial.prove.values import Argument, arguments, path_with, spellings


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the path with each argument in turn spelled differently, and with the arguments of each call written otherwise."""
    for argument in arguments(subject):
        for new in spellings(argument.value, _normaliser(subject, argument)):
            yield Mutant(argument.changed(new), path_with(subject, argument, new), same=True)
    yield from _written_otherwise(subject)


def _normaliser(subject: Subject, argument: Argument) -> str:
    """Return the name of the normaliser of an argument; the required call's own wins."""
    required, tool = argument.call.required, subject.tools.get(subject.name(argument.call.step.call))
    name = str(argument.place[0])
    own = required.normalise.get(name, "") if required is not None else ""
    return own or (tool.normalisers.get(name, "") if tool is not None else "")


def _written_otherwise(subject: Subject) -> Iterator[Mutant]:
    """Yield calls whose keys stand in another order, and calls that spell out or leave out a default."""
    for call in subject.calls:
        given = call.arguments
        tool = subject.tools.get(subject.name(call.step.call))
        defaults = msgspec.json.decode(tool.defaults) if tool is not None else {}
        variants = {"keys reversed": dict(reversed(given.items())), "defaults written": {**defaults, **given}}
        variants["defaults left out"] = {name: value for name, value in given.items() if name not in defaults or defaults[name] != value}
        for what, new in variants.items():
            if list(new.items()) != list(given.items()):
                path = edited(subject.path, call.at, call.position, (with_arguments(call.step, new),))
                yield Mutant(f"{call.label} ({what})", path, same=True)
