"""Safety invariants: one rule a file, the file's name is the rule's name. One violation fails the run.

A rule module holds `Arguments`, a frozen `msgspec.Struct` that refuses unknown fields, and `judge(arguments, trial) -> Findings`. A rule
is a pure function of what was recorded: total (no trace makes it raise), reasoned (every verdict says why, on pass too), monotone (more
steps never take a violation away), and it abstains – doubts, not a pass – where the evidence is missing. The shared types stand here
because rules must not know one another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from seatrial.grade.view import CallView, TraceView
from seatrial.records.contract import ToolSpec
from seatrial.records.trace import AGENT, Status


@dataclass(frozen=True, slots=True)
class Breach:
    """One violation, or one place where a violation cannot be excluded.

    Args:
        step: Sequence number of the step that breaks the rule.
        reason: In words: what was done, what the rule says.
        evidence: Sequence numbers of further steps that show it.
        attempt: Index of the abandoned attempt it happened in; `None`: the last.
    """

    step: int
    reason: str
    evidence: tuple[int, ...] = ()
    attempt: int | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """What a rule says of a trial.

    Args:
        reason: In words, also when nothing was found: what was looked at.
        violations: Breaches that are certain.
        doubts: Breaches that cannot be excluded because evidence is missing: the verdict is undetermined.
        evidence: Sequence numbers of the steps that were looked at.
    """

    reason: str
    violations: tuple[Breach, ...] = ()
    doubts: tuple[Breach, ...] = ()
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class WatchedAttempt:
    """One attempt at the trial as a rule sees it.

    Args:
        index: Index of an abandoned attempt; `None`: the last.
        view: Its steps.
        status: How it ended.
    """

    index: int | None
    view: TraceView
    status: Status


@dataclass(frozen=True, slots=True)
class WatchedTrial:
    """A trial as a rule sees it: every attempt, abandoned ones first.

    Args:
        attempts: The attempts.
        tools: Tool name → what is known of it.
        prefix: Prefix that is dropped from the names of called tools.
        aliases: Other name → tool name.
        source: `harness` when the harness was the witness, else the importer's name.
    """

    attempts: tuple[WatchedAttempt, ...]
    tools: Mapping[str, ToolSpec] = field(default_factory=dict)
    prefix: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict)
    source: str = "harness"

    def tool_name(self, called: str) -> str:
        """Return the name of a tool without prefix and alias."""
        bare = called.removeprefix(self.prefix)
        return self.aliases.get(bare, bare)

    def agent_calls(self) -> Iterator[tuple[int | None, CallView]]:
        """Yield the agent's attempted calls – also refused and invalid ones – with the index of their attempt."""
        for attempt in self.attempts:
            for seen in attempt.view.calls:
                if seen.call.by == AGENT:
                    yield attempt.index, seen


class Invariant(Protocol):
    """A rule over a whole trial, bound to its arguments."""

    def __call__(self, trial: WatchedTrial, /) -> Findings:
        """Return what the rule finds in a trial."""
        ...
