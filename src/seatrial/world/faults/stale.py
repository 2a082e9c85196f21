"""`stale`: a read is answered from the world as it was when the trial began."""

from __future__ import annotations

from seatrial.records.task import FaultSpec
from seatrial.world.calls import Answer, Execution


class StaleFault:
    """A cache answers that has not seen the writes of this trial. It can only fire on tools that read."""

    effects = ("read",)

    def seconds(self, spec: FaultSpec) -> float:
        """Return the declared seconds."""
        return spec.seconds

    def status(self, spec: FaultSpec) -> int | None:  # noqa: ARG002 - a stale answer looks like a good one
        """Return `None`."""
        return None

    def apply(self, spec: FaultSpec, execution: Execution) -> Answer:  # noqa: ARG002
        """Answer from the state of the start."""
        return execution.run_at_start()


FAULT = StaleFault()
