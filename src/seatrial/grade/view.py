"""A trace as the rules read it: split once by kind of step, with the JSON of each call decoded at most once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from operator import itemgetter
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct

from seatrial.grade.lazy import lazy
from seatrial.records.trace import AGENT, AgentMessage, Handoff, PermissionDecision, Probe, Step, ToolCall, Trace, UserTurn

_decode = msgspec.json.Decoder().decode
_MISSING = object()
_SAID = frozenset({UserTurn, AgentMessage})
_moment = itemgetter(0)


def read_json(raw: Raw | bytes) -> object:
    """Return the value of a JSON text; a text that is no JSON is returned as text, so that a broken record never stops a grade."""
    try:
        return _decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return bytes(raw).decode("utf-8", "replace")


class CallView(Struct, eq=False, gc=False):
    """One tool call, its JSON decoded on first use."""

    call: ToolCall
    """The recorded call."""
    index: int
    """Its position among all calls of the steps, from 0."""
    _proposed: object = _MISSING
    _arguments: object = _MISSING
    _observation: object = _MISSING

    @property
    def proposed(self) -> object:
        """The proposed arguments; a string when their text could not be parsed."""
        value = self._proposed
        if value is _MISSING:
            value = self._proposed = read_json(self.call.proposed)
        return value

    @property
    def executed(self) -> object | None:
        """The arguments that the tool ran with; `None`: it never ran."""
        return None if self.call.executed is UNSET else self.arguments

    @property
    def observation(self) -> object | None:
        """What was answered; `None`: nothing, or null."""
        value = self._observation
        if value is _MISSING:
            observation = self.call.observation
            value = self._observation = None if observation is UNSET else read_json(observation)
        return value

    @property
    def arguments(self) -> object:
        """The executed arguments if the tool ran, else the proposed."""
        value = self._arguments
        if value is _MISSING:
            executed = self.call.executed
            if executed is UNSET or executed == self.call.proposed:
                value = self._arguments = self.proposed
            else:
                value = self._arguments = read_json(executed)
        return value


class TraceView:
    """The steps of a trace, split by kind.

    Args:
        source: A trace (its last attempt is seen), or the steps of one attempt.
    """

    def __init__(self, source: Trace | Iterable[Step]) -> None:
        self.trace: Trace | None = None
        self.steps: tuple[Step, ...]
        if isinstance(source, Trace):
            self.trace, self.steps = source, source.steps
        else:
            self.steps = tuple(source)
        # Every grade asks for most of these: one pass over the steps makes them all.
        by_kind: defaultdict[type, list[Any]] = defaultdict(list)
        for step in self.steps:
            by_kind[type(step)].append(step)
        self.tool_calls: list[ToolCall] = by_kind[ToolCall]
        """The tool calls of all actors as they were recorded, in the order of their steps."""
        self.calls = tuple([CallView(call, index) for index, call in enumerate(self.tool_calls)])
        """The tool calls of all actors, in the order of their steps."""
        self.agent_records: list[ToolCall] = [call for call in self.tool_calls if call.by == AGENT]
        """The tool calls of the agent as they were recorded, in the order of their steps."""
        alone = len(self.agent_records) == len(self.tool_calls)
        self.agent_calls = self.calls if alone else tuple([seen for seen in self.calls if seen.call.by == AGENT])
        """The tool calls of the agent, in the order of their steps."""
        self.user_turns: tuple[UserTurn, ...] = tuple(by_kind[UserTurn])
        """What the user said; the task's input is the first."""
        self.messages: tuple[AgentMessage, ...] = tuple(by_kind[AgentMessage])
        """What the agent said to the user."""
        self.probes: tuple[Probe, ...] = tuple(by_kind[Probe])
        """The looks at the world."""
        self.handoffs: tuple[Handoff, ...] = tuple(by_kind[Handoff])
        """The hand-overs from one context to another."""
        self.permissions: tuple[PermissionDecision, ...] = tuple(by_kind[PermissionDecision])
        """The decisions to let a call through or not."""

    @lazy
    def turns(self) -> list[UserTurn | AgentMessage]:
        """What the user said, and what the agent said and the user got to see, in the order of their steps."""
        said = [step for step in self.steps if type(step) in _SAID]
        return [step for step in said if type(step) is UserTurn or step.delivered]  # type: ignore[union-attr, misc]

    @lazy
    def heard(self) -> list[tuple[int, UserTurn | ToolCall, bytes | Raw]]:
        """What the agent got to know, in the order in which it did: turns of the user and answers of its calls.

        Each with its moment and its text; the text of a call that was not answered says why.
        """
        found: list[tuple[int, UserTurn | ToolCall, bytes | Raw]]
        found = [(turn.sequence, turn, turn.text.encode("utf-8", "replace")) for turn in self.user_turns]
        found += [
            (at, call, _why_not(call) if (answer := call.observation) is UNSET else answer)
            for call in self.agent_records
            if (at := call.delivered_at) is not None
        ]
        found.sort(key=_moment)
        return found

    @lazy
    def heard_text(self) -> bytes:
        """All that the agent got to know as one text in lower case, a line each."""
        return b"\n".join([part for _, _, part in self.heard]).lower() + b"\n"

    @lazy
    def call_by_sequence(self) -> dict[int, CallView]:
        """Sequence number → view of the tool call."""
        return {view.call.sequence: view for view in self.calls}


def _why_not(call: ToolCall) -> bytes:
    return call.failure.message.encode("utf-8", "replace") if call.failure else b""
