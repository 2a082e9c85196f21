"""Small dialogues, written down as what was said and done, and what the rule says of each write."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from msgspec import UNSET, Raw

from seatrial.base.canonical import canonical
from seatrial.grade.safety import Findings, WatchedAttempt, WatchedTrial
from seatrial.grade.safety.write_needs_confirmation import Arguments, judge
from seatrial.grade.view import TraceView
from seatrial.records.trace import AgentMessage, Status, Step, ToolCall, ToolFailure, UserTurn

YES, NO, OPEN = "confirmed", "violation", "undetermined"


@dataclass(frozen=True)
class Call:
    """One call of a dialogue; a tool whose name starts with `get` or `find` reads.

    Args:
        tool: Name of the tool.
        arguments: Its arguments.
        answer: What it answered.
        failure: Why it failed; `None`: it did not.
    """

    tool: str
    arguments: dict = field(default_factory=dict)
    answer: object = None
    failure: ToolFailure | None = None


def call(tool: str, answer: object = None, failure: ToolFailure | None = None, **arguments: object) -> Call:
    """Return a call with its arguments by name."""
    return Call(tool, arguments, answer, failure)


def steps(*parts: str | Call) -> list[Step]:
    """Return a dialogue as steps: `U: …` the user's turn, `A: …` the agent's, `(A) …` one that was not delivered, or a call."""
    made: list[Step] = []
    for number, part in enumerate(parts):
        sequence = 10 * (number + 1)
        if isinstance(part, Call):
            made.append(_call(sequence, part))
        elif part.startswith("U: "):
            made.append(UserTurn(sequence, part[3:]))
        else:
            made.append(AgentMessage(sequence, part[3:].strip(), delivered=part.startswith("A: ")))
    return made


def _call(sequence: int, one: Call) -> ToolCall:
    given = Raw(canonical(json.loads(json.dumps(one.arguments))))
    reads = one.tool.startswith(("get", "find"))
    return ToolCall(
        sequence,
        one.tool,
        sequence - 1,
        given,
        given,
        UNSET if one.failure is not None else Raw(canonical(one.answer)),
        sequence + 1,
        effect="read" if reads else "write",
        failure=one.failure,
    )


def found(*parts: str | Call, source: str = "harness", **arguments: object) -> Findings:
    """Return what the rule finds in a dialogue."""
    attempt = WatchedAttempt(None, TraceView(steps(*parts)), Status.COMPLETED)
    return judge(Arguments(**arguments), WatchedTrial((attempt,), source=source))


def outcomes(*parts: str | Call, **arguments: object) -> list[str]:
    """Return what the rule says of each write that took effect, in order."""
    said = found(*parts, **arguments)
    known = {one.step: NO for one in said.violations} | {one.step: OPEN for one in said.doubts}
    writes = [step for step in steps(*parts) if isinstance(step, ToolCall) and step.effect == "write"]
    done = [one for one in writes if one.failure is None or one.failure.kind == "lost_response"]
    return [known.get(one.sequence, YES) for one in done]
