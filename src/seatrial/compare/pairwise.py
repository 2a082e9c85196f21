"""Several candidates, each against the same baseline: many tests, so that p is corrected for their number.

Assumption: none on how the tests hang together (Holm). Source: Holm 1979, Scandinavian Journal of Statistics 6. The best of many candidates
looks better than it is (winner's curse): measure it again on tasks that did not choose it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from seatrial.measure.holm import holm
from seatrial.records.comparison import Comparison, LostStep, Pairwise, PairwiseLine, StoppedCall
from seatrial.records.estimate import Difference
from seatrial.records.task import KINDS, Kind

LEVEL = 0.05
"""Corrected p below which a difference is called one."""


def pairwise(comparisons: Sequence[Comparison], names: Sequence[str]) -> Pairwise:
    """Return every candidate's difference from the baseline, with p corrected for the number of candidates, kind by kind.

    Args:
        comparisons: Each candidate against the same baseline; at least one.
        names: Distinct names of the baseline and of each candidate.
    """
    named = tuple(zip(names[1:], comparisons, strict=True))
    lines = tuple(line for kind in KINDS for line in _of_kind(kind, named))
    stopped = tuple(call for name, one in named for call in _stopped(name, one))
    about, step = _next(named, lines, stopped)
    return Pairwise(names[0], comparisons[0].criterion, lines, stopped, step, (about.baseline.run, about.candidate.run))


def _stopped(name: str, found: Comparison) -> list[StoppedCall]:
    """Return the required calls that one candidate left out more often than the baseline, most trials first."""
    groups: dict[tuple[str, str], list[LostStep]] = {}
    for task in found.listed:
        for step in task.lost_steps:
            groups.setdefault((step.requirement, step.call), []).append(step)
    calls = [
        StoppedCall(name, *key, len(steps), sum(step.before for step in steps), sum(step.after for step in steps))
        for key, steps in groups.items()
    ]
    return sorted(calls, key=lambda call: (call.before - call.after, call.requirement, call.call))


def _next(named: Sequence[tuple[str, Comparison]], lines: Sequence[PairwiseLine], stopped: Sequence[StoppedCall]) -> tuple[Comparison, str]:
    """Return what to do next, and about which candidate: read what one lost, or let the gate decide on the best."""
    found = dict(named)
    worst = max(stopped, key=lambda call: call.after - call.before, default=None)
    name = worst.name if worst else next((line.name for line in lines if line.verdict == "worse"), "")
    if name:
        return found[name], f"Read what {name} lost: seatrial compare BASELINE CANDIDATE"
    best = max(lines, key=lambda line: line.difference.estimate.value or 0.0, default=None)
    name = best.name if best else named[0][0]
    return found[name], f"Let the gate decide on {name}: seatrial gate CANDIDATE --baseline BASELINE"


def _of_kind(kind: Kind, named: Sequence[tuple[str, Comparison]]) -> list[PairwiseLine]:
    """Return the lines of one kind."""
    found = [(name, part.under(one.criterion)) for name, one in named for part in one.kinds if part.kind == kind]
    tested = {index: one.p_value for index, (_, one) in enumerate(found) if one.p_value is not None}
    corrected = dict(zip(tested, holm(list(tested.values())), strict=True))
    numbers = ((name, one, corrected.get(index)) for index, (name, one) in enumerate(found))
    return [PairwiseLine(name, kind, one, p_holm, _verdict(one, p_holm)) for name, one, p_holm in numbers]


def _verdict(found: Difference, p_holm: float | None) -> Literal["better", "worse", "no difference detected", "not known"]:
    """Return what a corrected p says of a difference."""
    value = found.estimate.value
    if value is None or p_holm is None:
        return "not known"
    return "no difference detected" if p_holm >= LEVEL or not value else "better" if value > 0 else "worse"
