"""The life of a suite: which tasks are solved, broken, telling or dead weight.

A capability set is saturated when no improvement that can still happen could be seen: headroom 1 - L below the smallest detectable
difference, where L is the lower end of the pass rate of the newest version. A task that no candidate passed in 20 trials (true rate below
14 %) is more likely broken than hard. Assumes that trials of one task are independent. Source: `statistics.md` §1.10; Miller 2024,
arXiv:2411.00640 for the power formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

from seatrial.base.seeds import derive
from seatrial.base.wording import count, listed
from seatrial.measure import dirichlet_ends
from seatrial.measure.power import drop_for_spread
from seatrial.measure.task_count import TaskCount
from seatrial.measure.variance_split import paired_split, split
from seatrial.records.estimate import Estimate
from seatrial.records.lifecycle import Headroom, Standing, SuiteStatus, SuiteTask, TaskStanding, Version
from seatrial.records.summary import RunSummary, TaskRow

LAST = 3
"""Versions that must have passed a task before it is called solved."""
ENOUGH = 20
"""Trials without a pass after which a task is more likely broken than hard: its true rate is below 14 %."""
FEW = 10
"""Differing tasks below which the observed spread says too little of what a comparison can find."""
PROBES = frozenset({"null", "echo", "refuser", "greedy_writer", "done_only", "reference", "replayed", "mutant"})
"""Agents that show what a suite tests and are versions of nothing."""
_SHOWN = 6
Counts = Mapping[str, TaskCount]
"""Name of a task → the trials of one version of a candidate, under the task's contract of today."""


def suite_status(suite: str, tasks: Sequence[SuiteTask], runs: Iterable[RunSummary], *, last: int = LAST) -> SuiteStatus:
    """Return what the runs of a suite say of its tasks.

    Args:
        suite: Name of the suite.
        tasks: Its tasks as they are now, in the order of its files.
        runs: Runs of it, in any order; runs of one candidate's hash are one version. Versions are ordered by their newest run.
        last: How many of the last versions must have passed a task before it is called solved, 1 or more.

    Returns:
        The standing of every task, and whether the capability tasks as a whole are saturated.
    """
    known, left_out = _candidates(suite, runs)
    grouped = _versions(known)
    counts = [_counts(tasks, of) for of in grouped]
    return SuiteStatus(
        suite=suite,
        last=last,
        versions=tuple(_version(of) for of in grouped),
        headroom=_headroom([task for task in tasks if task.kind == "capability"], counts, suite),
        tasks=tuple(_task(task, [each.get(task.task) for each in counts], last) for task in tasks),
        left_out=(*left_out, *_strangers(tasks, known)),
    )


def _candidates(suite: str, runs: Iterable[RunSummary]) -> tuple[list[RunSummary], list[str]]:
    """Return the runs of candidates, and why others are none."""
    known, left_out = list[RunSummary](), list[str]()
    for run in runs:
        probe = run.candidate.agent.partition(":")[0]
        if run.suite != suite:
            left_out.append(f"a run of {run.candidate.name} is of the suite {run.suite}")
        elif probe in PROBES:
            left_out.append(f"the run of {run.candidate.name} shows what the suite tests; it is no version of a candidate")
        else:
            known.append(run)
    return known, left_out


def _versions(runs: Iterable[RunSummary]) -> list[list[RunSummary]]:
    """Return the runs of each version, newest version first."""
    found: dict[str, list[RunSummary]] = {}
    for run in sorted(runs, key=lambda run: run.created_at):
        found[run.candidate_hash] = [*found.pop(run.candidate_hash, []), run]
    return list(reversed(found.values()))


def _version(runs: Sequence[RunSummary]) -> Version:
    newest = runs[-1]
    return Version(newest.candidate.name, newest.candidate.version, newest.candidate_hash, len(runs), newest.created_at)


def _counts(tasks: Sequence[SuiteTask], runs: Iterable[RunSummary]) -> dict[str, TaskCount]:
    """Return the trials of one version; what was run under another contract is another task."""
    contracts = {task.task: task.contract for task in tasks}
    found: dict[str, TaskCount] = {}
    for row in (row for run in runs for row in run.tasks if contracts.get(row.task) == row.contract):
        before = found.get(row.task, TaskCount(0, 0, 0))
        found[row.task] = TaskCount(before.passed + row.passed, before.scored + row.scored, before.planned + row.scored + row.unknown)
    return found


def _strangers(tasks: Sequence[SuiteTask], runs: Iterable[RunSummary]) -> list[str]:
    """Return what was run and is no task of the suite as it is now."""
    contracts = {task.task: task.contract for task in tasks}
    rows: dict[str, list[TaskRow]] = {}
    for row in (row for run in runs for row in run.tasks):
        rows.setdefault(row.task, []).append(row)
    apart = [task for task in rows if task not in contracts and rows[task][0].split == "holdout"]
    gone = sorted(rows.keys() - contracts.keys() - set(apart))
    changed = sorted(task for task in rows if task in contracts and any(row.contract != contracts[task] for row in rows[task]))
    told = []
    if apart:
        told.append(f"{count(len(apart), 'holdout task')} of the runs are not in the suite's folder; --holdout PATH adds them")
    if gone:
        told.append(f"the suite has no such task any more: {listed(gone, _SHOWN)}")
    if changed:
        told.append(
            f"trials from before {count(len(changed), 'contract')} changed say nothing of the task of today: {listed(changed, _SHOWN)}"
        )
    return told


