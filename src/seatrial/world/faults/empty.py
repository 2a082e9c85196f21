"""`empty`: the tool runs, and an empty answer arrives."""

from __future__ import annotations

from seatrial.records.task import FaultSpec
from seatrial.world.calls import Answer, Execution, spoiled


class EmptyFault:
    """The answer has no content."""

    effects = ("read", "write", "external")

    def seconds(self, spec: FaultSpec) -> float:
        """Return the declared seconds."""
        return spec.seconds

    def status(self, spec: FaultSpec) -> int | None:
        """Return the declared status."""
        return spec.status

    def apply(self, spec: FaultSpec, execution: Execution) -> Answer:
        """Run the tool and lose what it said."""
        return spoiled(execution.run(), "empty", "", spec.message or "the answer is empty")


FAULT = EmptyFault()
