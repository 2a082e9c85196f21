"""The ceilings of a task, edited where they stand: each in place of its old number, or before the other ceilings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec

from seatrial.records.contract import Budget
from seatrial.suite.editing import Splice, Written, members, newline_of


@dataclass(frozen=True)
class BudgetEdit:
    """What becomes of the ceilings of a task.

    Args:
        budget: Its ceilings from now on; those that are `None` stay as they are.
    """

    subject: ClassVar[str] = "its budget"

    budget: Budget

    @property
    def given(self) -> dict[str, Any]:
        """The ceilings that are set, by name."""
        return {name: value for name, value in msgspec.structs.asdict(self.budget).items() if value is not None}

    def applied(self, task: Mapping[str, object]) -> dict[str, Any]:
        """Return a task as it is meant to be afterwards."""
        expect = _mapping(task.get("expect"))
        return {**task, "expect": {**expect, "budget": {**_mapping(expect.get("budget")), **self.given}}}

    def line_splices(self, line: str, task: Mapping[str, Any]) -> Iterator[Splice]:
        """Yield what changes in a line of JSON that holds a task."""
        expect = task.get("expect")
        if not isinstance(expect, dict):
            return
        start = members(line)["expect"][0]
        places = members(line, start)
        if "budget" not in places:
            yield _first(start + 1, f'"budget": {json.dumps(self.given)}', before=bool(places))
        elif isinstance(expect["budget"], dict):
            inside = members(line, places["budget"][0])
            yield from (Splice(*inside[name], json.dumps(value)) for name, value in self.given.items() if name in inside)
            new = {name: value for name, value in self.given.items() if name not in inside}
            yield _first(places["budget"][0] + 1, json.dumps(new)[1:-1], before=bool(inside))

    def yaml_splices(self, written: Written) -> Iterator[Splice]:
        """Yield what changes in a YAML text that holds a task; how its `expect` is written counts, not how the task is."""
        expect = _mapping(written.task.get("expect"))
        if "expect" not in written.places or not isinstance(written.task["expect"], dict):
            return
        node = written.places["expect"][1]
        if "budget" not in expect:
            yield from _added(node, [f"budget: {{{', '.join(_told(self.given))}}}"], written.text)
        elif isinstance(expect["budget"], dict):
            budget = _values(node)["budget"]
            inside = _values(budget)
            for name, text in zip(self.given, map(json.dumps, self.given.values()), strict=True):
                if name in inside:
                    yield Splice(inside[name].start_mark.index, inside[name].end_mark.index, text)
            new = {name: value for name, value in self.given.items() if name not in inside}
            yield from _added(budget, _told(new), written.text)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _values(node: Any) -> dict[str, Any]:
    """Return the parser's nodes of the values of a YAML mapping, by key."""
    return {key.value: value for key, value in node.value}


def _told(budget: Mapping[str, Any]) -> list[str]:
    return [f"{name}: {json.dumps(value)}" for name, value in budget.items()]


def _first(at: int, words: str, *, before: bool) -> Splice:
    """Return what adds members to a JSON object, before those that it has."""
    return Splice(at, at, f"{words}, " if words and before else words)


def _added(mapping: Any, words: Sequence[str], text: str) -> Iterator[Splice]:
    """Yield what adds keys to a YAML mapping, before those that it has."""
    if not words:
        return
    if not mapping.value:
        end = mapping.end_mark.index - 1
        yield Splice(end, end, ", ".join(words))
        return
    first = mapping.value[0][0].start_mark
    between = ", " if mapping.flow_style else f"{newline_of(text)}{' ' * first.column}"
    yield Splice(first.index, first.index, between.join((*words, "")))
