"""One rule judged over stories, through the doors that a contract uses."""

from __future__ import annotations

from collections.abc import Sequence

from seatrial.grade.identical import identity_of
from seatrial.grade.invariants import compile_invariants
from seatrial.grade.safety import Findings, WatchedAttempt, WatchedTrial
from seatrial.grade.view import TraceView
from seatrial.records.contract import InvariantSpec, Process, ToolSpec
from seatrial.records.task import Task
from seatrial.records.trace import Status
from tests.grade._builders import TOOLS, Story, raw


def judge(
    rule: str,
    arguments: object,
    *stories: Story,
    tools: Sequence[ToolSpec] = TOOLS,
    source: str = "harness",
    task: Task | None = None,
    documents: dict[str, str] | None = None,
) -> Findings:
    """Return what a rule finds; of several stories all but the last are abandoned attempts."""
    (compiled,) = compile_invariants((InvariantSpec(rule, raw(arguments)),), [tool.name for tool in tools])
    last = len(stories) - 1
    attempts = tuple(
        WatchedAttempt(None if index == last else index, TraceView(story.steps), Status.COMPLETED) for index, story in enumerate(stories)
    )
    known = {tool.name: tool for tool in tools}
    identity = identity_of(tools, Process(), {})
    return compiled.judge(
        WatchedTrial(attempts, known, source=source, task=task or Task("task"), documents=documents or {}, identity=identity)
    )


def steps(findings: Findings) -> list[int]:
    """Return the steps of the violations."""
    return [one.step for one in findings.violations]


def doubts(findings: Findings) -> list[int]:
    """Return the steps of the doubts."""
    return [one.step for one in findings.doubts]
