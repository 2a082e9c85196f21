"""A process made ready for judging many traces: expected values compiled, order closed, interchangeable calls counted together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec
from msgspec import UNSET

from seatrial.grade.normalisers import Function, Normaliser
from seatrial.grade.process.ordering import FOLLOWS, Ordering
from seatrial.grade.process.tool_plan import ToolPlans
from seatrial.records.contract import Order, Process, Required, ToolSpec
from seatrial.records.grade import OrderRow, RequirementRow


@dataclass(slots=True)
class Need:
    """Required calls that are interchangeable: the same calls would meet them, under the same order."""

    members: tuple[Required, ...]
    """In the order of the contract."""
    count: int
    """How many calls they require together."""
    optional: bool
    status: str | int
    label: str
    """Tool names, joined by ` | `."""
    sources: tuple[int, ...] = ()
    """Needs whose answers its expected arguments refer to."""
    bound: bool = False
    """Whether another need refers to its answers."""

    @property
    def id(self) -> str:
        """The ids of its members, as text."""
        return ", ".join(member.id for member in self.members)


class CompiledProcess:
    """A process with everything that does not depend on a trace.

    Args:
        process: The process of the contract.
        tools: Tool name → what is known of it; empty: nothing is known of any tool, and recorded effects count.
        own: Name → a suite's own normaliser.

    Raises:
        ValueError: The process contradicts itself: an unknown id, a cycle, a malformed matcher.
    """

    def __init__(self, process: Process, tools: Mapping[str, ToolSpec], own: Mapping[str, Normaliser]) -> None:
        self.process = process
        self.scope = process.scope
        sources = _sources(process.required)
        orders = _with_implied(process.order, sources)
        groups = _interchangeable(process, orders, sources)
        self.needs = [_need(group) for group in groups]
        self.need_of = {member.id: index for index, need in enumerate(self.needs) for member in need.members}
        self.plans = ToolPlans(process, tools, [need.members[0] for need in self.needs], own)
        self.ordering = Ordering(_on_needs(orders, self.need_of), self.need_of, [need.optional for need in self.needs])
        self._bind(sources)
        self.mandatory = [index for index, need in enumerate(self.needs) if not need.optional]
        self.required_total = sum(self.needs[index].count for index in self.mandatory)
        self.counts = [need.count for need in self.needs]
        self.pairs = [(pair.left, pair.right) for pair in self.ordering.all_pairs]
        self.plain = not self.ordering.user_pairs and not any(need.sources for need in self.needs)
        """Whether what meets a requirement depends on nothing but the call itself."""
        limited = process.extras.at_most is not None or process.extras.allow == "none"
        self.plain_extras = not limited and not process.aliases and not process.tool_prefix
        self.heads = [(need.members[0].id, need.label) for need in self.needs]
        """Id and tool names of the first member of each need, as rows show them."""
        self.single = all(len(need.members) == 1 and need.count == 1 for need in self.needs)
        self.declared = [f"{order.left} {order.relation} {order.right}" for order in process.order]
        self.all_met = f"{self.required_total} of {self.required_total} required calls met"
        self.order_kept = f"; {len(self.declared)} order pairs kept" if self.declared else ""
        self.kept = tuple(OrderRow(pair, "kept") for pair in self.declared)
        self.expected_tools = tuple(sorted(self.plans.wanted))
        self.normalised = self._normalised()
        self.near: dict[str, str] = {}
        self.rows: dict[tuple[int, int], RequirementRow] = {}
        """Need and step → the row of a requirement that the step alone meets; kept small by those who fill it."""

    @property
    def sequential(self) -> bool:
        """Whether any pair ties one call to another, so that a matching alone does not decide."""
        return bool(self.ordering.pairs)

    def _bind(self, sources: Mapping[str, frozenset[str]]) -> None:
        for need in self.needs:
            named = sources.get(need.members[0].id, frozenset())
            need.sources = tuple(sorted({self.need_of[name] for name in named}))
            for source in need.sources:
                self.needs[source].bound = True

    def _normalised(self) -> tuple[str, ...]:
        found = set[str]()
        for each in self.process.required:
            of_tools = [self.plans.of(name).spec for name in each.call]
            named = {
                argument: name for spec in of_tools if spec is not None for argument, name in spec.normalisers.items()
            } | each.normalise
            written = {} if each.with_ is UNSET else msgspec.json.decode(each.with_)
            found |= {f"{argument}: {name}" for argument, name in named.items() if argument.partition(".")[0] in written}
        return tuple(sorted(found))


def own_normalisers(functions: Mapping[str, Function]) -> dict[str, Normaliser]:
    """Return the normalisers that a suite's own functions make."""
    return {name: Normaliser(name, function) for name, function in functions.items()}


def _sources(required: Sequence[Required]) -> dict[str, frozenset[str]]:
    ids = tuple(each.id for each in required)
    if len(set(ids)) < len(ids):
        raise ValueError(f"two required calls have one id: {sorted(ids)}")
    found = {each.id: frozenset(_named(msgspec.json.decode(each.with_), ids)) for each in required if each.with_ is not UNSET}
    for name, named in found.items():
        for source in named:
            if source not in ids:
                raise ValueError(f"{name!r} takes a value from {source!r}, which is no required call; known: {', '.join(ids)}")
    return found


def _named(written: object, ids: Iterable[str]) -> Iterable[str]:
    waiting = [written]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict) and "$literal" not in value:
            waiting += value.values()
            text = value.get("$from")
            if isinstance(text, str):
                fitting = [name for name in ids if text == name or (text.startswith(name) and text[len(name)] in ".[")]
                yield max(fitting, key=len) if fitting else text.partition(".")[0].partition("[")[0]


def _with_implied(orders: Sequence[Order], sources: Mapping[str, frozenset[str]]) -> list[Order]:
    written = {(order.left, order.relation, order.right) for order in orders}
    implied = [Order(source, FOLLOWS, name) for name, named in sources.items() for source in sorted(named)]
    return [*orders, *[order for order in implied if (order.left, order.relation, order.right) not in written]]


def _interchangeable(process: Process, orders: Sequence[Order], sources: Mapping[str, frozenset[str]]) -> list[list[Required]]:
    bound = {source for named in sources.values() for source in named}
    rows: dict[str, set[tuple[str, str, str]]] = {each.id: set() for each in process.required}
    for order in orders:
        rows.get(order.left, set()).add(("before", order.relation, order.right))
        rows.get(order.right, set()).add(("after", order.relation, order.left))
    groups: dict[object, list[Required]] = {}
    for each in process.required:
        alone = each.id if each.id in bound or sources.get(each.id) else ""
        groups.setdefault((alone, _content(each), frozenset(rows[each.id])), []).append(each)
    return list(groups.values())


def _content(required: Required) -> bytes:
    same = msgspec.structs.replace(required, id="", count=1, call=tuple(sorted(set(required.call))))
    return msgspec.json.encode(same, order="sorted")


def _need(members: Sequence[Required]) -> Need:
    first = members[0]
    return Need(tuple(members), sum(each.count for each in members), first.optional, first.status, " | ".join(first.call))


def _on_needs(orders: Sequence[Order], need_of: Mapping[str, int]) -> list[Order]:
    """Return one order for each pair of needs; ids stay, so that reasons are written as the contract is."""
    seen = set[tuple[object, str, object]]()
    result: list[Order] = []
    for order in orders:
        key = (need_of.get(order.left, order.left), order.relation, need_of.get(order.right, order.right))
        if key not in seen:
            seen.add(key)
            result.append(order)
    return result
