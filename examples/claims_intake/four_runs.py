"""Four runs of one claim, under every preset and under the claim's own contract; prints the table of docs/matching.md.

Run it from the root of the repository: `python examples/claims_intake/four_runs.py`. With `--further` it prints three
runs more, which a list of calls cannot judge.
"""

import asyncio
import json
import sys
from pathlib import Path

from msgspec import structs

from seatrial.agents import ToolFace
from seatrial.agents.python import PythonAgent
from seatrial.app.loading import LoadedSuite, load
from seatrial.app.reference import job_of
from seatrial.grade import compile_task, grade
from seatrial.records.contract import Contract
from seatrial.records.task import Task
from seatrial.records.trace import Trace
from seatrial.run import run_trial
from seatrial.suite import load_contract

TASK = "water-017"
RUNS = {
    "A": ("the reference", ["policy_lookup", "coverage_rules", "fraud_flags", "route"]),
    "B": ("fraud flags before coverage", ["policy_lookup", "fraud_flags", "coverage_rules", "route"]),
    "C": ("coverage skipped", ["policy_lookup", "fraud_flags", "route"]),
    "D": ("a wasteful repeat", ["policy_lookup", "coverage_rules", "coverage_rules", "fraud_flags", "route"]),
}
"""Run → what is told of it, and the tools in the order in which it calls them, with the arguments of the reference."""
FURTHER = {
    "E": ("routed first, checked afterwards", ["policy_lookup", "route", "coverage_rules", "fraud_flags"]),
    "F": ("routed twice", ["policy_lookup", "coverage_rules", "fraud_flags", "route", "route"]),
    "G": ("both checks and the routing in one message", ["policy_lookup", ("coverage_rules", "fraud_flags", "route")]),
}
"""Likewise; the tools of an inner tuple are called in one message."""
PRESETS = ("exact", "in_order", "any_order", "strict", "unordered", "superset", "subset")


def main(runs: dict) -> None:
    """Print the table of some runs as Markdown."""
    loaded = load(Path(__file__).parent)
    task = next(task for task in loaded.suite.tasks if task.id == TASK)
    task = structs.replace(task, faults=())
    traces = {run: sail(loaded, task, tools) for run, (_, tools) in runs.items()}
    print(f"| contract | {' | '.join(f'{run}: {told}' for run, (told, _) in runs.items())} |")
    print(f"|---|{'---|' * len(runs)}")
    for name, contract in contracts(loaded, task).items():
        compiled = compile_task(structs.replace(task, contract=contract), loaded.tools, documents=loaded.suite.documents)
        print(f"| {name} | {' | '.join(str(grade(compiled, trace).strict) for trace in traces.values())} |")


def contracts(loaded: LoadedSuite, task: Task) -> dict[str, Contract]:
    """Return the presets of the reference path, and the task's own contract."""
    calls = [{"call": call["call"], "with": given(call)} for call in reference(task)]
    definition = loaded.definition.suite_definition()
    presets = {f"`{name}`": load_contract({"preset": name, "calls": calls}, definition=definition) for name in PRESETS}
    return {**presets, "the task's own": task.contract}


def given(call: dict) -> dict:
    """Return the arguments that a matcher is to compare: the reason of a routing is free text."""
    return {name: {"$any": True} if name == "reason" else value for name, value in call["with"].items()}


def reference(task: Task) -> list[dict]:
    """Return the calls of the task's reference path."""
    return [json.loads(bytes(call)) for call in task.contract.alternatives[0].reference]


def sail(loaded: LoadedSuite, task: Task, messages: list) -> Trace:
    """Play the calls of the reference in another order and return the trace."""
    calls = {call["call"]: call["with"] for call in reference(task)}

    def agent(_task: object, tools: ToolFace, _user: object) -> None:
        for message in messages:
            names = (message,) if isinstance(message, str) else message
            tools.together([(name, calls[name]) for name in names])

    return asyncio.run(run_trial(job_of(loaded, task, PythonAgent(agent, name="scripted"))))


if __name__ == "__main__":
    main(FURTHER if "--further" in sys.argv else RUNS)
