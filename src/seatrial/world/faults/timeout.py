"""`timeout`: no answer within the time; the tool does not run."""

from __future__ import annotations

from seatrial.records.task import FaultSpec
from seatrial.world.calls import Answer, Execution, failure

DEFAULT_SECONDS = 30.0


class TimeoutFault:
    """The service does not answer, and nothing is done."""

    effects = ("read", "write", "external")

    def seconds(self, spec: FaultSpec) -> float:
        """Return the declared virtual seconds, else 30."""
        return spec.seconds or DEFAULT_SECONDS

    def status(self, spec: FaultSpec) -> int | None:
        """Return the declared status: a timeout has none of its own."""
        return spec.status

    def apply(self, spec: FaultSpec, execution: Execution) -> Answer:  # noqa: ARG002 - the tool does not run
        """Answer that the time is up."""
        message = spec.message or f"the service did not answer within {self.seconds(spec):g} s"
        return Answer(failure=failure("timeout", message, status=spec.status))


FAULT = TimeoutFault()
