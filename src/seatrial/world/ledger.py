"""The ledger: the witness of a trial. It hands out sequence numbers and keeps the steps, whatever the agent says of itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from msgspec import UNSET, Raw, UnsetType

from seatrial.records.trace import (
    AGENT,
    AgentMessage,
    Change,
    Effect,
    FiredFault,
    ModelCall,
    PermissionDecision,
    Probe,
    Step,
    TokenUsage,
    ToolCall,
    ToolFailure,
    UserTurn,
)
from seatrial.world.answers import encoded
from seatrial.world.calls import printable

MAX_TEXT = 1_000_000
"""Longest message that is kept, characters."""

_EMPTY = Raw(b"{}")


@dataclass(slots=True)
class OpenCall:
    """A proposed call whose answer has not been delivered yet: a `ToolCall` in the making, field by field."""

    sequence: int
    tool: str
    arguments: object
    issued_at: int
    message: int | None
    position: int
    actor: str
    context: str
    foreign_id: str
    parent: int | None = None
    proposed: Raw = field(default_factory=lambda: _EMPTY)
    executed: Raw | UnsetType = UNSET
    observation: Raw | UnsetType = UNSET
    effect: Effect = "read"
    failure: ToolFailure | None = None
    fault: FiredFault | None = None
    changes: tuple[Change, ...] = ()
    validity: Literal["valid", "invalid", "unparseable", "unknown_tool"] = "valid"
    result: Literal["valid", "invalid", "no_schema"] = "no_schema"
    retry_of: int | None = None
    normalised: Raw | UnsetType = UNSET
    raw: str = ""
    seconds: float = 0.0

    def step(self, delivered_at: int | None) -> ToolCall:
        """Return the finished record.

        Args:
            delivered_at: Sequence number at which the answer reached the agent; `None`: it never did.
        """
        return ToolCall(
            sequence=self.sequence,
            tool=self.tool,
            issued_at=self.issued_at,
            proposed=self.proposed,
            executed=self.executed,
            observation=self.observation,
            delivered_at=delivered_at,
            message=self.message,
            position=self.position,
            inferred=self.message is None,
            effect=self.effect,
            failure=self.failure,
            fault=self.fault,
            changes=self.changes,
            validity=self.validity,
            result=self.result,
            retry_of=self.retry_of,
            normalised=self.normalised,
            raw=self.raw,
            foreign_id=self.foreign_id,
            actor=self.actor,
            parent=self.parent,
            context=self.context,
            seconds=self.seconds,
        )


class Ledger:
    """The steps of one trial under rising sequence numbers.

    Args:
        watch: Called with every step when it is complete; `None`: nobody watches.
    """

    def __init__(self, *, watch: Callable[[Step], None] | None = None) -> None:
        self._watch = watch
        self._last = 0
        self._steps: list[Step] = []
        self._undelivered: dict[int, OpenCall] = {}
        self._succeeded: set[str] = set()

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps so far by rising sequence number; calls that were executed and not delivered are among them."""
        late = [call.step(None) for call in self._undelivered.values()]
        return tuple(sorted((*self._steps, *late), key=lambda step: step.sequence))

    def number(self) -> int:
        """Return the next sequence number; it is never handed out again."""
        self._last += 1
        return self._last

    def user_turn(self, text: str, *, actor: str = "user", context: str = AGENT, parent: int | None = None) -> int:
        """Record what the user said to the agent and return its sequence number."""
        return self._append(UserTurn(self.number(), bounded(text), actor=actor, parent=parent, context=context))

    def agent_message(self, text: str, *, actor: str = AGENT, context: str = AGENT, parent: int | None = None) -> int:
        """Record what the agent said to the user and return its sequence number."""
        return self._append(AgentMessage(self.number(), bounded(text), actor=actor, parent=parent, context=context))

    def model_call(
        self,
        model: str,
        *,
        requested: str = "",
        usage: TokenUsage = TokenUsage(),  # noqa: B008 - frozen
        usd: float | None = None,
        price_row: str = "",
        actor: str = AGENT,
        context: str = AGENT,
    ) -> int:
        """Record one exchange with a language model and return its sequence number.

        Args:
            model: The model id that the provider returned.
            requested: The model id that was asked for; empty: not known.
            usage: Tokens by class.
            usd: Price in US dollars; `None`: unknown.
            price_row: Identity of the price row used; empty: none.
            actor: Path of the agent that asked.
            context: The conversation it belongs to.
        """
        step = ModelCall(self.number(), printable(model), printable(requested), usage, usd, price_row, actor, None, context)
        return self._append(step)

    def permission(self, call: int, *, allowed: bool, reason: str = "", context: str = AGENT) -> int:
        """Record whether a proposed call was let through and return the sequence number."""
        return self._append(PermissionDecision(self.number(), call, allowed, reason, context=context))

    def probe(self, name: str, value: object = None, *, error: str = "") -> int:
        """Record a look at the world and return the sequence number.

        Args:
            name: Name of the probe.
            value: What it returned, JSON data.
            error: Why it could not be taken; empty: it was taken.

        Raises:
            UnfitAnswerError: The value is no JSON data.
        """
        return self._append(Probe(self.number(), name, Raw(encoded(value)), printable(error)))

    def executed(self, call: OpenCall, tool: str) -> None:
        """Take a call that was executed or turned away into the record; its answer is still to be delivered.

        Args:
            call: The call.
            tool: The tool that its name stands for.
        """
        self._undelivered[call.sequence] = call
        if call.failure is None:
            self._succeeded.add(tool)

    def deliver(self, sequences: list[int]) -> int:
        """Record that the answers of some calls reached the agent together, and return the sequence number of that moment."""
        moment = self.number()
        for sequence in sequences:
            call = self._undelivered.pop(sequence, None)
            if call is not None:
                self._append(call.step(moment))
        return moment

    def has_called(self, tool: str) -> bool:
        """Tell whether a tool has been called successfully."""
        return tool in self._succeeded

    def _append(self, step: Step) -> int:
        self._steps.append(step)
        if self._watch is not None:
            self._watch(step)
        return step.sequence


def bounded(text: str) -> str:
    """Return a message that can be stored: valid Unicode, and cut at `MAX_TEXT` characters with a mark that says so."""
    if len(text) > MAX_TEXT:
        text = f"{text[:MAX_TEXT]}… (cut: {len(text):,} characters)"
    return printable(text)
