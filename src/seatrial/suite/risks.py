"""`risks.yaml`: the risk list, checked against the rules and the tasks of the suite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from seatrial.records.contract import InvariantSpec
from seatrial.records.risk import CATEGORIES, PROVENANCE_RULE, SEVERITIES, Risk
from seatrial.records.task import Task
from seatrial.suite.definition import SuiteDefinition
from seatrial.suite.part import Part, listed
from seatrial.suite.scope import plug_ins

RISK_KEYS = {
    "id": "Id of the risk.",
    "sentence": "What may go wrong, in one sentence.",
    "owner": "Who answers for it.",
    "severity": "low, medium, high or critical.",
    "category": "One of the twelve risks of NIST AI 600-1, spelled as there.",
    "invariants": "The invariants that answer it: names of rules, or ids; values_have_provenance too.",
    "tasks": "Ids of the tasks that try it, globs allowed.",
    "faulty_agents": "Agents that the invariants must catch on its adversarial tasks, each as --agent takes it.",
}
"""Keys of a risk and what they mean."""


def read_risks(part: Part, definition: SuiteDefinition, tasks: Mapping[str, Task]) -> tuple[Risk, ...]:
    """Read `risks.yaml`: a list of risks.

    Args:
        part: The list.
        definition: What the world offers.
        tasks: The tasks of the suite by id, with their invariants.

    Raises:
        SuiteError: A risk is wrong, or names a task, an invariant or a category that is not there.
    """
    specs = {(spec.id or spec.rule, spec.rule) for task in tasks.values() for spec in task.contract.invariants}
    known = definition.invariants | plug_ins("invariant") | {name for name, _ in specs} | {PROVENANCE_RULE}
    risks = tuple(_risk(item, known, tasks) for item in part.items())
    for position, risk in enumerate(risks):
        if risk.id in [each.id for each in risks[:position]]:
            part[position].fail(f"two risks have the id {risk.id!r}")
    return risks


def _risk(part: Part, known: Iterable[str], tasks: Mapping[str, Task]) -> Risk:
    part.mapping(RISK_KEYS)
    part.need({key: RISK_KEYS[key] for key in ("id", "sentence")}, "a risk")
    named = part.read("invariants", lambda each: tuple(item.choice(known, "invariant") for item in each.items()), ())
    return Risk(
        id=part["id"].text(),
        sentence=part["sentence"].text(),
        owner=part.read("owner", Part.text, ""),
        severity=part.chosen("severity", SEVERITIES, "severity", SEVERITIES[1]),
        category=part.chosen("category", CATEGORIES, "category of NIST AI 600-1", ""),
        invariants=named,
        tasks=part.read("tasks", lambda each: tuple(dict.fromkeys(name for item in each.items() for name in _matching(item, tasks))), ()),
        faulty_agents=part.read("faulty_agents", Part.texts, ()),
        reported_as=tuple(sorted(set(_reported_as(named, tasks)))),
    )


def _reported_as(named: Iterable[str], tasks: Mapping[str, Task]) -> Iterator[str]:
    """Yield the names under which violations of some invariants stand in a grade: the id, where there is one."""
    specs = {(spec.id or spec.rule, spec.rule) for spec in _specs(tasks)}
    for name in named:
        found = [shown for shown, rule in specs if name in (shown, rule)]
        yield from found or [name]


def _specs(tasks: Mapping[str, Task]) -> Iterator[InvariantSpec]:
    for task in tasks.values():
        yield from task.contract.invariants


def _matching(part: Part, tasks: Iterable[str]) -> list[str]:
    glob = part.text()
    found = [name for name in tasks if name == glob or fnmatchcase(name, glob)]
    return found or part.fail(f"there is no task {glob!r}; known: {listed(tasks)}.", close_to=glob, among=tasks)
