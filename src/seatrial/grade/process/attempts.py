"""The attempts that the process judges, with everything that the search asks of them again and again."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from seatrial.grade.lazy import lazy
from seatrial.grade.process.compiled import CompiledProcess
from seatrial.grade.process.outcomes import good
from seatrial.grade.process.tool_plan import ToolPlan
from seatrial.grade.view import CallView, TraceView, read_json
from seatrial.records.trace import AGENT, ToolCall

MAX_REMEMBERED, MAX_TEXT = 1024, 2048
"""How many argument texts a tool's plan remembers, and the bytes of the longest."""


class Attempts:
    """The judged attempts in issue order, and which needs each could meet.

    Args:
        compiled: The process.
        view: The trace.
    """

    def __init__(self, compiled: CompiledProcess, view: TraceView) -> None:
        self.compiled, self.view = compiled, view
        self.calls: list[ToolCall] = view.tool_calls
        """In issue order."""
        self.plans: list[ToolPlan]
        self.found: list[list[int]]
        """For each need the attempts that could meet it."""
        self.options: list[tuple[int, ...]]
        """For each attempt the needs that it could meet."""
        self.rest: list[int]
        """Attempts that could meet no need."""
        self.shared: bool
        """Whether some attempt could meet more than one need."""
        if compiled.scope or view.agent_calls is not view.calls or not _are_in_order(self.calls):
            self.calls = _judged(compiled.scope, self.calls)
        self._look()

    def _look(self) -> None:
        """Note for every attempt its tool's plan and the needs that it could meet."""
        known, plan_of = self.compiled.plans.plans, self.compiled.plans.of
        self.shared, self.rest, self.options, self.plans = False, [], [], []
        self.found = found = [[] for _ in self.compiled.needs]
        rest, offered, plans = self.rest, self.options, self.plans
        # Two calls of a tool that nobody knows are calls of one tool all the same.
        strange: dict[str, ToolPlan] = {}
        options: tuple[int, ...] | None
        for place, call in enumerate(self.calls):
            plan = known.get(call.tool) or strange.get(call.tool)
            if plan is None:
                plan = strange[call.tool] = plan_of(call.tool)
            plans.append(plan)
            if plan.offers:
                executed = call.executed
                if call.failure is None and call.fault is None and executed is not UNSET:
                    text = bytes(executed)  # type: ignore[arg-type]
                    options = plan.remembered.get(text)
                    if options is None:
                        options = self._remember(call, plan, text)
                else:
                    options = self._options(place, call, plan)
                offered.append(options)
                if options:
                    for need in options:
                        found[need].append(place)
                    if len(options) > 1:
                        self.shared = True
                    continue
            else:
                offered.append(())
            rest.append(place)

    def _remember(self, call: ToolCall, plan: ToolPlan, text: bytes) -> tuple[int, ...]:
        """Find out what a plain success could meet, and remember it: calls repeat over the trials of a task."""
        offers = plan.offers
        fitting = plan.fitting(read_json(text), call)
        options = tuple([offers[at][0] for at in fitting if offers[at][1] == "ok"]) if fitting else ()
        if not plan.forgetful and len(text) <= MAX_TEXT:
            if len(plan.remembered) >= MAX_REMEMBERED:
                plan.remembered.clear()
            plan.remembered[text] = options
        return options

    def _options(self, place: int, call: ToolCall, plan: ToolPlan) -> tuple[int, ...]:
        """Return the needs that an attempt could meet."""
        good, offers = self.good(place), plan.offers
        fitting = plan.fitting(self.views[place].arguments, call)
        return tuple([offers[at][0] for at in fitting if (good if offers[at][1] == "ok" else _failed_as(call, offers[at][1]))])

    @lazy
    def views(self) -> list[CallView]:
        """The judged attempts with their JSON decoded on first use."""
        views = self.view.calls
        if self.calls is self.view.tool_calls:
            return list(views)
        # By the record itself, not by its number: a damaged trace may hold one number twice.
        view_of = {id(view.call): view for view in self.view.calls}
        return [view_of[id(call)] for call in self.calls]

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

    @lazy
    def identities(self) -> list[object]:
        """A hashable value for each attempt, equal for identical ones; an attempt whose tool was called once has its tool's name."""
        names = [plan.name for plan in self.plans]
        once = {name for name in names if names.count(name) == 1} if len(names) < 64 else frozenset[str]()
        return [
            name if name in once else (name, plan.identity(view.arguments))
            for name, plan, view in zip(names, self.plans, self.views, strict=True)
        ]


def _judged(scope: Sequence[str], calls: Sequence[ToolCall]) -> list[ToolCall]:
    judged = [one for one in calls if one.by == AGENT and _within(scope, one.actor)]
    return sorted(judged, key=_turn)


def _are_in_order(calls: Sequence[ToolCall]) -> bool:
    turns = [(call.issued_at, call.position, call.sequence) for call in calls]
    return turns == sorted(turns)


def _turn(call: ToolCall) -> tuple[int, int, int]:
    """Return what comes first in issue order."""
    return call.issued_at, call.position, call.sequence


def _within(scope: Sequence[str], actor: str) -> bool:
    return not scope or any(actor == path or actor.startswith(f"{path}/") for path in scope)


def _failed_as(call: ToolCall, status: str | int) -> bool:
    failure = call.failure
    if failure is None or failure.kind == "refused":
        return False
    return status in ("error", failure.status)
