"""One rule judged over stories, through the doors that a contract uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from seatrial.grade.identical import identity_of
from seatrial.grade.invariants import compile_invariants
from seatrial.grade.safety import Findings, WatchedAttempt, WatchedTrial
from seatrial.grade.view import TraceView
from seatrial.records.contract import InvariantSpec, Process, ToolSpec
from seatrial.records.task import Task
from seatrial.records.trace import Status
from tests.grade._builders import TOOLS, Story, raw


def watched(*stories: Story, tools: Sequence[ToolSpec] = TOOLS, task: Task | None = None, **options: Any) -> WatchedTrial:
    """Return a trial: the last story is its last attempt, those before were abandoned."""
    *abandoned, last = [TraceView(story.steps) for story in stories]
    attempts = [WatchedAttempt(index, view, Status.INFRA_ERROR) for index, view in enumerate(abandoned)]
    identity = identity_of(tools, Process(), {})
    known = {tool.name: tool for tool in tools}
    last_attempt = WatchedAttempt(None, last, Status.COMPLETED)
    return WatchedTrial((*attempts, last_attempt), known, task=task or Task("task"), identity=identity, **options)


def judge(rule: str, arguments: object, *stories: Story, tools: Sequence[ToolSpec] = TOOLS, **options: Any) -> Findings:
    """Return what a rule finds in a trial; see `watched`."""
    (compiled,) = compile_invariants((InvariantSpec(rule, raw(arguments)),), [tool.name for tool in tools])
    return compiled.judge(watched(*stories, tools=tools, **options))


def steps(findings: Findings) -> list[int]:
    """Return the steps of the violations."""
    return [one.step for one in findings.violations]


def doubts(findings: Findings) -> list[int]:
    """Return the steps of the doubts."""
    return [one.step for one in findings.doubts]


def verdict(findings: Findings) -> str:
    """Return `violation`, `doubt` or `kept`."""
    return "violation" if findings.violations else "doubt" if findings.doubts else "kept"
