"""A call as the agent proposes it and as it is answered: the vocabulary of the tool server, the faults and the agents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from seatrial.base.errors import WorldError
from seatrial.records.task import FaultSpec
from seatrial.records.trace import Change, ToolFailure, is_transient

TRANSIENT_KINDS = frozenset({"timeout", "malformed", "truncated", "empty", "lost_response"})
"""Kinds of failure that trying again can help."""
MAX_MESSAGE = 2_000
"""Longest text of a failure, characters."""
MAX_KIND = 200
"""Longest kind of a failure, characters."""
_MOST_STATUS = 1 << 31


class TrialStopped(BaseException):
    """Raised through the code of an agent or of a tool when the harness has ended the trial; no `Exception`, lest it be swallowed."""


class ToolError(Exception):
    """What a tool raises to answer with an error, and what an agent catches.

    Args:
        message: What the agent is told.
        status: HTTP-like status; `None`: the failure has none.
        kind: Kind of failure; empty: `status` when there is one, else `tool_error`.
        transient: Whether trying again can help. A tool leaves it out: kind and status tell. To an agent `None` means unknown.
    """

    def __init__(self, message: str, *, status: int | None = None, kind: str = "", transient: bool | None = None) -> None:
        super().__init__(message)
        self.message, self.status, self.transient = message, status, transient
        self.kind = kind or ("tool_error" if status is None else "status")


class ProposedCall(Struct, frozen=True):
    """A call as the agent proposes it."""

    tool: str
    """Name of the tool as the agent wrote it."""
    arguments: object = None
    """Arguments as an object; a `str` is JSON text that is parsed here; `None`, `""` and `"null"` are `{}`."""
    foreign_id: str = ""
    """The provider's call id; empty: it has none."""


class Observation(Struct, frozen=True):
    """What the agent is answered."""

    ok: bool
    """Whether the call succeeded."""
    value: object = None
    """The answer as plain JSON data; `None` when it failed."""
    failure: ToolFailure | None = None
    """Why it failed; `None`: it succeeded."""
    text: str = ""
    """The answer as the text that a language model would read."""


@dataclass(slots=True)
class Answer:
    """What a tool, or a fault in its place, answers; the server records it."""

    value: Raw | UnsetType = UNSET
    """The answer as JSON; absent: none arrived."""
    failure: ToolFailure | None = None
    """Why it is no good answer; `None`: it is one."""
    ran: bool = False
    """Whether the tool ran."""
    result: Literal["valid", "invalid", "no_schema"] = "no_schema"
    """Whether the answer fits the tool's return type."""
    changes: tuple[Change, ...] = field(default=())
    """State changes that the call made."""

    @property
    def text(self) -> str:
        """The answer as the text that arrives; empty: none does."""
        return bytes(self.value).decode() if isinstance(self.value, Raw) else ""

    @property
    def plain(self) -> object:
        """The answer as plain data; `None`: none arrives."""
        return msgspec.json.decode(self.value) if isinstance(self.value, Raw) else None


class Execution(Protocol):
    """One call about to run, as a fault sees it."""

    transient_statuses: Sequence[int]
    """Further statuses that the tool declares transient."""

    def run(self) -> Answer:
        """Run the tool on the world and keep what it writes."""
        ...

    def run_at_start(self) -> Answer:
        """Run the tool on the world as it was when the trial began; what it writes is dropped."""
        ...

    def draw(self) -> float:
        """Return the call's own draw in [0, 1): the same for every candidate."""
        ...


class Fault(Protocol):
    """A kind of failure: one file of `world/faults`, whose module holds it as `FAULT`."""

    effects: Sequence[str]
    """Effects of the tools that it can fire on."""

    def seconds(self, spec: FaultSpec) -> float:
        """Return the virtual seconds that it costs."""
        ...

    def status(self, spec: FaultSpec) -> int | None:
        """Return the status that it answers with; `None`: it has none."""
        ...

    def apply(self, spec: FaultSpec, execution: Execution) -> Answer:
        """Answer the call in the fault's way.

        Args:
            spec: The fault as the task declares it.
            execution: The call; not running it is the fault's right.

        Returns:
            The answer that the agent gets.
        """
        ...


def failure(kind: str, message: str, *, status: int | None = None, declared: Sequence[int] = ()) -> ToolFailure:
    """Return a failure with its class: transient or permanent.

    Args:
        kind: Kind of failure.
        message: What the agent is told; cut at `MAX_MESSAGE` characters.
        status: HTTP-like status; `None`: none.
        declared: Further statuses that the tool declares transient.

    Returns:
        The failure. Transient are timeouts, read faults, 408, 425, 429, 5xx and the declared statuses; all else is permanent.
    """
    transient = kind in TRANSIENT_KINDS or (status is not None and is_transient(status, declared=declared))
    return ToolFailure(kind, printable(message[:MAX_MESSAGE]), status, transient)


def failure_of(error: ToolError, *, declared: Sequence[int] = ()) -> ToolFailure:
    """Return the failure that a tool's error stands for, whatever the tool put into it.

    Args:
        error: What the tool raised.
        declared: Further statuses that the tool declares transient.
    """
    message, status, kind = (getattr(error, name, None) for name in ("message", "status", "kind"))
    known = status if isinstance(status, int) and not isinstance(status, bool) and abs(status) < _MOST_STATUS else None
    named = kind if isinstance(kind, str) and kind else "tool_error" if known is None else "status"
    told = text_of(error if message is None or message == "" else message)
    found = failure(printable(named[:MAX_KIND]), told, status=known, declared=declared)
    said = getattr(error, "transient", None)
    return msgspec.structs.replace(found, transient=said) if isinstance(said, bool) else found


def text_of(value: object) -> str:
    """Return what somebody's object says of itself; its class name when it cannot, or says nothing."""
    try:
        text = str(value)
    except BaseException:  # noqa: BLE001 - a foreign __str__ may raise anything
        text = ""
    return printable(text[:MAX_MESSAGE]) or type(value).__name__


def described(error: BaseException) -> str:
    """Return class and text of what a suite's own code raised."""
    name, text = type(error).__name__, text_of(error)
    return name if text == name else f"{name}: {text}"


def broken(error: BaseException, what: str) -> BaseException:
    """Return what is raised in place of an error of a suite's own code: the world is to blame, whatever was raised.

    Args:
        error: What was raised.
        what: What raised it, for example "the probe 'count' raised".

    Returns:
        A `WorldError`; the error itself when it comes from a person or from the harness.
    """
    return error if isinstance(error, KeyboardInterrupt | TrialStopped) else WorldError(f"{what} {described(error)}")


def spoiled(answer: Answer, kind: str, text: str, message: str) -> Answer:
    """Return an answer that arrives as unusable text; what the tool wrote stays, and an error of the tool stays one.

    Args:
        answer: What the tool answered.
        kind: Kind of failure.
        text: What arrives.
        message: What is wrong with it.
    """
    if answer.failure is not None:
        return answer
    arrived = Raw(msgspec.json.encode(text))
    return Answer(arrived, failure(kind, message), ran=answer.ran, result=answer.result, changes=answer.changes)


def printable(text: str) -> str:
    """Return a text that can be encoded as UTF-8: lone surrogates are written as escapes."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
