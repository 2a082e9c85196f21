"""`latency`: the answer is right and late."""

from __future__ import annotations

from seatrial.records.task import FaultSpec
from seatrial.world.calls import Answer, Execution

DEFAULT_SECONDS = 5.0


class LatencyFault:
    """The service takes its time; only the virtual clock moves."""

    effects = ("read", "write", "external")

    def seconds(self, spec: FaultSpec) -> float:
        """Return the declared virtual seconds, else 5."""
        return spec.seconds or DEFAULT_SECONDS

    def status(self, spec: FaultSpec) -> int | None:  # noqa: ARG002 - a late answer is a good one
        """Return `None`."""
        return None

    def apply(self, spec: FaultSpec, execution: Execution) -> Answer:  # noqa: ARG002
        """Answer as the tool does."""
        return execution.run()


FAULT = LatencyFault()
