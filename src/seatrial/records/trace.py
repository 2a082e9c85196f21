"""The trace: what happened in one trial, in order. Facts only; never rewritten."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Literal

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

TRACE_VERSION = 1
"""Version of the stored shape of a trace; older shapes are migrated by `store.migrations`."""

Effect = Literal["read", "write", "external"]
"""What a tool does: look, change the world, or reach outside of it."""
Counted = Literal["calls", "seconds"]
"""What a trial used that is a plain number, and that a table of results may lack."""
Validity = Literal["valid", "invalid", "unparseable", "unknown_tool"]
"""Whether proposed arguments fit their tool."""
ResultValidity = Literal["valid", "invalid", "no_schema"]
"""Whether an answer fits its tool's return type."""

AGENT = "agent"
"""The actor of the agent's own steps."""
HARNESS = "harness"
"""The actor of the harness's own steps, and the source of the traces that it witnessed."""
MAX_RAW = 65_536
"""Characters of the argument text of a call that are kept, see `ToolCall.raw`."""


class Status(StrEnum):
    """How a trial ended. A fact: whether it passes depends on what the task expects."""

    COMPLETED = "completed"
    REFUSED = "refused"
    BUDGET_EXCEEDED = "budget_exceeded"
    AGENT_ERROR = "agent_error"
    TIMEOUT = "timeout"
    SIMULATOR_ERROR = "simulator_error"
    INFRA_ERROR = "infra_error"
    CANCELLED = "cancelled"

    @property
    def unknown(self) -> bool:
        """Whether this status leaves success unknown: the harness, not the agent, ended the trial."""
        return self in _UNKNOWN


_UNKNOWN = frozenset({Status.SIMULATOR_ERROR, Status.INFRA_ERROR, Status.CANCELLED})


