"""Safety invariants: one rule a file, the file's name is the rule's name. One violation fails the run.

A rule module holds `Arguments`, a frozen `msgspec.Struct` that refuses unknown fields, and `judge(arguments, trial) -> Findings`. A rule
is a pure function of what was recorded: total (no trace makes it raise), reasoned (every verdict says why, on pass too), monotone (more
steps never take a violation away), and it abstains – doubts, not a pass – where the evidence is missing. The shared types stand here
because rules must not know one another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from msgspec import Struct

from seatrial.grade.ends import committed
from seatrial.grade.lazy import lazy
from seatrial.grade.naming import tool_name
from seatrial.grade.view import CallView, TraceView
from seatrial.records.contract import ToolSpec
from seatrial.records.task import Task
from seatrial.records.trace import AGENT, Status


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


class WatchedCall(NamedTuple):
    """One attempted call of the agent as a rule sees it."""

    tool: str
    """Name of the tool without prefix and alias."""
    seen: CallView
    """The call; what it proposed and was answered is decoded on first use."""
    attempt: int | None
    """Index of the abandoned attempt it belongs to; `None`: the last."""


@dataclass(frozen=True)
class WatchedTrial:
    """A trial as a rule sees it: every attempt, abandoned ones first.

    Args:
        attempts: The attempts.
        tools: Tool name → what is known of it.
        prefix: Prefix that is dropped from the names of called tools.
        aliases: Other name → tool name.
        source: `harness` when the harness was the witness, else the importer's name.
        task: The task that was tried: its caller, its input, its clock.
        documents: Name → text of the documents that the agent was given.
    """

    attempts: tuple[WatchedAttempt, ...]
    tools: Mapping[str, ToolSpec] = field(default_factory=dict)
    prefix: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict)
    source: str = "harness"
    task: Task = field(default_factory=lambda: Task(""))
    documents: Mapping[str, str] = field(default_factory=dict)

    def tool_name(self, called: str) -> str:
        """Return the name of a tool without prefix and alias."""
        return tool_name(called, self.prefix, self.aliases)

    @lazy
    def calls(self) -> tuple[WatchedCall, ...]:
        """The agent's attempted calls of every attempt, also the refused and the invalid ones."""
        found = [(attempt.index, seen) for attempt in self.attempts for seen in attempt.view.calls if seen.call.by == AGENT]
        if not self.prefix and not self.aliases:
            return tuple([WatchedCall(seen.call.tool, seen, index) for index, seen in found])
        return tuple([WatchedCall(self.tool_name(seen.call.tool), seen, index) for index, seen in found])

    @lazy
    def writes(self) -> tuple[WatchedCall, ...]:
        """The agent's calls that changed something, in the world or outside of it; also those whose answer was lost."""
        return tuple([watched for watched in self.calls if watched.seen.call.effect != "read" and committed(watched.seen.call)])

    @lazy
    def calls_by_tool(self) -> Mapping[str, tuple[WatchedCall, ...]]:
        """Tool name → the agent's attempted calls of it."""
        found: dict[str, tuple[WatchedCall, ...]] = {}
        for watched in self.calls:
            found[watched.tool] = (*found.get(watched.tool, ()), watched)
        return found


class Invariant(Protocol):
    """A rule over a whole trial, bound to its arguments."""

    def __call__(self, trial: WatchedTrial, /) -> Findings:
        """Return what the rule finds in a trial."""
        ...
