"""A ceiling on what a trial costs: the mean or the p95 of money, tokens, calls or seconds, on the holdout by itself where there is one.

Pass when the upper limit lies under the ceiling, fail when the lower one lies above it, else inconclusive. Of the mean each limit stands
alone at 95 %; of the p95 they are the ends of its 95 % interval. A failed trial's cost counts, and an unknown cost is not 0: while one is
missing nothing passes. Source: the intervals are those of `measure.cost`; Berger 1982.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Annotated, Literal

from msgspec import Meta, Struct, structs

from seatrial.base.seeds import derive
from seatrial.base.wording import count
from seatrial.gate._limits import ONE_SIDED
from seatrial.gate._naming import amount
from seatrial.gate._needs import Gap, need
from seatrial.gate.evidence import Evidence
from seatrial.measure import cost
from seatrial.measure.bar import under_ceiling
from seatrial.records.decision import DecisionValue, Need, RuleResult
from seatrial.records.estimate import Estimate
from seatrial.records.graded import CostUnit
from seatrial.records.kind_summary import KindSummary
from seatrial.records.summary import RunSummary
from seatrial.records.task import Kind

NAME = "budget"
_WORST = ("fail", "inconclusive", "pass")


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """What must stay under which ceiling."""

    unit: CostUnit
    """US dollars, tokens, tool calls, or virtual seconds of a trial."""
    at_most: Annotated[float, Meta(ge=0)]
    """The ceiling, in the unit."""
    statistic: Literal["mean", "p95"] = "mean"
    """The mean over tasks, or the 95th percentile of trials."""
    kind: Kind | None = None
    """Only tasks of this kind; `None`: each kind by itself, and all must hold."""


def evaluate(evidence: Evidence, arguments: Arguments) -> RuleResult:
    """Hold a cost against its ceiling.

    Args:
        evidence: The judged tasks are looked at.
        arguments: The cost and its ceiling.

    Returns:
        The worst of the kinds that are looked at; inconclusive when none is there, or a cost is not known.
    """
    kinds = [kind for kind in evidence.judged.kinds if arguments.kind in (None, kind.kind)]
    if not kinds:
        reason = f"the run has no {arguments.kind or ''} task whose cost could be looked at".replace("  ", " ")
        return RuleResult(NAME, "inconclusive", reason, subject=evidence.subject, limit=arguments.at_most)
    results = [_of_kind(evidence, kind, arguments) for kind in kinds]
    worst = min(results, key=lambda result: _WORST.index(result.value))
    return structs.replace(worst, reason="; ".join(result.reason for result in results if result.value == worst.value))


def _of_kind(evidence: Evidence, kind: KindSummary, arguments: Arguments) -> RuleResult:
    """Hold the cost of one kind against the ceiling."""
    seed = derive(evidence.summary.seed, "gate", NAME, kind.kind, arguments.unit)
    found: Estimate = getattr(kind.cost, f"{arguments.unit}_{arguments.statistic}")
    means = _means(evidence.judged, kind.kind, arguments.unit)
    if arguments.statistic == "mean":
        found = _limited(found, means, seed)
    value = under_ceiling(found.lower, found.upper, arguments.at_most)
    if found.unknown:
        value = "inconclusive"
    wanted = _need(found, means, arguments, seed) if value == "inconclusive" else None
    reason = _reason(value, found, kind.kind, arguments)
    return RuleResult(NAME, value, reason, subject=evidence.subject, estimate=found, limit=arguments.at_most, need=wanted)


def _means(summary: RunSummary, kind: Kind, unit: CostUnit) -> list[float]:
    """Return the mean cost of each task that knows one."""
    found = [row.costs.of(unit) for row in summary.tasks if row.kind == kind]
    return [mean for mean in found if mean is not None]


def _limited(found: Estimate, means: Sequence[float], seed: int) -> Estimate:
    """Return a mean cost with its one-sided limits in place of its interval."""
    ends = cost.mean_interval(means, confidence=ONE_SIDED, seed=seed)
    if found.value is None or ends is None:
        return structs.replace(found, lower=None, upper=None)
    return structs.replace(found, lower=ends.lower, upper=ends.upper, method=f"each limit alone at 95 %: {found.method}")


def _reason(value: DecisionValue, found: Estimate, kind: Kind, arguments: Arguments) -> str:
    """Return the cost, its limits and the ceiling, in words."""
    name = f"{kind} {arguments.unit} a trial, {arguments.statistic}"
    ceiling = f"ceiling {amount(arguments.at_most, arguments.unit)}"
    if found.value is None:
        return f"{name}: not known, against the {ceiling}"
    ends = [f"95 %: at least {amount(found.lower, arguments.unit)}"] if found.lower is not None and value != "pass" else []
    if value != "fail":
        high = "no finite upper limit" if found.upper is None else f"at most {amount(found.upper, arguments.unit)}"
        ends += [f"95 %: {high}"]
    lost = f", not known of {count(found.unknown, 'trial')}" if found.unknown else ""
    against = {"pass": "≤", "fail": ">", "inconclusive": "against the"}[value]
    size = f"{count(found.tasks, 'task')}, {count(found.trials, 'trial')}"
    return f"{name} {amount(found.value, arguments.unit)} ({'; '.join(ends)}, {size}{lost}) {against} {ceiling}"


def _more_trials(found: Estimate) -> Need:
    """Return how many trials the upper limit of a p95 needs before it is finite."""
    if found.upper is not None or found.tasks < cost.FEWEST_TASKS:
        return Need("Run more tasks, or more trials of each")
    wanted = cost.trials_for_finite_limit(found.tasks)
    trials = max(ceil(wanted / found.tasks), ceil(found.trials / found.tasks) + 1)
    words = (
        f"Its upper limit is not finite under {wanted} trials: run {count(trials, 'trial')} of each of these {count(found.tasks, 'task')}"
    )
    return Need(words, trials=trials)


def _need(found: Estimate, means: Sequence[float], arguments: Arguments, seed: int) -> Need:
    """Return what it would take to decide."""
    if found.value is None or found.unknown:
        return Need(f"Record the {arguments.unit} of every trial: an unknown cost is not 0")
    if arguments.statistic == "p95":
        return _more_trials(found)
    if found.upper is None:
        return Need(f"Run more tasks: a limit needs at least {cost.FEWEST_TASKS}")

    def decided(values: Sequence[float]) -> bool:
        ends = cost.mean_interval(values, confidence=ONE_SIDED, seed=seed)
        return ends is not None and under_ceiling(ends.lower, ends.upper, arguments.at_most) != "inconclusive"

    return need(Gap(means, arguments.at_most, None, 0.0, max(1, round(found.trials / found.tasks)), decided, (0.0, cost.MOST)))
