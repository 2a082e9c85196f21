"""`lost_response`: the tool runs and what it wrote stays, but the answer does not arrive."""

from __future__ import annotations

from seatrial.records.task import FaultSpec
from seatrial.world.calls import Answer, Execution, failure


class LostResponseFault:
    """The connection is lost after the work was done: the retry that follows doubles it, unless the agent looks first."""

    effects = ("read", "write", "external")

    def seconds(self, spec: FaultSpec) -> float:
        """Return the declared seconds: a broken connection shows at once."""
        return spec.seconds

    def status(self, spec: FaultSpec) -> int | None:
        """Return the declared status: a lost answer has none of its own."""
        return spec.status

    def apply(self, spec: FaultSpec, execution: Execution) -> Answer:
        """Run the tool, keep what it wrote, and lose the answer, be it good or bad.

        Of a tool that raised nothing stays, as if it had not run; it is recorded so, or graders would take it for a committed write.
        """
        answer = execution.run()
        message = spec.message or "the connection was lost before the answer arrived"
        lost = failure("lost_response", message, status=spec.status)
        return Answer(failure=lost, ran=answer.ran and answer.failure is None, result=answer.result, changes=answer.changes)


FAULT = LostResponseFault()
