"""`error`: the service answers with a status; the tool does not run."""

from __future__ import annotations

from seatrial.records.task import FaultSpec
from seatrial.world.calls import Answer, Execution, failure

DEFAULT_STATUS = 503


class ErrorFault:
    """The service answers with an error in place of the tool."""

    effects = ("read", "write", "external")

    def seconds(self, spec: FaultSpec) -> float:
        """Return the declared seconds: an error comes at once."""
        return spec.seconds

    def status(self, spec: FaultSpec) -> int | None:
        """Return the declared status, else 503."""
        return DEFAULT_STATUS if spec.status is None else spec.status

    def apply(self, spec: FaultSpec, execution: Execution) -> Answer:
        """Answer with the error."""
        status = self.status(spec)
        message = spec.message or f"the service answered with status {status}"
        return Answer(failure=failure("status", message, status=status, declared=execution.transient_statuses))


FAULT = ErrorFault()
