"""The steps of a trace in words, and the notes that a grade pins to them."""

from __future__ import annotations

from collections import defaultdict

from msgspec import UNSET, Raw, UnsetType

from seatrial.base.wording import did_you_mean
from seatrial.records.grade import CallClass, Grade, RequirementRow
from seatrial.records.trace import AgentMessage, Approval, Handoff, ModelCall, PermissionDecision, Probe, Step, ToolCall, Trace, UserTurn
from seatrial.report._plain import plain, short
from seatrial.report._wording import spelled

LONGEST = 600
"""Characters of one text or one answer; what is cut is counted."""
Note = tuple[str, str]
"""Style and text."""
_BAD, _GOOD, _QUIET = "red", "green", "dim"


def headline(step: Step) -> str:
    """Return a step in words, safe to print.

    Args:
        step: Any step of a trace.
    """
    if isinstance(step, ToolCall):
        return _call(step)
    if isinstance(step, UserTurn | AgentMessage):
        return f"{'user' if isinstance(step, UserTurn) else 'agent'}: {short(step.text, LONGEST)}"
    if isinstance(step, ModelCall):
        return _model(step)
    if isinstance(step, PermissionDecision | Approval):
        return _leave(step)
    if isinstance(step, Handoff):
        return f"handoff: {plain(step.source)} → {plain(step.target)}"
    return _probe(step)


def _model(step: ModelCall) -> str:
    """Return a model call in words."""
    price = "price not known" if step.usd is None else f"${step.usd:.4f}"
    tokens = "/".join("?" if part is None else f"{part:,}" for part in (step.usage.input, step.usage.output))
    return f"model {plain(step.model)}: {tokens} tokens in/out, {price}"


def _leave(step: PermissionDecision | Approval) -> str:
    """Return a permission decision or an approval in words."""
    if isinstance(step, PermissionDecision):
        said = "allowed" if step.allowed else "refused"
    else:
        said = "approved" if step.approved else "not approved"
    return f"{said}: the call of step {step.call}" + (f": {short(step.reason, LONGEST)}" if step.reason else "")


def _probe(step: Probe) -> str:
    """Return a probe in words."""
    return (
        f"probe {plain(step.name)} = {_json(step.value)}" if not step.error else f"probe {plain(step.name)}: {short(step.error, LONGEST)}"
    )


def _call(step: ToolCall) -> str:
    """Return a call with its arguments and what came back."""
    sign = {"read": "call", "write": "WRITE", "external": "EXTERNAL"}[step.effect]
    who = "" if step.by == "agent" and step.actor == "agent" else f" by {plain(step.actor if step.by == 'agent' else step.by)}"
    with_ = short(step.raw, LONGEST) if step.validity == "unparseable" else _json(step.proposed)
    return f"{sign}{who} {plain(step.tool)} {with_} → {_answer(step)}{_fired(step)}"


def _answer(step: ToolCall) -> str:
    """Return what a call came to."""
    failure = step.failure
    if failure is None:
        return _json(step.observation) if step.observation is not UNSET else "no answer"
    status = "" if failure.status is None else f" {failure.status}"
    again = {True: ", transient", False: ", permanent", None: ""}[failure.transient]
    return f"ERROR {plain(failure.kind)}{status}{again}" + (f": {short(failure.message, LONGEST)}" if failure.message else "")


def _fired(step: ToolCall) -> str:
    """Return the fault that fired on a call, the retry that it is, and the records it changed."""
    fault = f" [fault {plain(step.fault.kind)}{'' if step.fault.status is None else f' {step.fault.status}'}]" if step.fault else ""
    retry = f" [retry of step {step.retry_of}]" if step.retry_of is not None else ""
    changes = "".join(f" [{change.kind} {short(change.path, 120)}]" for change in step.changes)
    return f"{fault}{retry}{changes}"


def _json(value: Raw | UnsetType) -> str:
    """Return stored JSON, safe to print and cut."""
    return "" if isinstance(value, UnsetType) else short(bytes(value).decode("utf-8", "backslashreplace"), LONGEST)


def notes(grade: Grade, trace: Trace) -> dict[int, list[Note]]:
    """Return what a grade pins to each step: class, requirement met or nearly met, violation.

    Args:
        grade: The grade of the trace.
        trace: The trace.

    Returns:
        Sequence number → notes in a fixed order.
    """
    found: defaultdict[int, list[Note]] = defaultdict(list)
    unknown = _unknown_tools(grade, trace)
    for row in grade.calls:
        found[row.step].append(_class(row))
        if row.step in unknown:
            found[row.step].append((_BAD, unknown[row.step]))
    for requirement in grade.requirements:
        _pin(found, requirement)
    for violation in grade.violations:
        if violation.attempt is None:
            found[violation.step].append((_BAD, f"✗ violates {plain(violation.rule)}: {short(violation.reason, 300)}"))
    return dict(found)


def _unknown_tools(grade: Grade, trace: Trace) -> dict[int, str]:
    """Return what is said of the calls of tools that do not exist, by step."""
    known = {call.tool for call in trace.calls if call.validity != "unknown_tool"}
    known |= {name for row in grade.requirements for name in row.call.split(" | ")}
    wrong = (call for call in trace.calls if call.validity == "unknown_tool")
    return {call.sequence: plain(f"  unknown tool {call.tool!r}.{did_you_mean(call.tool, known)}") for call in wrong}


def _class(row: CallClass) -> Note:
    """Return the note on a call's class."""
    mistaken = f", near miss of {plain(row.near_miss_of)}" if row.near_miss_of else ""
    if row.fault:
        return _BAD, f"✗ {row.kind}{mistaken}: {short(row.fault, 300)}"
    if row.kind == "met":
        return _GOOD, f"✓ meets {plain(row.requirement)}{mistaken}"
    return _QUIET, f"· {row.kind}{mistaken}"


def _pin(found: defaultdict[int, list[Note]], row: RequirementRow) -> None:
    """Pin a requirement that was not met to the call that comes nearest."""
    step = row.step if row.status == "out_of_order" else row.nearest
    if row.status in ("met", "optional_unmet") or step is None:
        return
    found[step].append((_BAD, f"✗ {spelled(row.status)}: {plain(row.id)}" + (f": {short(row.reason, 300)}" if row.reason else "")))
    for difference in row.differences:
        found[step].append(
            (_BAD, f"  {plain(difference.path)}: expected {short(difference.expected, 200)}, found {short(difference.actual, 200)}")
        )
