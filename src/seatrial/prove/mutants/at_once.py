"""`at_once`: two calls of which the second must follow the first are proposed in one message, so that neither sees the other's answer."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.prove.dependence import dependent_pairs, joined
from seatrial.prove.mutant import Mutant
from seatrial.prove.subject import Subject


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the path with each dependent pair in one message."""
    for first, second in dependent_pairs(subject, at_once=True):
        pair = f"{first.label} < {second.label}"
        yield Mutant(pair, joined(subject, (first, second)), closes=f"order: [{pair}]")
