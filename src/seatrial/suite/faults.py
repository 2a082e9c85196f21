"""Faults of a task: which failure is injected into which tool, and when."""

from __future__ import annotations

from msgspec import UNSET, Raw

from seatrial.records.task import FaultSpec
from seatrial.suite.matchers import check_expected
from seatrial.suite.part import Part, shown
from seatrial.suite.scope import Scope, plug_ins

KEYS = {
    "tool": "Name of the tool; *: every tool.",
    "kind": "What fails: the name of a fault.",
    "rate": "Chance per call, 0 to 1.",
    "nth": "Fires on these occurrences of the tool, from 1.",
    "first": "Fires on the first n occurrences.",
    "when": "Fires only for calls whose arguments hold these values.",
    "status": "Status of an error (503).",
    "message": "Text of the failure.",
    "seconds": "Virtual seconds of latency or timeout.",
    "text": "Untrusted text that an injection plants.",
    "field": "Field of the answer that an injection plants it in.",
}
"""Keys of a fault and what they mean."""


def read_faults(part: Part, scope: Scope) -> tuple[FaultSpec, ...]:
    """Read the faults of a task.

    Args:
        part: The list.
        scope: The names that may be used.

    Raises:
        SuiteError: A tool or kind is not known, a schedule is wrong, or there is none.
    """
    return tuple(_fault(item, scope) for item in part.items())


def _fault(part: Part, scope: Scope) -> FaultSpec:
    part.mapping(KEYS)
    for key in ("tool", "kind"):
        if part.get(key) is None:
            part.fail(f"a fault needs `{key}`")
    tool = "*" if part["tool"].value == "*" else scope.tool(part["tool"], scope.process.aliases)
    kind = part["kind"].choice(plug_ins("fault"), "kind of fault")
    schedules = [key for key in ("rate", "nth", "first") if part.get(key) is not None]
    if len(schedules) > 1:
        part[schedules[1]].fail(f"a fault has one schedule; `{schedules[0]}` stands beside it")
    if not schedules and part.get("when") is None:
        part.fail("a fault needs a schedule: `rate`, `nth`, `first` or `when`")
    if kind == "injection" and not part.read("text", Part.text, ""):
        part.fail("an injection needs `text`: what it plants")
    return FaultSpec(
        tool=tool,
        kind=kind,
        rate=part.read("rate", _rate, None),
        nth=part.read("nth", _nth, ()),
        first=part.read("first", lambda each: each.integer(1), 0),
        when=part.read("when", lambda each: _when(each, tool, scope), UNSET),
        status=part.read("status", lambda each: _status(each, kind), None),
        message=part.read("message", Part.text, ""),
        seconds=part.read("seconds", _seconds, 0.0),
        text=part.read("text", Part.text, ""),
        field=part.read("field", Part.text, ""),
    )


def _nth(part: Part) -> tuple[int, ...]:
    found = sorted({item.integer(1) for item in part.one_or_more()})
    return tuple(found) or part.fail("an empty `nth` names no occurrence; write `nth: [1]`, or leave the fault out")


def _rate(part: Part) -> float:
    rate = part.number()
    if not 0 <= rate <= 1:
        part.fail(f"a rate is a number from 0 to 1, got {shown(rate)}")
    return float(rate)


def _when(part: Part, tool: str, scope: Scope) -> Raw:
    for name, value in part.entries():
        if tool != "*" and scope.arguments([tool]) is not None:
            scope.argument(Part(name, value.place, value.path), [tool])
        check_expected(value)
    return part.raw()


def _status(part: Part, kind: str) -> int:
    if kind != "error":
        part.fail(f"only a fault of kind `error` has a status, not {kind!r}")
    status = part.integer(400)
    return status if status <= 599 else part.fail(f"the status of an error is 400 to 599, got {status}")


def _seconds(part: Part) -> float:
    seconds = part.number()
    if seconds < 0:
        part.fail(f"expected seconds of 0 or more, got {shown(seconds)}")
    return float(seconds)
