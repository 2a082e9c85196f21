"""The right trial with a mutant's spelling written into it, for worlds that are stricter than the normalisers they declare."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Raw, structs

from seatrial.prove.mutant import Mutant
from seatrial.prove.path import members
from seatrial.prove.subject import PlacedCall, Subject
from seatrial.records.trace import ToolCall, Trace


def written_into(subject: Subject, mutant: Mutant) -> Trace:
    """Return the trace of the right way with the arguments of a mutant in place of its own.

    Args:
        subject: The right way.
        mutant: A mutant with the same calls, whose arguments are spelled differently.
    """
    spelled = [step.with_ for each in mutant.path for step in members(each)]
    new = {call.made.sequence: _rewritten(call, call.made, other) for call, other in zip(subject.calls, spelled, strict=True) if call.made}
    trace = subject.trace
    return structs.replace(trace, steps=tuple(new.get(step.sequence, step) for step in trace.steps))


def _rewritten(call: PlacedCall, made: ToolCall, spelled: Raw) -> ToolCall:
    """Return a call as it would have been made with other arguments; defaults that were filled in stay."""
    if bytes(spelled) == bytes(call.step.with_):
        return made
    executed = made.executed
    if executed is not UNSET:
        filled = {**msgspec.json.decode(executed), **msgspec.json.decode(spelled)}
        executed = Raw(msgspec.json.encode(filled))
    return structs.replace(made, proposed=spelled, executed=executed)
