"""Rules about injected faults: what retries cannot outlast must be expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from seatrial.records.contract import Alternative, ToolSpec
from seatrial.records.task import FaultSpec, Task
from seatrial.records.trace import HARMLESS_FAULTS, is_transient
from seatrial.suite.ceilings import reference_tools
from seatrial.suite.finding import Finding, about_task
from seatrial.suite.suite import Suite

NOTEWORTHY = 0.001
"""Share of trials that a fault may make impossible before it is a finding."""


def find(suite: Suite) -> Iterator[Finding]:
    """Yield the tasks whose faults leave some trials without a way to succeed.

    Args:
        suite: The suite.
    """
    tools = {tool.name: tool for tool in suite.definition.tools}
    for task in suite.tasks:
        if task.contract.when_fault is None and task.contract.ends == "completed" and task.faults:
            yield from _judge(suite, task, tools)


def lost_share(task: Task, alternative: Alternative, tools: Mapping[str, ToolSpec]) -> float:
    """Return the share of trials in which a required call fails more often than retries allow.

    Calls of one tool are taken as independent; a call that fails `retries + 1` times in a row is lost, with probability
    rate ** (retries + 1). A permanent error loses the call at once.

    Args:
        task: The task.
        alternative: The way to be right.
        tools: Tools by name, for the statuses that they declare transient.

    Returns:
        A probability; 1.0 when a schedule without chance loses a call in every trial.
    """
    called = reference_tools(alternative)
    retries = alternative.process.retries if alternative.process is not None else 0
    kept = 1.0
    for tool in called:
        for fault in task.faults:
            if fault.tool in ("*", tool) and fault.kind not in HARMLESS_FAULTS:
                kept *= 1 - _lost(fault, retries if _transient(fault, tools.get(tool)) else 0)
    return 1 - kept


def _judge(suite: Suite, task: Task, tools: Mapping[str, ToolSpec]) -> Iterator[Finding]:
    share = min((lost_share(task, each, tools) for each in task.contract.alternatives), default=0.0)
    if share < NOTEWORTHY:
        return
    fix = "raise `retries` (`process` or `defaults`), lower the fault, or say with `when_fault` what is right when the tool stays down"
    if share >= 1:
        message = "its faults make a required call fail more often than `retries` allows, in every trial: no agent can pass"
        yield about_task(suite, task, "fault_outlasts_retries", message, fix, level="error")
    else:
        trials = suite.trials_for(task)
        lost = 1 - (1 - share) ** trials
        message = (
            f"in {share:.1%} of trials its faults outlast the retries and no agent can pass;"
            f" {lost:.1%} of runs of {trials} trials have such a trial"
        )
        yield about_task(suite, task, "fault_outlasts_retries", message, fix)


def _lost(fault: FaultSpec, retries: int) -> float:
    if fault.rate is not None:
        return fault.rate ** (retries + 1)
    if fault.first:
        return float(fault.first > retries)
    if fault.nth:
        return float(_longest_run(fault.nth) > retries)
    return 1.0  # no schedule but `when`: it fires for such a call every time


def _longest_run(occurrences: Sequence[int]) -> int:
    longest = run = 0
    previous = -1
    for occurrence in sorted(set(occurrences)):
        run = run + 1 if occurrence == previous + 1 else 1
        longest, previous = max(longest, run), occurrence
    return longest


def _transient(fault: FaultSpec, tool: ToolSpec | None) -> bool:
    if fault.kind != "error":
        return True
    return is_transient(fault.status or 503, declared=tool.transient_statuses if tool is not None else ())
