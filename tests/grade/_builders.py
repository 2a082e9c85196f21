"""Small traces, tools and tasks made by hand: a `Story` numbers its steps as the tool server does."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import UNSET, Raw

from seatrial.base.canonical import canonical
from seatrial.records.contract import Alternative, Contract, Outcome, Process, ToolSpec
from seatrial.records.task import Task
from seatrial.records.trace import (
    AgentMessage,
    Attempt,
    Change,
    FiredFault,
    Handoff,
    Identity,
    PermissionDecision,
    Probe,
    Status,
    Step,
    ToolCall,
    ToolFailure,
    Trace,
    Usage,
    UserTurn,
)

EFFECTS = {"route": "write", "pay": "write", "notify": "external", "escalate": "external", "delete_claim": "write", "note": "write"}
"""Tool → effect, where it is not a read."""


def raw(value: object) -> Raw:
    """Return a value as canonical JSON."""
    return Raw(canonical(value))


@dataclass(frozen=True)
class Ask:
    """One call of a message: what is proposed and what comes back."""

    tool: str
    arguments: object = field(default_factory=dict)
    answer: object = UNSET
    failure: ToolFailure | None = None
    fault: str = ""
    changes: tuple[Change, ...] = ()
    retry_of: int | None = None
    ran: bool = True
    delivered: bool = True
    context: str = "agent"
    by: str = "agent"


class Story:
    """Steps in the making."""

    def __init__(self, said: str = "") -> None:
        self.steps: list[Step] = []
        self.last = 0
        self.message_number = 0
        if said:
            self.user(said)

    def number(self) -> int:
        self.last += 1
        return self.last

    def user(self, text: str, *, context: str = "agent") -> Story:
        self.steps.append(UserTurn(self.number(), text, context=context))
        return self

    def agent(self, text: str, *, delivered: bool = True) -> Story:
        self.steps.append(AgentMessage(self.number(), text, delivered=delivered))
        return self

    def handoff(self, source: str, target: str) -> Story:
        self.steps.append(Handoff(self.number(), source, target))
        return self

    def probe(self, name: str, value: object, *, error: str = "") -> Story:
        self.steps.append(Probe(self.number(), name, raw(value), error))
        return self

    def refuse(self, call: int) -> Story:
        self.steps.append(PermissionDecision(self.number(), call, allowed=False, reason="not permitted"))
        return self

    def calls(self, *asks: Ask) -> list[int]:
        """One message: all calls are proposed together and delivered together; returns their sequence numbers."""
        self.message_number += 1
        issued = self.number()
        numbers = [self.number() for _ in asks]
        delivered = self.number()
        for position, (sequence, ask) in enumerate(zip(numbers, asks, strict=True)):
            self.steps.append(self._call(sequence, issued, delivered, position, ask))
        return numbers

    def _call(self, sequence: int, issued: int, delivered: int, position: int, ask: Ask) -> ToolCall:
        proposed = raw(ask.arguments)
        return ToolCall(
            sequence,
            ask.tool,
            issued,
            proposed,
            proposed if ask.ran else UNSET,
            UNSET if ask.failure is not None or ask.answer is UNSET else raw(ask.answer),
            delivered if ask.delivered else None,
            message=self.message_number,
            position=position,
            effect=EFFECTS.get(ask.tool, "read"),
            failure=ask.failure,
            fault=FiredFault(ask.fault) if ask.fault else None,
            changes=ask.changes,
            retry_of=ask.retry_of,
            context=ask.context,
            by=ask.by,
        )

    def call(self, tool: str, arguments: object = None, answer: object = None, **options: object) -> int:
        """A message of one call; returns its sequence number."""
        return self.calls(Ask(tool, {} if arguments is None else arguments, answer, **options))[0]

    def trace(self, *, status: Status = Status.COMPLETED, **options: object) -> Trace:
        """Return the story as a trace; `options` are further fields of it."""
        options.setdefault("usage", Usage(calls=sum(type(step) is ToolCall for step in self.steps)))
        return Trace(IDENTITY, status, tuple(self.steps), **options)

    def attempt(self, *, status: Status = Status.INFRA_ERROR) -> Attempt:
        """Return the story as an abandoned attempt."""
        return Attempt(status, "the machinery broke", tuple(self.steps))


IDENTITY = Identity("suite", "task", "0" * 32, "candidate", "1" * 32, 0, 7)


def tool(name: str, *, free: tuple[str, ...] = (), schema: object = None, **options: object) -> ToolSpec:
    """Return a tool whose arguments are not known, unless a schema is given."""
    known = {} if schema is None else {"parameters": raw({"type": "object", "properties": schema})}
    return ToolSpec(name, EFFECTS.get(name, "read"), free=free, escalates=name == "escalate", **known, **options)


TOOLS = tuple(map(tool, ("policy_lookup", "policy_search", "coverage_rules", "route", "pay", "note", "notify", "escalate", "delete_claim")))


def task(
    outcome: Outcome | None = None, process: Process | None = None, *, said: str = "", now: str = "2026-05-04T09:00:00Z", **options
) -> Task:
    """Return a task with one way to be right; `options` are further fields of the contract."""
    options.setdefault("alternatives", (Alternative(process=process, outcome=outcome),))
    return Task("task", input=said, now=now, contract=Contract(**options))


def outcome(changes: dict[str, object] | None = None, **options: object) -> Outcome:
    """Return an outcome from plain values."""
    given = None if changes is None else {path: raw(value) for path, value in changes.items()}
    for name in ("probes", "reported", "reference"):
        if name in options:
            options[name] = {key: raw(value) for key, value in options[name].items()}
    if "answer" in options:
        options["answer"] = raw(options["answer"])
    return Outcome(given, **options)


def updated(path: str, **fields: object) -> Change:
    """Return a change of fields; what was there before is null."""
    return Change(path, "updated", raw(dict.fromkeys(fields)), raw(fields))


def created(path: str, **fields: object) -> Change:
    """Return the creation of a record."""
    return Change(path, "created", after=raw(fields))


def deleted(path: str, **fields: object) -> Change:
    """Return the deletion of a record."""
    return Change(path, "deleted", before=raw(fields))


def failed(status: int | None = 503, *, kind: str = "status", transient: bool | None = True, message: str = "unavailable") -> ToolFailure:
    """Return a failure."""
    return ToolFailure(kind, message, status, transient)
