"""`malformed`: the tool runs, and its answer arrives as text that is no JSON."""

from __future__ import annotations

from seatrial.records.task import FaultSpec
from seatrial.world.calls import Answer, Execution, spoiled


class MalformedFault:
    """The answer is spoilt on the way: quotes and braces are lost."""

    effects = ("read", "write", "external")

    def seconds(self, spec: FaultSpec) -> float:
        """Return the declared seconds."""
        return spec.seconds

    def status(self, spec: FaultSpec) -> int | None:
        """Return the declared status."""
        return spec.status

    def apply(self, spec: FaultSpec, execution: Execution) -> Answer:
        """Run the tool and spoil its answer."""
        answer = execution.run()
        return spoiled(answer, "malformed", _spoil(answer), spec.message or "the answer is not valid JSON")


def _spoil(answer: Answer) -> str:
    """Return the answer without quotes and with its closing brackets lost: it can be read by eye, and by no parser."""
    text = answer.text
    return "{" + text.replace('"', "").rstrip("}]") + ",,"


FAULT = MalformedFault()
