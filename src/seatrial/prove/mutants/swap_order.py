"""`swap_order`: two calls of which the second must follow the first change places."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.prove.dependence import dependent_pairs, swapped
from seatrial.prove.mutant import Mutant
from seatrial.prove.subject import Subject


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the path with each dependent pair the other way round."""
    for first, second in dependent_pairs(subject):
        pair = f"{first.label} < {second.label}"
        yield Mutant(pair, swapped(subject, (first, second)), closes=f"order: [{pair}]")
