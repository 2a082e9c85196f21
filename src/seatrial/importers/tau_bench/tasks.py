"""The tasks of a τ-bench result file: what the benchmark's own solution does, as a contract.

The gold writes are required with their exact arguments, in any order; the gold reads, transfers and calculations are advice
(`optional`), because the benchmark compares end states only. Reads, calculations and transfers beyond them are allowed; any
other attempted write is an extra that fails the process. The outcome is the recorded reward: evidence that the benchmark
reported and that nobody observed again.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Raw

from seatrial.base.canonical import canonical
from seatrial.importers.tau_bench.rows import Action, Rows, TaskInfo, same_work
from seatrial.importers.tau_bench.tools import domain_of, effect_of, tools_of
from seatrial.records.contract import Alternative, Contract, Extras, Outcome, Process, Required, ToolSpec
from seatrial.records.task import Task

USERS = "users"
"""Collection of the people who call, in every domain of the benchmark; the task names one."""
_RESPOND = "respond"
"""The benchmark's name for a message to the user; in a solution it is no tool call."""


def gold_calls(info: TaskInfo) -> tuple[Action, ...]:
    """Return the tool calls of a task's solution."""
    return tuple(action for action in info.actions if action.name != _RESPOND)


def gold_writes(info: TaskInfo) -> tuple[Action, ...]:
    """Return the writes of a task's solution."""
    return tuple(action for action in gold_calls(info) if effect_of(action.name) == "write")


def must_act(info: TaskInfo) -> bool:
    """Tell whether an agent that does nothing fails the task: the solution writes, or something must be said."""
    return bool(gold_writes(info) or info.outputs)


def work_of(rows: Rows) -> dict[str, TaskInfo]:
    """Return what each task asks for, by task id in order of first appearance.

    Args:
        rows: All rows of the file.

    Returns:
        Task id → its work; an empty one when the harness failed in every trial of the task.

    Raises:
        ForeignFormatError: Two rows of one task ask for different work.
    """
    found: dict[str, TaskInfo] = {}
    for index, row in enumerate(rows):
        info = row.info.task
        known = found.get(row.task)
        if info is None:
            found.setdefault(row.task, TaskInfo())
        elif known is None or known == TaskInfo():
            found[row.task] = _checked(rows, index, info)
        elif not same_work(known, info):
            rows.refuse(index, f"task {row.task_id!r} has other actions or outputs here than in an earlier row; one task is one contract")
    return found


def tools_in(work: dict[str, TaskInfo], called: Sequence[str]) -> tuple[str, tuple[ToolSpec, ...]]:
    """Return the domain and its tools.

    Args:
        work: What the tasks ask for.
        called: Names of the called tools.

    Returns:
        The domain, empty when it is not known, and the tools.
    """
    names = {*called, *(action.name for info in work.values() for action in gold_calls(info))}
    domain = domain_of(names)
    return domain, tools_of(domain, sorted(names))


def task_of(task: str, info: TaskInfo, tools: Sequence[ToolSpec]) -> Task:
    """Return one task with its contract.

    Args:
        task: The task's id.
        info: What it asks for.
        tools: The tools of its domain.

    Returns:
        A capability task; the wording of the instruction is kept as a note, since no agent ever saw it.
    """
    allowed = tuple(tool.name for tool in tools if tool.effect != "write")
    process = Process(required=_required(info), extras=Extras(allow=allowed))
    way = Alternative(process=process if info != TaskInfo() else None, outcome=Outcome(reported={"reward": Raw(b"1")}))
    return Task(
        id=task,
        slices={"must_act": "yes" if must_act(info) else "no"},
        stakes="write",
        caller={USERS: (info.user_id,)} if info.user_id else {},
        contract=Contract(alternatives=(way,)),
        history=_history(info),
    )


def _required(info: TaskInfo) -> tuple[Required, ...]:
    groups: dict[tuple[str, bytes], int] = {}
    for action in gold_calls(info):
        key = (action.name, canonical(action.kwargs))
        groups[key] = groups.get(key, 0) + 1
    uses: dict[str, int] = {}
    return tuple(_requirement(name, arguments, count, uses) for (name, arguments), count in groups.items())


def _requirement(name: str, arguments: bytes, count: int, uses: dict[str, int]) -> Required:
    uses[name] = uses.get(name, 0) + 1
    unique = name if uses[name] == 1 else f"{name}_{uses[name]}"
    return Required(id=unique, call=(name,), with_=Raw(arguments), count=count, optional=effect_of(name) != "write")


def _history(info: TaskInfo) -> tuple[str, ...]:
    notes = [f"instruction of the simulated user: {info.instruction}"] if info.instruction else []
    if info.outputs:
        notes.append(f"texts that the benchmark looks for in the agent's messages: {', '.join(map(repr, info.outputs))}")
    return tuple(notes)


def _checked(rows: Rows, index: int, info: TaskInfo) -> TaskInfo:
    """Refuse solutions whose values our contract language would take for matchers."""
    for action in gold_calls(info):
        if b'{"$' in canonical(action.kwargs):
            rows.refuse(index, f"the gold call {action.name!r} holds an argument whose name begins with '$', which is a matcher here")
    return info
