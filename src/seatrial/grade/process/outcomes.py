"""What a call came to: success, a write that was committed though its answer was lost, a failure that may pass or one that stays."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import UNSET

from seatrial.records.trace import ToolCall

SPOILT = frozenset({"malformed", "truncated", "empty", "lost_response"})
"""Failures after which a read has told nothing, while a write has been made all the same."""
_ANSWER_LOST = frozenset({"timeout", "result_invalid"})
_NEVER_RAN = frozenset({"invalid_arguments", "unparseable", "unknown_tool", "refused"})
_TRANSIENT_STATUSES = frozenset({408, 425, 429})


def good(call: ToolCall, *, reads: bool) -> bool:
    """Tell whether a call came to what a requirement asks: it succeeded, or it is a write that was committed.

    Args:
        call: The call.
        reads: Whether its tool only reads.
    """
    failure, fault = call.failure, call.fault
    if call.executed is UNSET:
        return False
    if failure is None:
        return fault is None or not reads or fault.kind not in SPOILT
    return not reads and (failure.kind in SPOILT or (failure.kind in _ANSWER_LOST and bool(call.changes)))


def transient(call: ToolCall, declared: Collection[int] = ()) -> bool | None:
    """Tell whether trying a failed call again can help.

    Args:
        call: A failed call.
        declared: Further statuses that its tool declares transient.

    Returns:
        `None` when it is not known: the failure was imported without its class.
    """
    failure = call.failure
    if failure is None:
        return True if call.fault is not None and call.fault.kind in SPOILT else None
    if failure.transient is not None:
        return failure.transient
    if failure.status is not None:
        return failure.status in _TRANSIENT_STATUSES or 500 <= failure.status < 600 or failure.status in declared
    if failure.kind == "timeout" or failure.kind in SPOILT:
        return True
    return False if failure.kind in _NEVER_RAN else None


def changed_world(call: ToolCall, *, reads: bool) -> bool:
    """Tell whether a call changed the state of the world, or may have."""
    return bool(call.changes) or (not reads and good(call, reads=False))
