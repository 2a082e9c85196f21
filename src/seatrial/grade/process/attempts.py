"""The attempts that the process judges, with everything that the search asks of them again and again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from msgspec import UNSET

from seatrial.grade.process.compiled import CompiledProcess
from seatrial.grade.process.outcomes import good
from seatrial.grade.process.tool_plan import ToolPlan
from seatrial.grade.view import CallView, TraceView
from seatrial.records.trace import AGENT, ToolCall


class Attempts:
    """The judged attempts in issue order, and which needs each could meet.

    Args:
        compiled: The process.
        view: The trace.
    """

    __slots__ = ("__dict__", "calls", "compiled", "found", "options", "plans", "shared", "view", "views")

    def __init__(self, compiled: CompiledProcess, view: TraceView) -> None:
        self.compiled, self.view = compiled, view
        self.views = _judged(compiled.scope, view.calls)
        self.calls = [one.call for one in self.views]
        plan_of, known = compiled.plans.of, compiled.plans.plans
        self.plans: list[ToolPlan] = [known.get(call.tool) or plan_of(call.tool) for call in self.calls]
        self.found: list[list[int]] = [[] for _ in compiled.needs]
        self.shared = False
        self.options = [self._options(place) for place in range(len(self.calls))]

    def _options(self, place: int) -> tuple[int, ...]:
        wanted = self.plans[place].wanted
        if not wanted:
            return ()
        call, arguments, needs = self.calls[place], self.views[place].arguments, self.compiled.needs
        fits: list[int] = []
        for need, matcher in wanted:
            status = needs[need].status
            if (self.good(place) if status == "ok" else _failed_as(call, status)) and matcher.matches(arguments, call):
                fits.append(need)
                self.found[need].append(place)
        if len(fits) > 1:
            self.shared = True
        return tuple(fits)

    def good(self, place: int) -> bool:
        """Tell whether an attempt succeeded, or is a write that was committed."""
        call = self.calls[place]
        if call.failure is None and call.fault is None:
            return call.executed is not UNSET
        return good(call, reads=self.reads(place))

    def reads(self, place: int) -> bool:
        """Tell whether the tool of an attempt only reads."""
        return self.plans[place].reads(self.calls[place].effect)

    def extra_allowed(self, place: int) -> bool:
        """Tell whether a call of this tool may be an extra."""
        extra = self.plans[place].extra
        return self.calls[place].effect == "read" if extra is None else extra

    @cached_property
    def identities(self) -> list[object]:
        """A hashable value for each attempt, equal for identical ones; an attempt whose tool was called once has its tool's name."""
        names = [plan.name for plan in self.plans]
        once = {name for name in names if names.count(name) == 1} if len(names) < 64 else frozenset[str]()
        return [
            name if name in once else (name, plan.identity(view.arguments))
            for name, plan, view in zip(names, self.plans, self.views, strict=True)
        ]


def _judged(scope: Sequence[str], views: Sequence[CallView]) -> list[CallView]:
    judged = [one for one in views if one.call.by == AGENT]
    if scope:
        judged = [one for one in judged if any(one.call.actor == path or one.call.actor.startswith(f"{path}/") for path in scope)]
    last = (-1, -1)
    for one in judged:
        call = one.call
        here = (call.issued_at, call.position)
        if here < last:
            return sorted(judged, key=lambda each: (each.call.issued_at, each.call.position, each.call.sequence))
        last = here
    return judged


def _failed_as(call: ToolCall, status: str | int) -> bool:
    failure = call.failure
    if failure is None or failure.kind == "refused":
        return False
    return status in ("error", failure.status)
