"""`ignore_error`: a call fails, and the path goes on as if it had not."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.prove.mutant import Mutant
from seatrial.prove.subject import Subject
from seatrial.records.task import FaultSpec


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the path under a fault that makes each of its calls in turn fail once; it is not made again."""
    if subject.task.faults:
        return  # its occurrences are counted with the failures that the task's own faults cause
    made = dict[str, int]()
    for call in subject.calls:
        tool = subject.name(call.step.call)
        made[tool] = made.get(tool, 0) + 1
        fault = FaultSpec(tool, "error", nth=(made[tool],), status=503)
        yield Mutant(call.label, subject.path, closes=call.closing, faults=(fault,), allowed=call.dispensable)
