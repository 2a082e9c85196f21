"""Safety invariants: one rule a file, the file's name is the rule's name. One violation fails the run.

A rule module holds `Arguments`, a frozen `msgspec.Struct` that refuses unknown fields, and `judge(arguments, trial) -> Findings`. A rule
is a pure function of what was recorded: total (no trace makes it raise), reasoned (every verdict says why, on pass too), monotone (more
steps never take a violation away), and it abstains – doubts, not a pass – where the evidence is missing. The shared types stand here
because rules must not know one another.

Names of tools in a rule's arguments are checked when the contract is compiled. `Arguments.named_tools`, a property, gives all of them, also
globs (`change_*`): each must be a tool of the world, or match one. Without it `Arguments.tools` is checked, for slips of the pen only.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Literal, Protocol

from msgspec import UNSET, Struct, field, structs

from seatrial.grade.ends import committed
from seatrial.grade.identical import Identity, as_written
from seatrial.grade.lazy import lazy
from seatrial.grade.naming import tool_name
from seatrial.grade.paths import parsed, values_at
from seatrial.grade.provenance import CompiledProvenance, ProvenanceResult, compile_provenance, judge_provenance
from seatrial.grade.selection import Names, is_named, names_in
from seatrial.grade.view import CallView, TraceView
from seatrial.records.contract import ToolSpec
from seatrial.records.task import Task
from seatrial.records.trace import HARNESS, Status


class Breach(Struct, frozen=True, gc=False):
    """One violation, or one place where a violation cannot be excluded."""

    step: int
    """Sequence number of the step that breaks the rule."""
    reason: str
    """In words: what was done, what the rule says."""
    evidence: tuple[int, ...] = ()
    """Sequence numbers of further steps that show it."""
    attempt: int | None = None
    """Index of the abandoned attempt it happened in; `None`: the last."""


class Findings(Struct, frozen=True, gc=False):
    """What a rule says of a trial."""

    reason: str
    """In words, also when nothing was found: what was looked at."""
    violations: tuple[Breach, ...] = ()
    """Breaches that are certain."""
    doubts: tuple[Breach, ...] = ()
    """Breaches that cannot be excluded because evidence is missing: the verdict is undetermined."""
    evidence: tuple[int, ...] = ()
    """Sequence numbers of the steps that were looked at."""


class WatchedAttempt(Struct, frozen=True, gc=False):
    """One attempt at the trial as a rule sees it."""

    index: int | None
    """Index of an abandoned attempt; `None`: the last."""
    view: TraceView
    """Its steps."""
    status: Status
    """How it ended."""


class WatchedCall(Struct, frozen=True, gc=False):
    """One attempted call of the agent as a rule sees it."""

    tool: str
    """Name of the tool without prefix and alias."""
    seen: CallView
    """The call; what it proposed and was answered is decoded on first use."""
    attempt: int | None
    """Index of the abandoned attempt it belongs to; `None`: the last."""

    @property
    def step(self) -> int:
        """Sequence number of the call."""
        return self.seen.call.sequence

    @property
    def arguments(self) -> Mapping[str, object]:
        """What it was called with; empty where the arguments are no object."""
        given = self.seen.arguments
        return given if isinstance(given, dict) else {}

    @property
    def happened(self) -> str:
        """What became of it, in words: `was called`, also with an error, or `was attempted (it did not run)`."""
        return "was called" if self.seen.call.ran else "was attempted (it did not run)"

    def answer(self, path: str = "") -> tuple[object, ...]:
        """Return the values that a path such as `items[*].price` reaches in its answer; none where it was not answered without error."""
        if not self.seen.call.succeeded or self.seen.call.observation is UNSET:
            return ()
        return tuple(values_at(self.seen.observation, parsed(path)))

    def follows(self, other: WatchedCall) -> bool:
        """Tell whether it was proposed after another call of the same attempt had been answered, in the order that was recorded."""
        delivered = other.seen.call.delivered_at
        return self.attempt == other.attempt and delivered is not None and delivered < self.seen.call.issued_at


def breach(watched: WatchedCall, reason: str, *evidence: int) -> Breach:
    """Return what a rule says of a call that breaks it.

    Args:
        watched: The call.
        reason: In words: what was done, what the rule says.
        evidence: Sequence numbers of further steps of the same attempt that show it.
    """
    return Breach(watched.step, reason, tuple(sorted({watched.step, *evidence})), watched.attempt)


class KnownTools(dict[str, ToolSpec]):
    """What is known of a world's tools by their names, with what rules ask of all of them put together once."""

    @lazy
    def changing(self) -> frozenset[str]:
        """Names of those that change something, in the world or outside of it."""
        return frozenset([name for name, spec in self.items() if spec.effect != "read"])

    @lazy
    def external(self) -> frozenset[str]:
        """Names of those that reach outside of the world."""
        return frozenset([name for name, spec in self.items() if spec.effect == "external"])

    @lazy
    def escalating(self) -> frozenset[str]:
        """Names of those that hand a case to a person."""
        return frozenset([name for name, spec in self.items() if spec.escalates])


