"""`forbidden_call`: a tool is called that the task does not permit, that a rule forbids, or that no further call may use."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

import msgspec

from seatrial.prove.filling import filled_call
from seatrial.prove.mutant import Mutant
from seatrial.prove.path import inserted, last_words
from seatrial.prove.subject import Subject
from seatrial.records.contract import ToolSpec


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the path with one call of each forbidden tool before its end."""
    used = {subject.name(call.step.call) for call in subject.calls}
    for tool in subject.tools.values():
        why = "" if tool.name in used else _why(subject, tool)
        if why:
            path = inserted(subject.path, last_words(subject.path), filled_call(subject, tool))
            yield Mutant(tool.name, path, closes=why)


def _why(subject: Subject, tool: ToolSpec) -> str:
    """Return the line of the contract that forbids a tool; empty: none does."""
    task, extras = subject.task, subject.process.extras.allow
    if task.tools is not None and tool.name not in task.tools:
        return "extras: reads"
    if any(tool.name == name or fnmatchcase(tool.name, name) for name in _forbidden(subject)):
        return f"invariants: [{{no_forbidden_call: {{tools: [{tool.name}]}}}}]"
    listed_out = tool.effect == "read" and isinstance(extras, tuple) and tool.name not in extras
    return f"extras: [{', '.join(extras)}]" if listed_out and isinstance(extras, tuple) else ""


def _forbidden(subject: Subject) -> list[str]:
    """Return the names, globs among them, of the tools that a rule forbids."""
    specs = [spec for spec in subject.task.contract.invariants if spec.rule == "no_forbidden_call"]
    given = [msgspec.json.decode(spec.arguments).get("tools", ()) for spec in specs]
    return [name for names in given for name in ([names] if isinstance(names, str) else names)]
