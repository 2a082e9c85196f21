"""From the name that an agent used to the tool that it means."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from seatrial.records.contract import Process
from seatrial.records.task import Task


@dataclass(frozen=True)
class Names:
    """Which names stand for which tools.

    Args:
        tools: Names of the tools.
        aliases: Other name → tool.
        prefixes: Prefixes that are dropped from unknown names.
    """

    tools: Collection[str]
    aliases: Mapping[str, str] = field(default_factory=dict)
    prefixes: tuple[str, ...] = ()

    @classmethod
    def of(cls, task: Task, tools: Collection[str]) -> Names:
        """Return the names that a task's contract declares."""
        found = processes(task)
        aliases = {other: tool for process in found for other, tool in process.aliases.items()}
        return cls(tools, aliases, tuple(sorted({process.tool_prefix for process in found if process.tool_prefix})))

    def resolve(self, name: str) -> str:
        """Return the name of the tool that a name stands for; the name itself when it stands for none."""
        if name in self.tools:
            return name
        for prefix in self.prefixes:
            short = name.removeprefix(prefix)
            if short in self.tools:
                return short
            name = short if short in self.aliases else name
        return self.aliases.get(name, name)


def processes(task: Task) -> tuple[Process, ...]:
    """Return every process that a task's contract holds."""
    return tuple(way.process for way in task.contract.ways if way.process is not None)