class Change(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """One record of the world that differs from before."""

    path: str
    """`collection/key`; parts of a composite key are joined by `,`; `/` and `,` within a key are percent-encoded."""
    kind: Literal["created", "updated", "deleted"]
    """What became of the record."""
    before: Raw | UnsetType = UNSET
    """JSON object: the changed fields (updated) or all fields (deleted) as they were; absent when created."""
    after: Raw | UnsetType = UNSET
    """JSON object: the changed fields (updated) or all fields (created) as they are; absent when deleted."""


class ToolFailure(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """Why a call has no good observation."""

    kind: str
    """`status`, `timeout`, `malformed`, `truncated`, `empty`, `lost_response`, `invalid_arguments`, `unparseable`,
    `unknown_tool`, `refused`, `tool_error` (the tool raised), `result_invalid`, or a foreign name."""
    message: str = ""
    """What the agent was told."""
    status: int | None = None
    """HTTP-like status; `None` when the failure has none."""
    transient: bool | None = None
    """Whether trying again can help; `None`: unknown (imported without class)."""


HARMLESS_FAULTS = frozenset({"latency", "stale", "injection"})
"""Kinds of fault after which the call still counts as made: an answer arrived."""
TRANSIENT_STATUSES = frozenset({408, 425, 429})
"""Statuses below 500 that trying again can help."""


def is_transient(status: int, *, declared: Collection[int] = ()) -> bool:
    """Tell whether an HTTP-like status says that trying again can help.

    Args:
        status: The status.
        declared: Further statuses that the tool declares transient.
    """
    return status in TRANSIENT_STATUSES or 500 <= status <= 599 or status in declared


class FiredFault(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """A fault that fired on a call."""

    kind: str
    """Name of the fault plug-in: error, timeout, latency, malformed, truncated, empty, stale, lost_response, injection."""
    status: int | None = None
    """Status it answered with; `None` when it has none."""
    seconds: float = 0.0
    """Virtual seconds that it cost."""


class UserTurn(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True, tag_field="step", tag="user"):
    """Something the user said to the agent; the task's input is the first."""

    sequence: int
    text: str
    actor: str = "user"
    parent: int | None = None
    context: str = AGENT


class AgentMessage(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True, tag_field="step", tag="agent"):
    """Something the agent said to the user; the last one is its answer."""

    sequence: int
    text: str
    actor: str = AGENT
    parent: int | None = None
    context: str = AGENT
    delivered: bool = True
    """Whether it reached the user; text that an imported agent wrote beside a tool call did not."""


class TokenUsage(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """Tokens by class; the classes are disjoint. `None`: not known."""

    input: int | None = None
    """Fresh input tokens."""
    cache_read: int | None = None
    """Input tokens read from the provider's cache."""
    cache_write: int | None = None
    """Input tokens written to the provider's cache."""
    output: int | None = None
    """Output tokens, reasoning included."""
    partial: bool = False
    """Whether the exchange was cut, so that these are lower bounds."""


class ModelCall(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True, tag_field="step", tag="model"):
    """One exchange with a language model."""

    sequence: int
    model: str
    """The model id that the provider returned."""
    requested: str = ""
    """The model id that was asked for; empty: not recorded."""
    usage: TokenUsage = TokenUsage()
    usd: float | None = None
    """Price at the time of the call, US dollars; `None`: unknown, never 0 for unknown."""
    price_row: str = ""
    """Identity of the price row used; empty: none."""
    actor: str = AGENT
    parent: int | None = None
    context: str = AGENT


class ToolCall(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True, tag_field="step", tag="call"):
    """One proposed call, executed or not. The tool server is its witness, not the agent."""

    sequence: int
    """Own number of the step: two calls of one provider id are two calls."""
    tool: str
    """Name as proposed."""
    issued_at: int
    """Sequence number at which the call was proposed: its proposing message's when the harness saw it, else its arrival."""
    proposed: Raw = Raw(b"{}")
    """Proposed arguments as JSON; a JSON string when the text could not be parsed; `""` and `null` are stored as `{}`."""
    executed: Raw | UnsetType = UNSET
    """Arguments that the tool ran with, defaults filled; absent: it never ran."""
    observation: Raw | UnsetType = UNSET
    """What was answered to the agent, as JSON; absent: no answer arrived, or it was an error (see `failure`)."""
    delivered_at: int | None = None
    """Sequence number at which the answer reached the agent; `None`: never."""
    message: int | None = None
    """Number of the proposing message: calls with one number are concurrent; `None`: not seen."""
    position: int = 0
    """Position within the proposing message, from 0."""
    inferred: bool = False
    """Whether `issued_at` is only the arrival at the server, so that order relying on it is not certain."""
    effect: Effect = "read"
    """Declared effect of the tool; `read` for unknown tools."""
    failure: ToolFailure | None = None
    """Why there is no good observation; `None`: the call succeeded."""
    fault: FiredFault | None = None
    """The injected fault that fired on it; `None`: none."""
    changes: tuple[Change, ...] = ()
    """State changes that this call made."""
    validity: Validity = "valid"
    """Whether the proposed arguments fit the tool."""
    result: ResultValidity = "no_schema"
    """Whether the answer fits the tool's return type."""
    retry_of: int | None = None
    """Sequence number of the failed identical call that this one repeats; `None`: it repeats none."""
    normalised: Raw | UnsetType = UNSET
    """JSON object: argument → normal form, for the suite's own normalisers only, so that a regrade needs no suite."""
    raw: str = ""
    """Argument text as the agent sent it, when it was not plain valid JSON; cut at 64 KB."""
    foreign_id: str = ""
    """The provider's call id, for people only; never a key."""
    by: str = AGENT
    """Who called: `agent` or `user`."""
    actor: str = AGENT
    """Path of the calling agent, for example `agent/researcher`."""
    parent: int | None = None
    """Sequence number of the step that caused this one (handoff, call of an agent as a tool); `None`: none."""
    context: str = AGENT
    """The conversation that issued the call and gets its answer."""
    seconds: float = 0.0
    """Virtual seconds that the call took."""

    @property
    def ran(self) -> bool:
        """Whether the tool ran (executed arguments exist)."""
        return self.executed is not UNSET

    @property
    def succeeded(self) -> bool:
        """Whether it ran and was answered without error."""
        return self.failure is None and self.executed is not UNSET


class PermissionDecision(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True, tag_field="step", tag="permission"):
    """Whether a proposed call was let through."""

    sequence: int
    call: int
    """Sequence number of the call."""
    allowed: bool
    reason: str = ""
    actor: str = HARNESS
    parent: int | None = None
    context: str = AGENT


class Approval(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True, tag_field="step", tag="approval"):
    """A person's yes or no to a proposed call."""

    sequence: int
    call: int
    approved: bool
    reason: str = ""
    actor: str = "user"
    parent: int | None = None
    context: str = AGENT


class Handoff(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True, tag_field="step", tag="handoff"):
    """One agent passes what it has seen to another."""

    sequence: int
    source: str
    """The context that is passed on."""
    target: str
    """The context that receives it."""
    actor: str = AGENT
    parent: int | None = None
    context: str = AGENT


class Probe(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True, tag_field="step", tag="probe"):
    """A look at the world recorded as a step, so that grading never needs the world."""

    sequence: int
    name: str
    value: Raw = Raw(b"null")
    """What the probe returned, as JSON."""
    error: str = ""
    """Why it could not be taken; empty: it was taken."""
    actor: str = HARNESS
    parent: int | None = None
    context: str = AGENT


Step = UserTurn | AgentMessage | ModelCall | ToolCall | PermissionDecision | Approval | Handoff | Probe


class Usage(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """What a trial used. `None`: not known, never 0 for unknown."""

    calls: int = 0
    """Attempted tool calls of the agent, retries after injected faults not counted."""
    model_calls: int = 0
    """Exchanges with a model that the harness saw."""
    tokens: int | None = None
    """All tokens of the agent; `None`: no model call was seen, or one of unknown usage."""
    usd: float | None = None
    """Price of the agent's model calls, US dollars; `None`: unknown."""
    seconds: float = 0.0
    """Virtual seconds of the trial, or those that a table of results gives."""
    counted: tuple[Counted, ...] | None = None
    """Which of calls and seconds a table of results gives: the 0 of the others is no number. `None`: it is of no table."""

    def known(self, name: Counted) -> float | None:
        """Return the calls or the seconds; `None`: the table of results that it is of does not give them."""
        return getattr(self, name) if self.counted is None or name in self.counted else None


class Attempt(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """An abandoned attempt at the trial: kept, because a harm done in it is still a harm."""

    status: Status
    reason: str
    steps: tuple[Step, ...] = ()
    changes: tuple[Change, ...] = ()
    usage: Usage = Usage()


class Reported(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """Evidence that somebody else reported and that we did not see ourselves."""

    name: str
    """What was reported, for example `reward`."""
    value: Raw = Raw(b"null")
    """The value as JSON."""
    source: str = ""
    """Who reported it."""


class Identity(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Which trial this is."""

    suite: str
    task: str
    contract: str
    """Hash of the task as it was run (`records.task.Task.contract_hash`)."""
    candidate: str
    """Name of the candidate."""
    candidate_hash: str
    """Hash of the candidate's manifest entry."""
    trial: int
    """Index of the trial within its task, from 0."""
    seed: int
    """Seed of this trial."""


class Versions(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """Versions and hashes of what took part."""

    seatrial: str = ""
    world: str = ""
    """Hash of the world: code, schema, fixture."""
    tools: str = ""
    """Hash of all tool specifications."""
    prices: str = ""
    """Version of the price book; empty: none was used."""


class Trace(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """The record of one trial."""

    identity: Identity
    status: Status
    steps: tuple[Step, ...] = ()
    """Steps of the last attempt, by rising sequence number."""
    changes: tuple[Change, ...] = ()
    """Net end-state changes against the fixture, sorted by path."""
    changes_unknown: str = ""
    """Why the end state is not known; empty: `changes` is complete."""
    status_reason: str = ""
    """The status in words; for `budget_exceeded`: ceiling, limit, used."""
    usage: Usage = Usage()
    versions: Versions = Versions()
    attempts: tuple[Attempt, ...] = ()
    """Abandoned earlier attempts, oldest first."""
    reported: tuple[Reported, ...] = ()
    """Foreign evidence, for imported traces."""
    source: str = HARNESS
    """`harness` when the harness was the witness, else the importer's name."""
    traceback: tuple[str, ...] = ()
    """Where the agent's own code raised, innermost frame last: `file:line in function`, file names without their folder; empty: it
    did not raise, or not in code of its own."""
    version: int = TRACE_VERSION

    @property
    def witnessed(self) -> bool:
        """Whether the harness was the witness, rather than whoever an importer read from."""
        return self.source == HARNESS

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls of the last attempt in order."""
        return tuple(step for step in self.steps if type(step) is ToolCall)


def encode(trace: Trace) -> bytes:
    """Return a trace as JSON."""
    return _ENCODER.encode(trace)


def decode(data: bytes) -> Trace:
    """Return the trace that JSON of the current version holds; raises `msgspec.MsgspecError` when it holds none."""
    return _DECODER.decode(data)


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Trace)
