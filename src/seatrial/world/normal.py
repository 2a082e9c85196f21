"""Normal forms by a suite's own functions, recorded with the call so that a regrade needs no suite."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import msgspec
from msgspec import UNSET, Raw, UnsetType

from seatrial.base.canonical import canonical
from seatrial.records.task import Task
from seatrial.world.naming import processes
from seatrial.world.tools import Tool


@dataclass(frozen=True)
class NormalForms:
    """Which arguments are brought to a normal form by which of the suite's own functions.

    Args:
        functions: Name → function.
        required: Tool → argument → normaliser, where a task's required calls name one: they win over the tool's own.
    """

    functions: Mapping[str, Callable[[object], object]]
    required: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, task: Task, functions: Mapping[str, Callable[[object], object]]) -> NormalForms:
        """Return those of a task."""
        required: dict[str, dict[str, str]] = {}
        if functions:
            for process in processes(task):
                for one in process.required:
                    for tool in one.call:
                        required.setdefault(tool, {}).update(one.normalise)
        return cls(functions, required)

    def apply(self, tool: Tool, executed: Raw) -> Raw | UnsetType:
        """Return argument → normal form as JSON; absent when the suite has no function for any of the arguments."""
        if not self.functions:
            return UNSET
        wanted = {**tool.spec.normalisers, **self.required.get(tool.name, {})}
        own = {argument: self.functions[name] for argument, name in wanted.items() if name in self.functions}
        arguments = msgspec.json.decode(executed) if own else {}
        forms = {argument: _form(function, arguments[argument]) for argument, function in own.items() if argument in arguments}
        return Raw(canonical(forms)) if forms else UNSET


def _form(function: Callable[[object], object], value: object) -> object:
    """Return a value's normal form; a value that the function cannot read stays as it is and so equals only itself."""
    try:
        form = function(value)
        canonical(form)
    except Exception:  # noqa: BLE001 - a suite's own function meets whatever an agent wrote; an end of the program is the world's fault
        return value
    return form
