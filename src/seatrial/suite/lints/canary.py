"""Rules about the canary: it shows that an agent has read the suite's files only if nobody gives it to the agent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from seatrial.base.canonical import canonical
from seatrial.suite.finding import Finding, about_suite, about_task
from seatrial.suite.suite import Suite

_FIX = "take it out there, or every agent that repeats what it was given seems to have read the suite"


def find(suite: Suite, fixtures: Mapping[str, str] | None = None) -> Iterator[Finding]:
    """Yield where the canary stands in what an agent is given.

    Args:
        suite: The suite.
        fixtures: What a fixture is called in words → its text; `None`: not at hand.
    """
    for canary in suite.canaries:
        shown = {**{f"the document {name!r}": text for name, text in suite.documents.items()}, **(fixtures or {})}
        for name, text in shown.items():
            if canary in text:
                yield about_suite(suite, "canary_given", f"a canary stands in {name}, which the agent is shown", _FIX)
        for task in suite.tasks:
            if canary in canonical([task.input, task.user, task.fixture, task.faults]).decode():
                yield about_task(suite, task, "canary_given", "a canary stands in what this task tells the agent", _FIX)
