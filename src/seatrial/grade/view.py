"""A trace as the rules read it: split once by kind of step, with the JSON of each call decoded at most once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import msgspec
from msgspec import UNSET, Raw

from seatrial.records.trace import AgentMessage, Handoff, PermissionDecision, Probe, Step, ToolCall, Trace, UserTurn

_decode = msgspec.json.Decoder().decode
_MISSING = object()


def read_json(raw: Raw | bytes) -> object:
    """Return the value of a JSON text; a text that is no JSON is returned as text, so that a broken record never stops a grade."""
    try:
        return _decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return bytes(raw).decode("utf-8", "replace")


class CallView:
    """One tool call, its JSON decoded on first use.

    Args:
        call: The recorded call.
        index: Its position among all calls of the steps, from 0.
    """

    __slots__ = ("_arguments", "_executed", "_observation", "_proposed", "call", "index")

    def __init__(self, call: ToolCall, index: int) -> None:
        self.call = call
        self.index = index
        self._arguments = _MISSING

    @property
    def proposed(self) -> object:
        """The proposed arguments; a string when their text could not be parsed."""
        try:
            return self._proposed
        except AttributeError:
            self._proposed = read_json(self.call.proposed)
            return self._proposed

    @property
    def executed(self) -> object | None:
        """The arguments that the tool ran with; `None`: it never ran."""
        try:
            return self._executed
        except AttributeError:
            executed = self.call.executed
            self._executed = None if executed is UNSET else read_json(executed)
            return self._executed

    @property
    def observation(self) -> object | None:
        """What was answered; `None`: nothing, or null."""
        try:
            return self._observation
        except AttributeError:
            observation = self.call.observation
            self._observation = None if observation is UNSET else read_json(observation)
            return self._observation

    @property
    def arguments(self) -> object:
        """The executed arguments if the tool ran, else the proposed."""
        value = self._arguments
        if value is _MISSING:
            value = self._arguments = self.proposed if self.call.executed is UNSET else self.executed
        return value


class TraceView:
    """The steps of a trace, split by kind.

    Args:
        source: A trace (its last attempt is seen), or the steps of one attempt.
    """

    def __init__(self, source: Trace | Iterable[Step]) -> None:
        self.trace = source if isinstance(source, Trace) else None
        self.steps: tuple[Step, ...] = source.steps if isinstance(source, Trace) else tuple(source)

    @cached_property
    def calls(self) -> tuple[CallView, ...]:
        """The tool calls of all actors, in the order of their steps."""
        return tuple([CallView(call, index) for index, call in enumerate([step for step in self.steps if type(step) is ToolCall])])

    @cached_property
    def user_turns(self) -> tuple[UserTurn, ...]:
        """What the user said; the task's input is the first."""
        return tuple([step for step in self.steps if type(step) is UserTurn])

    @cached_property
    def messages(self) -> tuple[AgentMessage, ...]:
        """What the agent said to the user."""
        return tuple([step for step in self.steps if type(step) is AgentMessage])

    @cached_property
    def probes(self) -> tuple[Probe, ...]:
        """The looks at the world."""
        return tuple([step for step in self.steps if type(step) is Probe])

    @cached_property
    def handoffs(self) -> tuple[Handoff, ...]:
        """The hand-overs from one context to another."""
        return tuple([step for step in self.steps if type(step) is Handoff])

    @cached_property
    def permissions(self) -> tuple[PermissionDecision, ...]:
        """The decisions to let a call through or not."""
        return tuple([step for step in self.steps if type(step) is PermissionDecision])

    @cached_property
    def by_sequence(self) -> dict[int, Step]:
        """Sequence number → step."""
        return {step.sequence: step for step in self.steps}

    @cached_property
    def call_by_sequence(self) -> dict[int, CallView]:
        """Sequence number → view of the tool call."""
        return {view.call.sequence: view for view in self.calls}
