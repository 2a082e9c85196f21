"""`truncated`: the tool runs, and its answer breaks off."""

from __future__ import annotations

from seatrial.records.task import FaultSpec
from seatrial.world.calls import Answer, Execution, spoiled


class TruncatedFault:
    """The connection breaks in the middle of the answer."""

    effects = ("read", "write", "external")

    def seconds(self, spec: FaultSpec) -> float:
        """Return the declared seconds."""
        return spec.seconds

    def status(self, spec: FaultSpec) -> int | None:
        """Return the declared status."""
        return spec.status

    def apply(self, spec: FaultSpec, execution: Execution) -> Answer:
        """Run the tool and cut its answer: between a quarter and three quarters of it arrive."""
        answer = execution.run()
        kept = answer.text[: max(1, int(len(answer.text) * (0.25 + execution.draw() / 2)))]
        return spoiled(answer, "truncated", kept, spec.message or "the answer broke off")


FAULT = TruncatedFault()
