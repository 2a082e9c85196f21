"""A rule, its arguments as a suite writes them, and stories to try it on."""

from __future__ import annotations

import msgspec

from seatrial.base import catalogue
from seatrial.base.canonical import canonical
from seatrial.grade.safety import Findings, WatchedAttempt, WatchedTrial
from seatrial.grade.view import TraceView
from seatrial.records.task import Task
from seatrial.records.trace import Status
from tests.grade._builders import TOOLS


def watched(*stories, task: Task | None = None, tools=TOOLS, **options) -> WatchedTrial:
    """Return a trial: the last story is its last attempt, those before were abandoned."""
    *abandoned, last = [TraceView(story.steps) for story in stories]
    attempts = [WatchedAttempt(index, view, Status.INFRA_ERROR) for index, view in enumerate(abandoned)]
    known = {tool.name: tool for tool in tools}
    return WatchedTrial((*attempts, WatchedAttempt(None, last, Status.COMPLETED)), known, task=task or Task("task"), **options)


def judged(rule: str, arguments: dict, *stories, **options) -> Findings:
    """Return what a rule finds."""
    module = catalogue.load("invariant", rule)
    return module.judge(msgspec.json.decode(canonical(arguments), type=module.Arguments), watched(*stories, **options))


def verdict(findings: Findings) -> str:
    """Return `violation`, `doubt` or `kept`."""
    return "violation" if findings.violations else "doubt" if findings.doubts else "kept"