def _task(task: SuiteTask, counts: Sequence[TaskCount | None], last: int) -> TaskStanding:
    seen = [each for each in counts if each is not None]
    return TaskStanding(
        task=task.task,
        kind=task.kind,
        split=task.split,
        standing=_standing(task, counts, last),
        passed=sum(each.passed for each in seen),
        scored=sum(each.scored for each in seen),
        unknown=sum(each.unknown for each in seen),
        rates=tuple(_rate(each) for each in counts[:last]),
    )


def _standing(task: SuiteTask, counts: Sequence[TaskCount | None], last: int) -> Standing:
    scored = sum(each.scored for each in counts if each is not None)
    if not scored:
        return "not_run"
    if not any(each.passed for each in counts if each is not None):
        return "never_passed" if scored >= ENOUGH else "not_yet_passed"
    newest = counts[:last]
    if len(newest) == last and all(_always(each) for each in newest):
        return _passed_by_all(task, counts)
    return "discriminating" if len({rate for each in newest if (rate := _rate(each)) is not None}) > 1 else "open"


def _passed_by_all(task: SuiteTask, counts: Sequence[TaskCount | None]) -> Standing:
    """Return what a task is that each of the last versions passed."""
    if task.kind == "regression":
        return "holding"
    told_apart = any(each.passed < each.scored for each in counts if each is not None)
    return "solved" if told_apart or len(counts) < 2 else "dead_weight"


def _rate(counts: TaskCount | None) -> float | None:
    return counts.passed / counts.scored if counts is not None and counts.scored else None


def _always(counts: TaskCount | None) -> bool:
    """Tell whether every trial is known to have passed."""
    return counts is not None and 0 < counts.passed == counts.planned


def _headroom(tasks: Sequence[SuiteTask], versions: Sequence[Counts], suite: str) -> Headroom | None:
    if not tasks:
        return None
    newest = _of_tasks(tasks, versions[0]) if versions else []
    rate = _pass_rate(newest, suite)
    if rate.lower is None:
        return Headroom(rate, None, None, None, "no trial of a capability task is known")
    headroom = 1 - rate.lower
    detectable, note = _detectable(tasks, versions) if len(newest) > 1 else (None, "a single task says nothing of it")
    if detectable is not None and detectable > 1:
        return Headroom(rate, headroom, None, None, f"{count(len(newest), 'task')} are too few to see any gain")
    saturated = None if detectable is None else headroom < detectable
    if saturated is False and len(versions) < 2:
        saturated = None  # what two versions differ by from task to task, which no single one shows, only makes it larger
    return Headroom(rate, headroom, detectable, saturated, note)


def _of_tasks(tasks: Sequence[SuiteTask], counts: Counts) -> list[TaskCount]:
    return [counts[task.task] for task in tasks if task.task in counts and counts[task.task].scored]


def _pass_rate(counts: Sequence[TaskCount], suite: str) -> Estimate:
    """Return pass^1 of some tasks, its interval with Dirichlet ends; unknown trials failed for the lower end, passed for the upper."""
    if not counts:
        return Estimate("pass^1", None, unit="share", note="no scored trial")
    seed = derive(0, "lifecycle", suite)
    low = dirichlet_ends.interval([each.passed / each.planned for each in counts], seed=seed).lower
    high = dirichlet_ends.interval([(each.passed + each.unknown) / each.planned for each in counts], seed=seed).upper
    return Estimate(
        "pass^1",
        sum(each.passed / each.scored for each in counts) / len(counts),
        low,
        high,
        method="Dirichlet ends over tasks",
        tasks=len(counts),
        trials=sum(each.scored for each in counts),
        unknown=sum(each.unknown for each in counts),
        unit="share",
    )


def _detectable(tasks: Sequence[SuiteTask], versions: Sequence[Counts]) -> tuple[float, str]:
    """Return the smallest difference that a comparison of two versions finds, and what it rests on.

    It rests on the spread between the last two versions. Where they differ on few tasks that spread tends to 0, as if anything could be
    found; there it is at least the smallest gain that would be found if it came in whole tasks, as the interval of the rate assumes.
    """
    if len(versions) < 2:
        counts = _of_tasks(tasks, versions[0])
        found = drop_for_spread(spread=sqrt(2 * (split(counts).noise or 0.0)), tasks=len(counts))
        return max(found, _in_whole_tasks(len(counts))), "one version alone: how versions differ from task to task is not in it yet"
    both = [task.task for task in tasks if all(_rate(counts.get(task.task)) is not None for counts in versions[:2])]
    before, after = ([counts[task] for task in both] for counts in (versions[1], versions[0]))
    if len(both) < 2:
        return _in_whole_tasks(len(_of_tasks(tasks, versions[0]))), "the number of tasks alone: the last two versions share fewer than two"
    differing = sum(_rate(old) != _rate(new) for old, new in zip(before, after, strict=True))
    found = drop_for_spread(spread=_spread(before, after), tasks=len(both))
    if differing >= FEW:
        return found, f"the last two versions, which differ on {count(differing, 'task')}"
    return max(found, _in_whole_tasks(len(both))), f"the last two versions differ on {count(differing, 'task')} only"


def _spread(before: Sequence[TaskCount], after: Sequence[TaskCount]) -> float:
    """Return the standard deviation of a task's difference; what single trials bring is estimated apart where it can be."""
    found = paired_split(before, after)
    whole = found.spread if found.between is None or found.noise is None else found.between + found.noise
    return sqrt(whole or 0.0)


def _in_whole_tasks(tasks: int) -> float:
    """Return the smallest gain that is found when it comes in whole tasks: the d with d = reach * sqrt(d (1 - d) / tasks)."""
    reach = drop_for_spread(spread=1.0, tasks=tasks)  # in standard errors, over the root of the tasks
    return reach**2 / (1 + reach**2)
