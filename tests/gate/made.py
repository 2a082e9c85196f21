"""Evidence for the tests of the gate, made from a few letters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Raw, structs

from seatrial.base.catalogue import load
from seatrial.compare import compare
from seatrial.gate import Evidence, RuleUse, read_arguments
from seatrial.measure.summarise import summarise_splits
from seatrial.records.decision import RuleResult
from seatrial.records.summary import RunSummary
from seatrial.records.task import Split, Task
from tests.measure.builders import graded, manifest

LETTERS = {"p": "pppp", "f": "fppp", "w": "pfpp", "v": "ppfp", "u": "uppp", "d": "ppup"}
"""Letter → a trial: passed, wrong outcome, wrong path, violation, outcome unknown, safety in doubt."""
Make = Callable[[str], Task]
"""Name of a task → the task."""


def capability(name: str) -> Task:
    """A capability task; one whose name begins with `h` is in the holdout."""
    return Task(name, kind="capability", split="holdout" if name.startswith("h") else "dev", stakes="write")


def summaries(results: Mapping[str, str], make: Make = capability, **more: Any) -> tuple[RunSummary, dict[Split, RunSummary]]:
    """Return the summary of a run and of its splits: each task's letters are its trials, `-` one that did not run."""
    tasks = {name: make(name) for name in results}
    costs = more.pop("costs", {})
    trials = [
        graded(name, index, LETTERS[letter], **{"usd": 0.01, **costs.get(name, {})})
        for name, letters in results.items()
        for index, letter in enumerate(letters)
        if letter != "-"
    ]
    planned = manifest(tasks, 1, **more)
    plan = tuple(structs.replace(one, trials=len(results[one.task])) for one in planned.plan)
    return summarise_splits(structs.replace(planned, plan=plan), tasks.values(), trials)


def evidence(results: Mapping[str, str], before: Mapping[str, str] | None = None, make: Make = capability, **more: Any) -> Evidence:
    """Return the evidence of a run, and of a baseline where there is one.

    Args:
        results: Each task's trials.
        before: The baseline's; `None`: there is none.
        make: Makes the tasks.
        more: Further fields of the evidence, or of the manifest where it has them.
    """
    known = {name: more.pop(name) for name in Evidence.__struct_fields__ if name in more}
    whole, splits = summaries(results, make, **more)
    held, rest = (splits.get("holdout"), splits.get("dev")) if "holdout" in splits else (None, None)
    if before is not None:
        old, parts = summaries(before, make, candidate="before")
        known |= {
            "baseline": old,
            "holdout_baseline": parts.get("holdout"),
            "dev_baseline": parts.get("dev"),
            "comparison": compare(old, whole, seed=1),
            "baseline_hash": "base",
        }
    return Evidence(whole, holdout=held, dev=rest, **known)


def says(rule: str, evidence: Evidence, **arguments: object) -> RuleResult:
    """Return what a rule says."""
    use = RuleUse(rule, Raw(msgspec.json.encode(arguments)))
    return load("gate_rule", rule).evaluate(evidence, read_arguments(use))


def many(number: int, letters: str, prefix: str = "t") -> dict[str, str]:
    """Return so many tasks with the same trials."""
    return {f"{prefix}{index:03}": letters for index in range(number)}
