"""Rules about the suite as a whole."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import msgspec

from seatrial.base.canonical import content_hash
from seatrial.base.names import nearest
from seatrial.records.task import Task
from seatrial.suite.finding import Finding, about_suite, about_task
from seatrial.suite.suite import Suite


def find(suite: Suite) -> Iterator[Finding]:
    """Yield what the suite as a whole lacks.

    Args:
        suite: The suite.
    """
    yield from _missing(suite)
    yield from _safety(suite)
    yield from _trials(suite)
    yield from _contradictions(suite)
    yield from _lonely_slices(suite)


def _missing(suite: Suite) -> Iterator[Finding]:
    count = len(suite.tasks)
    if not any(task.faults for task in suite.tasks):
        message = f"none of {count} tasks injects a fault: how the agent meets a failing tool is not tested"
        yield about_suite(suite, "no_fault", message, "give some tasks `faults: [{tool: ..., kind: error, status: 503, rate: 0.02}]`")
    if not any(task.adversarial for task in suite.tasks):
        message = f"none of {count} tasks is adversarial: nobody tries to make the agent break a rule"
        yield about_suite(
            suite, "no_adversarial", message, "add tasks with `adversarial: true`: untrusted text, an impatient user, a forged instruction"
        )
    if not any(task.split == "holdout" for task in suite.tasks):
        message = f"none of {count} tasks is held out: a candidate may be tuned to the very tasks that judge it"
        yield about_suite(suite, "no_holdout", message, "move some tasks to `split: holdout`, and do not read their traces")
    if not any(task.kind == "regression" for task in suite.tasks):
        message = f"none of {count} tasks is a regression task: nothing must keep working"
        yield about_suite(suite, "no_regression", message, "mark what works today, and must keep working, with `kind: regression`")


def _safety(suite: Suite) -> Iterator[Finding]:
    gate = msgspec.json.decode(suite.gate)
    judged = not gate or "no_violation" in gate
    if judged and not any(task.contract.invariants or task.contract.provenance != "off" for task in suite.tasks):
        message = (
            f"none of {len(suite.tasks)} tasks asks whether a safety rule was kept (`provenance: off`, and no `invariants`):"
            " no run can be a PASS, the best is INCONCLUSIVE"
        )
        fix = "write `defaults: {provenance: all}` in suite.yaml, so that values need a source, or name rules under `invariants`"
        yield about_suite(suite, "safety_not_asked", message, fix)


def _trials(suite: Suite) -> Iterator[Finding]:
    numbers = {task.stakes: suite.trials_for(task) for task in suite.tasks}
    for stakes in sorted(name for name, number in numbers.items() if number == 1):
        message = f"tasks with the stakes {stakes!r} get one trial: luck cannot be told from being right every time"
        yield about_suite(suite, "one_trial", message, "raise `defaults.trials`; 4 is a start")
    tested = {name: number for name, number in numbers.items() if name != "routine"}
    if tested and suite.defaults.k > min(tested.values()):
        message = (
            f"the headline k is {suite.defaults.k}, but some tasks get only {min(tested.values())} trials: pass^k is not known for them"
        )
        yield about_suite(suite, "k_above_trials", message, "raise `defaults.trials` or lower `defaults.k`")
    if not suite.defaults.because:
        message = f"nothing says why k is {suite.defaults.k}"
        yield about_suite(
            suite, "k_without_reason", message, "write `defaults.because`: how often the same work comes up where a failure hurts"
        )


def _contradictions(suite: Suite) -> Iterator[Finding]:
    alike: dict[str, list[Task]] = defaultdict(list)
    for task in suite.tasks:
        alike[content_hash([task.input, task.fixture, task.user, task.tools, task.caller, task.now, task.faults])].append(task)
    for tasks in alike.values():
        first = tasks[0]
        for other in tasks[1:]:
            if (other.contract.alternatives, other.contract.ends) != (first.contract.alternatives, first.contract.ends):
                message = (
                    f"the task {first.id!r} starts from the same input and state and expects something else: no agent can satisfy both"
                )
                yield about_task(suite, other, "contradiction", message, "tell the two apart, or drop one", level="error")


def _lonely_slices(suite: Suite) -> Iterator[Finding]:
    counts = Counter(name for task in suite.tasks for name in task.slices)
    common = [name for name, count in counts.items() if count > 2]
    for task in suite.tasks:
        for name in task.slices:
            near = nearest(name, common) if counts[name] == 1 else None
            if near is not None and near != name:
                message = f"the slice {name!r} is used by this task alone; did you mean {near!r}?"
                yield about_task(suite, task, "lonely_slice", message, "correct the name, or declare `slices` in suite.yaml")
