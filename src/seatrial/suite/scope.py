"""What may be named where: the tools, arguments, normalisers and rules that a contract is checked against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from seatrial.base import catalogue
from seatrial.base.normal_forms import BUILT_IN
from seatrial.records.contract import Process, ToolSpec
from seatrial.suite.definition import SuiteDefinition
from seatrial.suite.part import Part, listed


@dataclass(frozen=True)
class Scope:
    """The names that a contract may use, and what holds when it is silent.

    Args:
        definition: What the world offers.
        process: The process of a silent contract: extras, retries, aliases, tool prefix, confusable pairs.
        permitted: Tools that the task permits; `None`: all.
    """

    definition: SuiteDefinition
    process: Process = field(default_factory=Process)
    permitted: frozenset[str] | None = None

    @property
    def tools(self) -> Mapping[str, ToolSpec]:
        """The tools by name."""
        return self.definition.tools_by_name

    @cached_property
    def normalisers(self) -> frozenset[str]:
        """Names of all normalisers."""
        return self.definition.normalisers | BUILT_IN.keys() | plug_ins("normaliser")

    def arguments(self, tools: Iterable[str]) -> frozenset[str] | None:
        """Return the arguments that at least one of some tools has, or `None` when those of one of them are not known."""
        found: frozenset[str] = frozenset()
        for name in tools:
            known = self.definition.arguments.get(name)
            if known is None:
                return None
            found |= known
        return found

    def tool(self, part: Part, aliases: Mapping[str, str]) -> str:
        """Return the name of a tool that a part names, or that its alias stands for."""
        name = part.text()
        if name in self.tools:
            return self._permitted(part, name)
        if name in aliases:
            return self._permitted(part, aliases[name])
        return part.fail(f"there is no tool {name!r}; known: {listed(self.tools)}.", close_to=name, among=(*self.tools, *aliases))

    def _permitted(self, part: Part, name: str) -> str:
        if self.permitted is not None and name not in self.permitted:
            part.fail(f"the task does not permit the tool {name!r}; add it to `tools`, which has {listed(self.permitted)}")
        return name

    def argument(self, part: Part, tools: Iterable[str], given: Iterable[str] = ()) -> str:
        """Return the name of an argument that a part names.

        Args:
            part: The name.
            tools: The tools that may have the argument.
            given: Arguments that count as known when those of the tools are not.
        """
        name, tools = part.text(), tuple(tools)
        known = self.arguments(tools)
        options = known if known is not None else frozenset(given)
        if name not in options:
            owner = f"the tool {' or '.join(tools)}" if known is not None else "`with`"
            part.fail(f"{owner} has no argument {name!r}; known: {listed(options)}.", close_to=name, among=options)
        return name

    def normaliser(self, part: Part) -> str:
        """Return the name of a normaliser that a part names."""
        return part.choice(self.normalisers, "normaliser")


@cache
def plug_ins(kind: str) -> frozenset[str]:
    """Return the names of the plug-ins of a kind, built in or of third parties; what is installed does not change while we run."""
    from importlib.metadata import entry_points

    return frozenset(catalogue.built_in(kind)) | {point.name for point in entry_points(group=f"seatrial.{kind}")}
