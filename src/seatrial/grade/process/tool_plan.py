"""What the process of one task says about one tool: who wants its calls, and whether further ones are allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from seatrial.grade.equality import canonical_form
from seatrial.grade.normalisers import Normaliser, resolve
from seatrial.grade.process.call_matcher import CallMatcher, Forms, arguments_rule
from seatrial.records.contract import Process, Required, ToolSpec
from seatrial.records.trace import ToolCall

_MANY = 16
"""From how many plain requirements of one tool on their expected arguments are looked up, not compared one by one."""

_FIRST = (0,)


class ToolPlan:
    """What is known of one tool before any trace is read.

    Args:
        name: Its name, aliases and prefix resolved.
        spec: What the world says of it; `None`: nothing, the tool is unknown.
        wanted: Index of a required call, what it must have come to, its matcher for this tool.
        forms: How two calls of this tool are told to be identical.
        extra: Whether calls beyond the required ones are allowed; `None`: if the recorded effect is `read`.
    """

    __slots__ = (
        "extra",
        "forgetful",
        "forms",
        "indexed",
        "matchers",
        "name",
        "offers",
        "remembered",
        "spec",
        "transient_statuses",
        "wanted",
    )

    def __init__(
        self,
        name: str,
        spec: ToolSpec | None,
        wanted: Sequence[tuple[int, str | int, CallMatcher]],
        forms: Forms,
        *,
        extra: bool | None,
    ) -> None:
        self.name, self.spec, self.forms, self.extra = name, spec, forms, extra
        self.wanted = tuple((index, matcher) for index, _, matcher in wanted)
        self.matchers = tuple(matcher for _, _, matcher in wanted)
        self.offers = tuple((index, status, matcher.quick, matcher.matches) for index, status, matcher in wanted)
        self.forgetful = any(matcher.own for _, _, matcher in wanted)
        """Whether what a call could meet depends on more than its arguments."""
        self.indexed = _indexed([matcher for _, _, matcher in wanted])
        """Where many plain requirements want this tool's calls: forms of arguments → places in `offers`; empty: too few."""
        self.remembered: dict[bytes, tuple[int, ...]] = {}
        """Text of the arguments of a successful call → what it could meet; kept small by those who fill it."""
        self.transient_statuses = frozenset(spec.transient_statuses) if spec is not None else frozenset[int]()

    def fitting(self, arguments: object, call: ToolCall) -> Sequence[int]:
        """Return the places in `offers` whose expected arguments a call has."""
        if len(self.offers) == 1:
            _, _, quick, matches = self.offers[0]
            return _FIRST if arguments == quick or matches(arguments, call) else []
        if not self.indexed or not isinstance(arguments, dict):
            return [at for at, (_, _, quick, matches) in enumerate(self.offers) if arguments == quick or matches(arguments, call)]
        first = self.matchers[0]
        return self.indexed.get(frozenset(first.forms.of(arguments).items()), [])

    def reads(self, effect: str) -> bool:
        """Tell whether the tool only reads; the recorded effect counts where the world says nothing."""
        return (effect if self.spec is None else self.spec.effect) == "read"

    def identity(self, arguments: object) -> object:
        """Return a hashable form of the arguments: two calls of this tool are identical when theirs are equal."""
        return frozenset(self.forms.of(arguments).items()) if isinstance(arguments, dict) else canonical_form(arguments)


def _indexed(matchers: Sequence[CallMatcher]) -> dict[object, list[int]]:
    if len(matchers) < _MANY or any(not matcher.flat or matcher.forms.rule != matchers[0].forms.rule for matcher in matchers):
        return {}
    found: dict[object, list[int]] = {}
    for at, matcher in enumerate(matchers):
        found.setdefault(frozenset((matcher.expected_forms or {}).items()), []).append(at)
    return found


class ToolPlans:
    """The plans of all tools of a process, made when first asked for; names that were never seen get a plan, too.

    Args:
        process: The process of the contract.
        tools: Tool name → what is known of it.
        required: The required calls, one for each index.
        own: Name → function of a suite's own normaliser.
    """

    def __init__(
        self, process: Process, tools: Mapping[str, ToolSpec], required: Sequence[Required], own: Mapping[str, Normaliser]
    ) -> None:
        self.process, self.tools, self.own = process, tools, own
        self.known = tuple(each.id for each in required)
        self.wanted: dict[str, list[tuple[int, Required]]] = {}
        for index, each in enumerate(required):
            for name in dict.fromkeys(map(self.resolve, each.call)):
                self.wanted.setdefault(name, []).append((index, each))
        self.plans = {name: self._plan(name) for name in (*tools, *self.wanted)}
        self.allowed = frozenset(map(self.resolve, process.extras.allow)) if isinstance(process.extras.allow, tuple) else None

    def resolve(self, name: str) -> str:
        """Return the tool name that a called name stands for: alias, then prefix, then alias."""
        aliases, prefix = self.process.aliases, self.process.tool_prefix
        name = aliases.get(name, name)
        bare = name[len(prefix) :] if prefix and name.startswith(prefix) else name
        return aliases.get(bare, bare)

    def of(self, called: str) -> ToolPlan:
        """Return the plan of a tool by the name it was called by."""
        plan = self.plans.get(called)
        return plan if plan is not None else self._plan(called)

    def _plan(self, called: str) -> ToolPlan:
        name = self.resolve(called)
        spec = self.tools.get(name) or self.tools.get(called)
        wanted = self.wanted.get(name, [])
        of_tool = {} if spec is None else self._normalisers(spec.normalisers)
        matchers = [
            (index, each.status, CallMatcher(each, spec, of_tool | self._normalisers(each.normalise), self.known)) for index, each in wanted
        ]
        shared = {argument: one for _, each in reversed(wanted) for argument, one in self._normalisers(each.normalise).items()}
        forms = Forms(arguments_rule(shared | of_tool), {} if spec is None else msgspec.json.decode(spec.defaults))
        return ToolPlan(name, spec, matchers, forms, extra=self._extra(name, spec))

    def _normalisers(self, names: Mapping[str, str]) -> dict[str, Normaliser]:
        return {argument: self.own.get(name) or resolve(name) for argument, name in names.items()}

    def _extra(self, name: str, spec: ToolSpec | None) -> bool | None:
        allow = self.process.extras.allow
        if isinstance(allow, tuple):
            return name in map(self.resolve, allow)
        if allow == "reads":
            return spec.effect == "read" if spec is not None else (False if self.tools else None)
        return allow == "any"