class WatchedTrial(Struct, frozen=True, dict=True):
    """A trial as a rule sees it: every attempt, abandoned ones first."""

    attempts: tuple[WatchedAttempt, ...]
    """The attempts."""
    tools: Mapping[str, ToolSpec] = {}
    """Tool name → what is known of it."""
    prefix: str = ""
    """Prefix that is dropped from the names of called tools; empty: none."""
    aliases: Mapping[str, str] = {}
    """Other name → tool name."""
    source: str = "harness"
    """`harness` when the harness was the witness, else the importer's name."""
    task: Task = field(default_factory=lambda: Task(""))
    """The task that was tried: its caller, its input, its clock."""
    documents: Mapping[str, str] = {}
    """Name → text of the documents that the agent was given."""
    identity: Identity = as_written
    """Tells identical calls."""
    provenance: CompiledProvenance | None = None
    """Where argument values may come from; `None`: what the task, the tools and the documents say."""
    last_values: ProvenanceResult | None = None
    """Where those of the last attempt came from; `None`: not judged yet."""

    def apart(self) -> WatchedTrial:
        """Return the same trial with nothing in common that a rule could change."""
        return structs.replace(
            self,
            attempts=tuple([WatchedAttempt(one.index, TraceView(one.view.trace or one.view.steps), one.status) for one in self.attempts]),
            task=copy.deepcopy(self.task),
            tools=MappingProxyType(self.tools),
            aliases=MappingProxyType(self.aliases),
            documents=MappingProxyType(self.documents),
        )

    def tool_name(self, called: str) -> str:
        """Return the name of a tool without prefix and alias."""
        return tool_name(called, self.prefix, self.aliases)

    def schema(self, tool: str) -> bytes:
        """Return the JSON Schema of a tool's arguments; empty: it is not known."""
        spec = self.tools.get(tool)
        return b"" if spec is None else bytes(spec.parameters)

    @lazy
    def calls(self) -> tuple[WatchedCall, ...]:
        """The agent's attempted calls of every attempt, also the refused and the invalid ones."""
        if not self.prefix and not self.aliases:
            return tuple([WatchedCall(seen.call.tool, seen, one.index) for one in self.attempts for seen in one.view.agent_calls])
        called = [(one.index, seen) for one in self.attempts for seen in one.view.agent_calls]
        return tuple([WatchedCall(self.tool_name(seen.call.tool), seen, index) for index, seen in called])

    @lazy
    def values(self) -> tuple[tuple[int | None, ProvenanceResult], ...]:
        """Index of each attempt, and where the values came from that the agent put into its calls in it."""
        compiled = self.provenance or compile_provenance(
            self.task.contract, tuple(self.tools.values()), documents=self.documents, task_input=self.task.input, now=self.task.now
        )
        asked = replace(compiled, uses=({},)) if compiled.off else compiled
        last = None if compiled.off else self.last_values
        return tuple(
            (one.index, last if last and one.index is None else judge_provenance(asked, one.view, witnessed=self.witnessed))
            for one in self.attempts
        )

    @lazy
    def writes(self) -> tuple[WatchedCall, ...]:
        """The agent's calls that changed something, in the world or outside of it; also those whose answer was lost."""
        return tuple([watched for watched in self.attempted_writes if committed(watched.seen.call)])

    @lazy
    def calls_by_tool(self) -> Mapping[str, Sequence[WatchedCall]]:
        """Tool name → the agent's attempted calls of it."""
        found: dict[str, list[WatchedCall]] = {}
        for watched in self.calls:
            found.setdefault(watched.tool, []).append(watched)
        return found

    @lazy
    def attempted_writes(self) -> tuple[WatchedCall, ...]:
        """The agent's calls of tools that change something, in the world or outside of it; also those that did not run."""
        changing = self.known.changing
        return tuple([watched for watched in self.calls if watched.seen.call.effect != "read" or watched.tool in changing])

    def changes(self, watched: WatchedCall) -> bool:
        """Tell whether a call's tool changes something: so it was recorded, or, where the recording did not know, so it is declared."""
        return watched.seen.call.effect != "read" or watched.tool in self.known.changing

    def writes_among(self, named: Names | None, left_out: Names | None = None) -> tuple[WatchedCall, ...]:
        """Return the attempted writes that a rule is about.

        Args:
            named: Names of tools, globs among them; `None`: all, but for tools that hand a case to a person.
            left_out: Names of tools that it is not about.
        """
        if named is not None:
            return tuple([one for one in self.calls if is_named(one.tool, named) and not is_named(one.tool, left_out or ())])
        writes, escalating = self.attempted_writes, self.known.escalating
        return tuple([one for one in writes if one.tool not in escalating and not (left_out and is_named(one.tool, left_out))])

    def by_attempt(self, *groups: Sequence[WatchedCall]) -> list[list[list[WatchedCall]]]:
        """Return groups of calls attempt by attempt: for each attempt, each group's calls in it."""
        if len(self.attempts) == 1:
            return [list(map(list, groups))]
        return [[[call for call in group if call.attempt == attempt.index] for group in groups] for attempt in self.attempts]

    @property
    def witnessed(self) -> bool:
        """Whether the harness was the witness, rather than whoever an importer read from."""
        return self.source == HARNESS

    def in_order(self, watched: WatchedCall) -> bool:
        """Tell whether it is certain when a call was proposed: seen, or the contract lets its arrival stand for it."""
        return not watched.seen.call.inferred or self._arrival_counts

    @lazy
    def _arrival_counts(self) -> bool:
        return any(way.process is not None and way.process.order_by == "arrival" for way in self.task.contract.ways)

    @lazy
    def known(self) -> KnownTools:
        """What is known of the tools."""
        return self.tools if isinstance(self.tools, KnownTools) else KnownTools(self.tools)

    def calls_among(self, named: Names) -> Sequence[WatchedCall]:
        """Return the attempted calls of the named tools, in the order of every attempt's steps.

        Args:
            named: Names of tools, globs among them.
        """
        by_tool = self.calls_by_tool
        if isinstance(named, str) and "*" not in named:
            return by_tool.get(named, ())
        names = names_in(named)
        wanted = [name for name in names if name in by_tool]
        if "*" in "".join(names):
            wanted = [tool for tool in by_tool if is_named(tool, names)]
        if len(wanted) < 2:
            return by_tool[wanted[0]] if wanted else ()
        among = frozenset(wanted)
        return [watched for watched in self.calls if watched.tool in among]

    def calls_of(self, *tools: str) -> tuple[WatchedCall, ...]:
        """Return the agent's attempted calls of the named tools, in the order of every attempt's steps.

        Args:
            tools: Names of tools, globs among them.
        """
        return tuple(self.calls_among(tools))

    def answers(self, tool: str, path: str = "", *, before: WatchedCall | None = None) -> tuple[object, ...]:
        """Return what a tool answered.

        Args:
            tool: Name of the tool.
            path: What of its answers, for example `items[*].price`; empty: the whole.
            before: Only answers that had arrived, in the same attempt, when this call was proposed; `None`: all.
        """
        calls = self.calls_by_tool.get(tool, ())
        return tuple([value for call in calls if before is None or before.follows(call) for value in call.answer(path)])

    def said_before(self, watched: WatchedCall, by: Literal["user", "agent"] = "user") -> tuple[str, ...]:
        """Return what was said in the same attempt before a call was proposed, oldest first.

        Args:
            watched: The call.
            by: `user`: what the user said; `agent`: what the agent said and the user got to see.
        """
        view = next(attempt.view for attempt in self.attempts if attempt.index == watched.attempt)
        turns = view.user_turns if by == "user" else [message for message in view.messages if message.delivered]
        return tuple([turn.text for turn in turns if turn.sequence < watched.seen.call.issued_at])


class Invariant(Protocol):
    """A rule over a whole trial, bound to its arguments."""

    def __call__(self, trial: WatchedTrial, /) -> Findings:
        """Return what the rule finds in a trial."""
        ...
