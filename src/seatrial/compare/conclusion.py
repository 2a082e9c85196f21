"""What a comparison comes to: one sentence, what to do next, and what a reader must be warned of.

The sentence never says that two candidates are equal and never rests on a p value: it gives the difference with its interval, and the
smallest drop that this comparison would have found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from shlex import quote

from seatrial.base.wording import count, listed
from seatrial.compare.movement import is_flip
from seatrial.compare.pairing import Pairing
from seatrial.compare.wording import joined, points_with_interval, printed_parts, verdict_of
from seatrial.records.comparison import Comparison, PairedTask, RunMark
from seatrial.records.decision import DecisionValue
from seatrial.records.estimate import Difference
from seatrial.records.summary import RunSummary, TaskRow
from seatrial.records.task import Kind

_NAMED = 3


def conclusion(found: Comparison) -> str:
    """Return the comparison in one sentence.

    Args:
        found: The comparison; its own sentence is not read.
    """
    names = f"{found.candidate.name} against {found.baseline.name}"
    numbers: dict[Kind, Difference] = {kind.kind: kind.under(found.criterion) for kind in found.kinds}
    shared: dict[Kind, Difference] = {kind: number for kind, number in numbers.items() if number.estimate.value is not None}
    if not shared:
        return f"Nothing can be said of {names}: the runs share no task with the same contract and a known result in both."
    told = [*(_difference(kind, number) for kind, number in shared.items()), *_set_parts(found), *_fallen(found), *_stopped(found)]
    told += _shortcuts(found.shortcuts)
    criterion = "under strict" if found.criterion == "strict" else "by outcome alone"
    return f"{names} {criterion} on the shared tasks, with 95 % intervals: {'; '.join([*told, _detectable(shared)])}."


def leaning(found: Comparison) -> DecisionValue:
    """Return which decision a comparison leans to: `fail` where something got worse, or was gained by a shortcut. It decides nothing.

    Args:
        found: The comparison.
    """
    numbers = [kind.under(found.criterion) for kind in found.kinds]
    confirmed = any(part.alarm == "confirmed" for kind in found.kinds for part in kind.slices)
    if found.shortcuts or confirmed or any(one.estimate.upper is not None and one.estimate.upper < 0 for one in numbers):
        return "fail"
    better = any(one.estimate.lower is not None and one.estimate.lower > 0 for one in numbers)
    return "pass" if better and not any(part.alarm for kind in found.kinds for part in kind.slices) else "inconclusive"


def next_step(found: Comparison) -> str:
    """Return what to do next; `BASELINE` and `CANDIDATE` stand for the run files.

    Args:
        found: The comparison.
    """
    first = next((task for task in (*found.shortcuts, *found.lost) if task.split != "holdout"), None)
    if not any(kind.tasks for kind in found.kinds):
        return "Run both candidates on one version of the suite: seatrial run SUITE --agent A --agent B"
    if all(kind.under(found.criterion).estimate.value is None for kind in found.kinds):
        return "Get the results that are not known; a run that was stopped goes on when its command is given again"
    if first is not None and first.show[1] is not None:
        return f"Read what {first.task} does now: seatrial show CANDIDATE {quote(first.task)} --trial {first.show[1]}"
    return "Let the gate decide: seatrial gate CANDIDATE --baseline BASELINE"


def warnings(before: RunSummary, after: RunSummary, pairing: Pairing, marks: Sequence[RunMark]) -> tuple[str, ...]:
    """Return what else than the agent may be behind a difference, one sentence each.

    Args:
        before: The baseline's run.
        after: The candidate's run.
        pairing: Their tasks.
        marks: How the two are called.
    """
    found = (*_made_otherwise(before, after), *_of_models(before, after), *_of_each(before, after, marks), _unknown(pairing))
    return tuple(filter(None, found))


def _difference(kind: Kind, number: Difference) -> str:
    """Return the difference of one kind in words."""
    verdict = verdict_of(number.estimate)
    tail = f": {verdict}" if verdict else ""
    return f"{kind} {points_with_interval(number.estimate)} on {count(number.tasks, 'task')}{tail}"


def _set_parts(found: Comparison) -> Iterator[str]:
    """Yield for each kind whose set changed how its score moved and whose doing that is."""
    for kind in found.kinds:
        split = next(split for split in kind.decompositions if split.criterion == found.criterion)
        if split.agent is not None and split.parts:
            parts, total = printed_parts(split)
            named = joined([f"{text} from tasks {_done(part.name)}" for text, part in zip(parts[1:], split.parts, strict=True)])
            yield f"the whole {kind.kind} score moved by {total} points, {parts[0]} from the agent and {named}"


def _done(change: str) -> str:
    return {"unscored": "without a known result in one run", "moved": "moved to or from the other kind"}.get(change, change)


def _fallen(found: Comparison) -> Iterator[str]:
    """Yield the tasks that always passed before and fail half of their trials or more now: no interval may hide them."""
    criterion = found.criterion
    fallen = [task.task for task in found.lost if is_flip(task.before.counted(criterion), task.after.counted(criterion))]
    if fallen:
        tail = "always passed fails" if len(fallen) == 1 else "always passed fail"
        yield f"{count(len(fallen), 'task')} that {tail} half or more now ({listed(fallen, _NAMED)})"


def _stopped(found: Comparison) -> Iterator[str]:
    """Yield the required calls that stopped running, most trials first."""
    steps = [step for task in found.listed for step in task.lost_steps]
    tasks = Counter(step.requirement for step in steps)
    before, after = Counter[str](), Counter[str]()
    for step in steps:
        before[step.requirement] += step.before
        after[step.requirement] += step.after
    told = [
        f"{name} never ran in {count(number, 'trial')} of {count(tasks[name], 'task')} ({before[name]:,} before)"
        for name, number in after.most_common()
    ]
    if told:
        yield f"the required call{'s' if len(told) > 1 else ''} {listed(told, _NAMED)}"


def _shortcuts(tasks: Sequence[PairedTask]) -> Iterator[str]:
    """Yield the gains that must not be believed."""
    if tasks:
        names, steps = (
            listed([task.task for task in tasks], _NAMED),
            listed(sorted({task.lost_steps[0].requirement for task in tasks}), _NAMED),
        )
        yield f"the outcome gained on {names} came without the required step {steps}"


def _detectable(numbers: Mapping[Kind, Difference]) -> str:
    """Return the smallest drop that the comparison would have found, kind by kind."""
    known = [f"{100 * one.detectable:.1f} points on {kind}" for kind, one in numbers.items() if one.detectable is not None]
    if not known:
        return "too few tasks are shared to find any drop with 80 % power"
    none = [kind for kind, one in numbers.items() if one.detectable is None]
    rest = f", and on {joined(none)} too few tasks are shared to find any" if none else ""
    return f"the smallest drop found with 80 % power is {joined(known)}{rest}"


def _made_otherwise(before: RunSummary, after: RunSummary) -> Iterator[str]:
    """Yield in what the two runs were made otherwise."""
    if before.suite != after.suite:
        yield f"The runs are of two suites, {before.suite} and {after.suite}."
    elif before.suite_hash != after.suite_hash:
        yield "The runs are of two versions of the suite: only tasks with the same contract are held against each other."
    if before.world and after.world and before.world != after.world:
        yield "The runs had different worlds (code, schema or fixtures): what differs is not only the agent."
    if before.seed != after.seed and before.source == after.source == "run":
        yield f"The runs have different seeds ({before.seed} and {after.seed}): faults and users were drawn anew, which adds chance."
    if before.candidate_hash == after.candidate_hash and before.candidate == after.candidate:
        yield "Both runs are of the same candidate: a difference on shared tasks is chance, or something that the manifest does not hash."
    if (before.source == "run") != (after.source == "run"):
        yield "Only one of the runs was witnessed by this program; the other was imported."


def _of_models(before: RunSummary, after: RunSummary) -> Iterator[str]:
    """Yield that the providers answered with other models than one would think."""
    if before.candidate.model == after.candidate.model and before.models and after.models and before.models != after.models:
        yield f"The same model was asked for and others answered: {joined(before.models)} before, {joined(after.models)} after."


def _of_each(before: RunSummary, after: RunSummary, marks: Sequence[RunMark]) -> Iterator[str]:
    """Yield what is odd about one of the runs."""
    for run, mark in zip((before, after), marks, strict=True):
        if run.partial:
            yield f"The run of {mark.name} is only a part of its suite: {run.partial}."
        if run.candidate.model and run.models and run.models != (run.candidate.model,):
            yield f"{mark.name} asked for {run.candidate.model} and was answered by {joined(run.models)}."
        elif len(run.models) > 1:
            yield f"More than one model answered {mark.name}: {joined(run.models)}."


def _unknown(pairing: Pairing) -> str:
    """Return how many trials of shared tasks have no known result."""

    def lost(rows: Sequence[TaskRow]) -> int:
        return sum(row.unknown for row in rows)

    old, new = lost([pair.before for pair in pairing.shared]), lost([pair.after for pair in pairing.shared])
    told = "they are neither passes nor failures, and the bounds say how far they could move each number"
    return f"Planned trials of shared tasks without a known result: {old:,} before, {new:,} after; {told}." if old or new else ""
