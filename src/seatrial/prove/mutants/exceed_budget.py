"""`exceed_budget`: a look is taken again and again until the ceiling of calls is crossed."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.prove.filling import filled_call
from seatrial.prove.mutant import Mutant
from seatrial.prove.path import last_words
from seatrial.prove.subject import Subject

_MOST = 1_000
"""A ceiling above this is not tried."""
_WITHOUT = 50
"""Further calls that are made when there is no ceiling."""


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the path with more looks than the budget allows."""
    look = next((call.step for call in subject.calls if call.effect == "read"), None) or next(
        (filled_call(subject, tool) for tool in subject.offered if tool.effect == "read"), None
    )
    ceiling = subject.task.contract.budget.calls
    if look is None or (ceiling or 0) > _MOST:
        return
    end, more = last_words(subject.path), (ceiling if ceiling is not None else _WITHOUT) + 1
    path = subject.path[:end] + (look,) * more + subject.path[end:]
    yield Mutant("calls", path, closes=f"budget: {{calls: {max(1, 2 * len(subject.calls))}}}")
