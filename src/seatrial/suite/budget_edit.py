"""The ceilings of a task, edited where they stand: in place of the old ones, or before all else that is expected of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
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

    def applied(self, task: Mapping[str, object]) -> dict[str, Any]:
        """Return a task as it is meant to be afterwards."""
        expect = _mapping(task.get("expect"))
        given = {name: value for name, value in msgspec.structs.asdict(self.budget).items() if value is not None}
        return {**task, "expect": {**expect, "budget": {**_mapping(expect.get("budget")), **given}}}

    def line_splices(self, line: str, task: Mapping[str, Any]) -> Iterator[Splice]:
        """Yield what changes in a line of JSON that holds a task."""
        if not isinstance(task.get("expect"), dict):
            return
        start = members(line)["expect"][0]
        places, budget = members(line, start), json.dumps(self.applied(task)["expect"]["budget"])
        if "budget" in places:
            yield Splice(*places["budget"], budget)
        else:
            yield Splice(start + 1, start + 1, f'"budget": {budget}{", " if places else ""}')

    def yaml_splices(self, written: Written) -> Iterator[Splice]:
        """Yield what changes in a YAML text that holds a task; how its `expect` is written counts, not how the task is."""
        if not isinstance(written.task.get("expect"), dict) or "expect" not in written.places:
            return
        expect, budget = written.places["expect"][1], json.dumps(self.applied(written.task)["expect"]["budget"]).replace('"', "")
        before = next(((key, value) for key, value in expect.value if key.value == "budget"), None)
        yield _added(expect, f"budget: {budget}", written.text) if before is None else _instead(*before, budget)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _instead(key: Any, value: Any, budget: str) -> Splice:
    """Return what puts ceilings in the place of old ones, without the comments that follow a block."""
    last = value
    while type(last).__name__ == "MappingNode" and not last.flow_style and last.value:
        last = last.value[-1][1]
    end = last.end_mark.index
    return Splice(key.end_mark.index, end, f": {budget}") if value.flow_style is False else Splice(value.start_mark.index, end, budget)


def _added(expect: Any, budget: str, text: str) -> Splice:
    """Return what adds ceilings before the first key of an expectation."""
    if not expect.value:
        after = expect.start_mark.index + 1
        return Splice(after, after, budget)
    first = expect.value[0][0].start_mark
    between = ", " if expect.flow_style else f"{newline_of(text)}{' ' * first.column}"
    return Splice(first.index, first.index, f"{budget}{between}")
