"""Rules about the contract of each task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from msgspec import UNSET

from seatrial.base.names import nearest
from seatrial.records.contract import Process, Required, ToolSpec
from seatrial.records.task import Task
from seatrial.suite.finding import Finding, about_task
from seatrial.suite.matchers import sources
from seatrial.suite.part import Part, shown
from seatrial.suite.place import Place
from seatrial.suite.suite import Suite


def find(suite: Suite) -> Iterator[Finding]:
    """Yield what is weak in the contracts.

    Args:
        suite: The suite.
    """
    tools = {tool.name: tool for tool in suite.definition.tools}
    for task in suite.tasks:
        processes = [each.process for each in task.contract.alternatives if each.process is not None]
        if not processes:
            message = "only the outcome is judged: an agent that arrives by a shortcut, or by luck, passes"
            yield about_task(suite, task, "outcome_only", message, "write `process`: the calls that must be made, and their order")
        yield from _extras(suite, task, processes)
        yield from _stakes(suite, task, processes, tools)
        yield from _ends(suite, task, processes, tools)
        for required in (each for process in processes for each in process.required):
            yield from _sources(suite, task, required, processes, tools)
            yield from _impossible(suite, task, required, tools)


def _extras(suite: Suite, task: Task, processes: list[Process]) -> Iterator[Finding]:
    if any(process.extras.allow == "any" for process in processes):
        message = "`extras: any` allows writes too: the process lets the agent change anything on its way"
        yield about_task(suite, task, "extras_any", message, "write `extras: reads`, or name the tools that may be called")


def _stakes(suite: Suite, task: Task, processes: list[Process], tools: Mapping[str, ToolSpec]) -> Iterator[Finding]:
    wanted = [name for process in processes for each in process.required for name in each.call]
    writes = sorted({name for name in wanted if name in tools and tools[name].effect != "read"})
    if writes and task.stakes == "routine":
        message = (
            f"the task requires {', '.join(writes)}, which writes, yet its stakes are routine: it gets {suite.trials_for(task)} trials"
        )
        yield about_task(suite, task, "stakes_too_low", message, "write `stakes: write` or `stakes: regulated`")


def _ends(suite: Suite, task: Task, processes: list[Process], tools: Mapping[str, ToolSpec]) -> Iterator[Finding]:
    ends = task.contract.ends
    permitted = [tool for tool in tools.values() if task.tools is None or tool.name in task.tools]
    if ends == "escalation" and not any(tool.escalates for tool in permitted):
        message = "the task must end in an escalation, but no permitted tool hands a case to a person: no agent can pass"
        yield about_task(suite, task, "ends_out_of_reach", message, "mark the tool with `escalates=True` in the world", level="error")
    if ends == "refusal":
        wanted = {name for process in processes for each in process.required if not each.optional for name in each.call}
        writes = sorted(name for name in wanted if name in tools and tools[name].effect != "read" and not tools[name].escalates)
        if writes:
            message = f"the task must end in a refusal, which attempts no write, and requires {', '.join(writes)}: no agent can pass"
            yield about_task(suite, task, "ends_out_of_reach", message, "drop the call, or change `ends`", level="error")


def _sources(suite: Suite, task: Task, required: Required, processes: list[Process], tools: Mapping[str, ToolSpec]) -> Iterator[Finding]:
    if required.with_ is UNSET:
        return
    called = {each.id: each.call for process in processes for each in process.required}
    for name, part in sources(Part(msgspec.json.decode(required.with_), Place())):
        for tool in called.get(name, ()):
            yield from _source(suite, task, part, tools.get(tool))


def _source(suite: Suite, task: Task, part: Part, tool: ToolSpec | None) -> Iterator[Finding]:
    source = str(part.value)
    _, _, path = source.partition(".")
    if tool is None or tool.returns is UNSET or not path:
        return
    schema = msgspec.json.decode(tool.returns)
    first = path.split(".")[0].split("[")[0]
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if isinstance(schema, dict) and schema.get("type") == "string":
        message = f"`$from: {source}` looks into the answer of {tool.name}, which is one opaque text: the path leads nowhere"
        yield about_task(suite, task, "source_in_text", message, f"let {tool.name} return an object, or take the whole answer")
    elif isinstance(properties, dict) and properties and first not in properties and schema.get("additionalProperties") is not True:
        hint = nearest(first, properties)
        message = f"`$from: {source}`: the answer of {tool.name} has no field {first!r}" + (f"; did you mean {hint!r}?" if hint else "")
        yield about_task(suite, task, "source_unknown", message, f"name one of {', '.join(sorted(properties)[:8])}")


def _impossible(suite: Suite, task: Task, required: Required, tools: Mapping[str, ToolSpec]) -> Iterator[Finding]:
    expected = {} if required.with_ is UNSET else msgspec.json.decode(required.with_)
    for tool in (tools[name] for name in required.call if name in tools):
        properties = msgspec.json.decode(tool.parameters).get("properties", {})
        for name, value in expected.items():
            allowed = properties.get(name, {}).get("enum") if isinstance(properties.get(name), dict) else None
            if allowed and isinstance(value, str) and value not in allowed and name not in {**tool.normalisers, **required.normalise}:
                hint = nearest(value, [each for each in allowed if isinstance(each, str)])
                message = f"{required.id} expects {name} = {shown(value)}, which {tool.name} does not accept" + (
                    f"; did you mean {hint!r}?" if hint else ""
                )
                yield about_task(
                    suite, task, "impossible_argument", message, f"use one of {', '.join(map(str, allowed[:8]))}", level="error"
                )
