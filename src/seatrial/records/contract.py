"""The contract: what a task expects – outcome, process, budget, and the invariants that apply."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import UNSET, Raw, Struct, UnsetType, field

from seatrial.records.trace import Effect

CallStatus = Literal["ok", "error"]
Match = Literal["exact", "subset"]
Relation = Literal["<", "then"]
Allow = Literal["none", "reads", "any"]
OrderBy = Literal["message", "arrival"]
Ends = Literal["completed", "refusal", "escalation", "fails_closed"]
Provenance = Literal["off", "writes", "all"]
CALL_STATUSES: tuple[CallStatus, ...] = get_args(CallStatus)
MATCHES: tuple[Match, ...] = get_args(Match)
ALLOWS: tuple[Allow, ...] = get_args(Allow)
ORDERS_BY: tuple[OrderBy, ...] = get_args(OrderBy)
ENDS: tuple[Ends, ...] = get_args(Ends)
PROVENANCE: tuple[Provenance, ...] = get_args(Provenance)
MAX_STATES = 65_536
"""Search states that matching a process may need: a contract that could need more is refused, a trace that does is undetermined."""


class ToolSpec(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is known of a tool."""

    name: str
    effect: Effect
    description: str = ""
    parameters: Raw = Raw(b'{"type":"object"}')
    """JSON Schema of the arguments; a schema without `properties` says that the arguments are not known."""
    returns: Raw | UnsetType = UNSET
    """JSON Schema of the answer; absent: none is declared."""
    defaults: Raw = Raw(b"{}")
    """JSON object: argument → default value, filled in on both sides before two calls are compared."""
    normalisers: dict[str, str] = {}
    """Argument → name of its normaliser; a required call's own `normalise` wins."""
    confusable: tuple[str, ...] = ()
    """Tools that are declared easy to mistake for this one."""
    transient_statuses: tuple[int, ...] = ()
    """Further statuses that the tool declares transient."""
    free: tuple[str, ...] = ()
    """Arguments whose value needs no source (search text)."""
    escalates: bool = False
    """Whether a successful call hands the case to a person."""


class Required(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A call that must have succeeded."""

    id: str
    call: tuple[str, ...]
    """Acceptable tool names."""
    with_: Raw | UnsetType = field(default=UNSET, name="with")
    """JSON object of expected arguments, matchers allowed; absent: any arguments; `{}`: none."""
    count: int = 1
    """How many such calls are required."""
    status: CallStatus | int = "ok"
    """What the call must have come to: success, any error, or an error of this status."""
    optional: bool = False
    """Whether it may be missing; met at most `count` times."""
    match: Match = "exact"
    """`subset`: further arguments and further keys at any depth are fine."""
    compare: tuple[str, ...] | None = None
    """Only these arguments are compared; `None`: all."""
    normalise: dict[str, str] = {}
    """Argument → normaliser, applied to both sides."""
    null_is_missing: bool = False
    """Whether an argument of `null` equals one that is left out."""
    as_set: bool | tuple[str, ...] = False
    """Lists are compared as multisets: all arguments, or those named."""


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """One order pair."""

    left: str
    """Id of a required call, or `user.N`."""
    relation: Relation
    """`<`: right was issued after left's answer was delivered. `then`: issue order."""
    right: str
    """Id of a required call."""


class Extras(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which calls beyond the required ones are allowed."""

    allow: Allow | tuple[str, ...] = "reads"
    at_most: int | None = None
    """How many at the most, repeats and corrections included; `None`: no limit."""


class Process(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The allowed paths."""

    required: tuple[Required, ...] = ()
    order: tuple[Order, ...] = ()
    extras: Extras = Extras()
    retries: int = 2
    """How often a transiently failed call may be repeated identically."""
    repeats_reads: int | None = None
    """How many repeats of met or executed reads are free; `None`: any number."""
    repeats_writes: int = 0
    """How many repeats of writes are allowed."""
    order_by: OrderBy = "message"
    """`arrival`: order may rest on the arrival of calls whose proposing message was not seen."""
    scope: tuple[str, ...] = ()
    """Agent paths that are judged; empty: all."""
    aliases: dict[str, str] = {}
    """Other name → tool name."""
    tool_prefix: str = ""
    """Prefix dropped from the names of called tools."""
    confusable: tuple[tuple[str, str], ...] = ()
    """Pairs of tools declared easy to mistake."""


class Outcome(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The right end state."""

    changes: dict[str, Raw] | None = None
    """Path → JSON object of the changed fields after (matchers allowed), or `null`: deleted. `collection/+`: one created
    record; several: `collection/+1`, `collection/+2`. `None`: what the reference path does (see `reference`)."""
    reference: dict[str, Raw] | None = None
    """What the reference path does to a fresh, fault-free fixture, computed when the run is planned; `None`: not computed."""
    ignore: tuple[str, ...] = ()
    """Globs of `path/field` that are left out of the comparison."""
    as_set: tuple[str, ...] = ()
    """Globs of `path/field` whose lists are compared as multisets."""
    normalise: dict[str, str] = {}
    """Glob of `path/field` → normaliser."""
    answer: Raw | UnsetType = UNSET
    """What the user must have been told: a value, or a list of values, each found as tokens of the agent's messages."""
    probes: dict[str, Raw] = {}
    """Probe → value it must have returned (matchers allowed)."""
    reported: dict[str, Raw] = {}
    """Foreign evidence → value it must have; for imported runs whose end state we did not see."""


class Alternative(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One way to be right: a process and an outcome together."""

    name: str = ""
    """Empty when the contract has only one way."""
    process: Process | None = None
    """`None`: the process is not judged."""
    outcome: Outcome | None = None
    """`None`: the outcome is not judged."""
    reference: tuple[Raw, ...] = ()
    """Calls of the reference path as JSON objects `{"call": …, "with": {…}}`; empty: the required calls in an order that
    the contract allows."""


class Budget(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Ceilings of one trial. `None`: not set."""

    calls: int | None = None
    tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None
    """Virtual seconds."""


class InvariantSpec(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A rule over a whole trace, by name, with its arguments."""

    rule: str
    """Name of the invariant plug-in."""
    arguments: Raw = Raw(b"{}")
    """JSON object of its arguments."""
    id: str = ""
    """Name in reports; empty: the rule's."""


class Contract(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a task expects."""

    alternatives: tuple[Alternative, ...] = ()
    """At least one; the best verdict counts."""
    ends: Ends = "completed"
    when_fault: Alternative | None = None
    """What is right instead when a fault outlasted the retries; `None`: nothing else is."""
    budget: Budget = Budget()
    invariants: tuple[InvariantSpec, ...] = ()
    provenance: Provenance = "off"
    """Whose argument values need a source."""
    constants: tuple[Raw, ...] = ()
    """Values declared as constants: they need no source."""
    derived: tuple[Raw, ...] = ()
    """Declared derivations as JSON objects `{"argument": "tool.arg", "sum"|"difference"|"count"|"date_offset"|"lookup": …}`."""

    @property
    def ways(self) -> tuple[Alternative, ...]:
        """Every way to be right: the alternatives, and what is right instead after a fault."""
        return self.alternatives if self.when_fault is None else (*self.alternatives, self.when_fault)
