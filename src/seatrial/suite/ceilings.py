"""The default ceiling of calls: twice the reference's length, plus the retries that injected faults call for."""

from __future__ import annotations

import msgspec

from seatrial.records.contract import Alternative, Contract, Required
from seatrial.records.task import FaultSpec


def call_ceiling(contract: Contract, faults: tuple[FaultSpec, ...]) -> int | None:
    """Return the default ceiling of calls of a task.

    Args:
        contract: The contract.
        faults: The faults that are injected.

    Returns:
        The ceiling of the alternative that needs most, or `None`, not set, when no reference has a call.
    """
    return max((ceiling for each in contract.alternatives if (ceiling := _ceiling(each, faults))), default=None)


def reference_tools(alternative: Alternative) -> tuple[str, ...]:
    """Return the tools that the reference path of an alternative calls, in order, without optional calls."""
    if alternative.reference:
        return tuple(tool for step in alternative.reference for tool in _tools(msgspec.json.decode(step)))
    required = alternative.process.required if alternative.process is not None else ()
    return tuple(each.call[0] for each in required if not each.optional for _ in range(_bounded(each)))


def _bounded(required: Required) -> int:
    return min(required.count, 100_000)


def _tools(step: dict[str, object]) -> list[str]:
    together = step.get("together")
    if isinstance(together, list):
        return [tool for each in together for tool in _tools(each)]
    return [str(step["call"])] if "call" in step else []


def _ceiling(alternative: Alternative, faults: tuple[FaultSpec, ...]) -> int:
    tools = reference_tools(alternative)
    retries = alternative.process.retries if alternative.process is not None else 0
    return 2 * len(tools) + sum(_retries(fault, tools, retries) for fault in faults)


def _retries(fault: FaultSpec, tools: tuple[str, ...], retries: int) -> int:
    calls = len(tools) if fault.tool == "*" else tools.count(fault.tool)
    fires = len(fault.nth) or fault.first or calls * retries
    return min(fires, calls * retries)
