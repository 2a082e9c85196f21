"""A bar on pass^k or pass@k: the lower limit must reach it, on the holdout by itself where there is one.

Pass when the one-sided 95 % lower limit reaches the bar, fail when the upper one lies below it, else inconclusive, with what it would
take. A candidate exactly at the bar passes in at most 5 % of runs. Source: Berger 1982; the limits are those of `gate._limits`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from seatrial.base.seeds import derive
from seatrial.base.wording import count
from seatrial.gate._choosing import Draws, Share, asked, chosen
from seatrial.gate._limits import ONE_SIDED, limited
from seatrial.gate._naming import share, size, slice_words
from seatrial.gate._needs import Gap, need
from seatrial.gate.evidence import Evidence
from seatrial.measure import dirichlet_ends, pass_at_k, pass_k
from seatrial.measure.bar import against_bar
from seatrial.measure.task_count import Statistic, TaskCount
from seatrial.measure.variance_split import split
from seatrial.records.decision import DecisionValue, Need, RuleResult
from seatrial.records.estimate import Estimate
from seatrial.records.grade import Criterion
from seatrial.records.task import Kind, Stakes

NAME = "reliability"
STATISTICS = {"pass^k": pass_k.STATISTIC, "pass@k": pass_at_k.STATISTIC}


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """What must reach which bar."""

    at_least: Share
    """The bar, a share."""
    metric: Literal["pass^k", "pass@k"] = "pass^k"
    """Chance that k fresh trials all pass, or that one of them does."""
    k: Draws = 1
    """Fresh trials."""
    criterion: Criterion = "strict"
    """What counts as a pass: all four questions, or outcome alone."""
    kind: Kind = "capability"
    """The two kinds are never pooled."""
    stakes: Stakes | None = None
    """Only tasks of these stakes; `None`: any. They have equal numbers of trials, which pass^k needs."""
    slice: dict[str, str] = {}
    """Only tasks with these values of slices; empty: all."""


def evaluate(evidence: Evidence, arguments: Arguments) -> RuleResult:
    """Hold a number against its bar.

    Args:
        evidence: The judged tasks are looked at.
        arguments: The number and its bar.

    Returns:
        Pass, fail or inconclusive by the one-sided limits; inconclusive when no such task was asked.
    """
    rows = chosen(evidence.judged, arguments.kind, slices=arguments.slice, stakes=arguments.stakes)
    counts, statistic = asked(rows, arguments.criterion), STATISTICS[arguments.metric]
    if not counts:
        reason = f"no {_tasks(arguments)} is asked for {arguments.criterion}, so that nothing is held against {share(arguments.at_least)}"
        return RuleResult(NAME, "inconclusive", reason, subject=evidence.subject, limit=arguments.at_least)
    seed = derive(evidence.summary.seed, "gate", NAME, arguments.kind, arguments.criterion, arguments.k)
    found = limited(counts, statistic, arguments.k, seed=seed)
    value = against_bar(found.lower, found.upper, arguments.at_least)
    wanted = _need(counts, arguments, found, statistic, seed) if value == "inconclusive" else None
    reason = _reason(value, found, counts, arguments)
    missed = tuple(row.task for row in rows if row.passed < row.scored) if value == "fail" else ()
    return RuleResult(NAME, value, reason, missed, evidence.subject, found, arguments.at_least, wanted)


def _tasks(arguments: Arguments) -> str:
    """Return which tasks are looked at, in words."""
    stakes = f" with {arguments.stakes} stakes" if arguments.stakes else ""
    return f"{arguments.kind} task{stakes}{slice_words(arguments.slice)}"


def _reason(value: DecisionValue, found: Estimate, counts: Sequence[TaskCount], arguments: Arguments) -> str:
    """Return the number, its limit, what it rests on, and the bar, in words."""
    name = f"{arguments.kind}{slice_words(arguments.slice)} {arguments.criterion} {found.name}"
    few = sum(task.planned < arguments.k for task in counts)
    if few:
        short = f"{few:,} of {count(len(counts), 'task')} have fewer than {count(arguments.k, 'trial')}"
        return f"{name} is not known: {short}; the bar is {share(arguments.at_least)}"
    kind = "new tasks of this kind" if found.estimand == "new tasks" else "this one task"
    against = {"pass": "≥", "fail": "<", "inconclusive": "against the"}[value]
    lost = f", {count(found.unknown, 'unknown trial')} counted both ways" if found.unknown else ""
    return f"{name} {_value(found)} ({_limits(value, found)}, {size(counts)}, {kind}{lost}) {against} bar {share(arguments.at_least)}"


def _value(found: Estimate) -> str:
    """Return the number, or between which bounds it lies where unknown trials leave it open."""
    return share(found.value) if found.value is not None else f"between {share(found.bound_low)} and {share(found.bound_high)}"


def _limits(value: DecisionValue, found: Estimate) -> str:
    """Return the limit that decided, or both, in words."""
    if value == "pass":
        return f"95 %: at least {share(found.lower)}"
    high = f"95 %: at most {share(found.upper)}"
    return high if value == "fail" else f"95 %: at least {share(found.lower)}, {high}"


def _need(counts: Sequence[TaskCount], arguments: Arguments, found: Estimate, statistic: Statistic, seed: int) -> Need:
    """Return what it would take to decide."""
    short = [task for task in counts if task.planned < arguments.k]
    if short:
        stakes = "" if arguments.stakes else ", or ask it of one level of `stakes`"
        few = f"{found.name} needs {count(arguments.k, 'trial')} of a task, and {len(short)} of {count(len(counts), 'task')} have fewer"
        return Need(f"{few}: run {count(arguments.k, 'trial')} of each{stakes}", trials=arguments.k)
    if found.value is None:
        return Need("Run again with the same file to get the missing trials")
    values = [one for task in counts if (one := statistic.of_task(task.passed, task.scored, arguments.k)) is not None]
    parts = split(counts) if arguments.k == 1 else None
    gap = Gap(
        values,
        arguments.at_least,
        parts.between if parts else None,
        (parts.within or 0.0) if parts else 0.0,
        max(task.planned for task in counts),
        lambda values: _decided(values, arguments.at_least, seed),
    )
    return need(gap)


def _decided(values: Sequence[float], bar: float, seed: int) -> bool:
    """Tell whether the limits of such values would decide."""
    ends = dirichlet_ends.interval(values, confidence=ONE_SIDED, seed=seed)
    return against_bar(ends.lower, ends.upper, bar) != "inconclusive"
