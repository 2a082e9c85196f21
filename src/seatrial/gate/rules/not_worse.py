"""Non-inferiority: the candidate is worse than the baseline by less than a margin, on the same tasks, paired.

Pass when the one-sided 95 % lower limit of candidate minus baseline lies above minus the margin – a confirmed drop inside of it is listed –
fail when the upper limit lies below 0, else inconclusive, with what it would take. Source: Wellek 2010, ch. 2; Berger 1982.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct, structs

from seatrial.base.seeds import derive
from seatrial.base.wording import count
from seatrial.compare.differences import count_of, pass_difference, pass_values
from seatrial.compare.pairing import Pair, paired
from seatrial.compare.wording import points
from seatrial.gate._choosing import Draws, is_in
from seatrial.gate._limits import difference_limits
from seatrial.gate._naming import AFTER_A_CHANGE, HOW_TO_NAME_ONE, size, slice_words
from seatrial.gate._needs import Gap, need
from seatrial.gate.evidence import Evidence
from seatrial.measure import paired_difference
from seatrial.measure.non_inferiority import CONFIRMED_DROP, SMALL_DROP, WORSE, NotWorse
from seatrial.measure.non_inferiority import not_worse as against_margin
from seatrial.measure.task_count import TaskCount
from seatrial.measure.variance_split import paired_split
from seatrial.records.decision import Need, RuleResult
from seatrial.records.estimate import Difference
from seatrial.records.grade import Criterion
from seatrial.records.task import Kind

NAME = "not_worse"
_MEANS = {
    SMALL_DROP: "a confirmed drop, inside of the margin",
    CONFIRMED_DROP: "a confirmed drop",
    WORSE: "worse than the margin",
}
_UNKNOWN = "without a known result on both sides"


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """The margin, and what is compared."""

    margin: Annotated[float, Meta(gt=0, le=1)]
    """The drop that is tolerated, a share; fixed before the run."""
    k: Draws = 1
    """Fresh trials of a task that must all pass."""
    criterion: Criterion = "strict"
    """What counts as a pass: all four questions, or outcome alone."""
    kind: Kind = "capability"
    """The two kinds are never pooled."""
    slice: dict[str, str] = {}
    """Only tasks with these values of slices; empty: all."""


def evaluate(evidence: Evidence, arguments: Arguments) -> RuleResult:
    """Hold a candidate against its baseline.

    Args:
        evidence: The judged tasks of both runs are looked at.
        arguments: The margin, and what is compared.

    Returns:
        Pass, fail or inconclusive by the one-sided limits of the difference; inconclusive without a baseline or a shared task.
    """
    pairs = _pairs(evidence, arguments)
    if not pairs:
        return RuleResult(NAME, "inconclusive", _nothing(evidence, arguments), subject=evidence.subject, limit=-arguments.margin)
    seed = derive(evidence.summary.seed, "gate", NAME, arguments.kind, arguments.criterion, arguments.k)
    found = pass_difference(pairs, arguments.criterion, k=arguments.k, seed=seed)
    lower, upper = difference_limits(found, pairs, arguments.criterion, arguments.k, seed=seed)
    said = against_margin(lower, upper, arguments.margin)
    dropped = tuple(pair.after.task for pair in pairs if _dropped(pair, arguments.criterion)) if said.words in _MEANS else ()
    wanted = _need(pairs, arguments, found, seed) if said.value == "inconclusive" else None
    estimate = structs.replace(found.estimate, lower=lower, upper=upper, method=f"each limit alone at 95 %: {found.estimate.method}")
    reason = _reason(said, found, (lower, upper), pairs, arguments)
    return RuleResult(NAME, said.value, reason, dropped, evidence.subject, estimate, -arguments.margin, wanted)


def _pairs(evidence: Evidence, arguments: Arguments) -> list[Pair]:
    """Return the shared tasks that are compared: those that both runs ask the criterion's question."""
    if evidence.judged_baseline is None:
        return []
    shared = paired(evidence.judged_baseline, evidence.judged).shared_of(arguments.kind)
    return [
        pair for pair in shared if is_in(pair.after, arguments.slice) and all(side.planned for side in _counts(pair, arguments.criterion))
    ]


def _counts(pair: Pair, criterion: Criterion) -> tuple[TaskCount, TaskCount]:
    """Return the counts of both sides of a shared task."""
    return count_of(pair.before, criterion), count_of(pair.after, criterion)


def _dropped(pair: Pair, criterion: Criterion) -> bool:
    """Tell whether a task passes less often than before."""
    old, new = _counts(pair, criterion)
    return new.passed * old.scored < old.passed * new.scored


def _nothing(evidence: Evidence, arguments: Arguments) -> str:
    """Return why there is nothing to compare, in words."""
    if evidence.baseline is None:
        return f"there is no baseline to hold the candidate against; {HOW_TO_NAME_ONE}"
    where = " of the holdout" if evidence.holdout is not None else ""
    tasks = f"{arguments.kind} task{slice_words(arguments.slice)}{where}"
    return f"candidate and baseline share no {tasks} with the same contract; {AFTER_A_CHANGE}"


def _reason(
    said: NotWorse, found: Difference, limits: tuple[float | None, float | None], pairs: Sequence[Pair], arguments: Arguments
) -> str:
    """Return the difference, its limits and the margin, in words."""
    value, (lower, upper) = found.estimate.value, limits
    name = f"{arguments.kind}{slice_words(arguments.slice)} {arguments.criterion} {found.estimate.name}, candidate − baseline"
    shown = "not known" if value is None else f"{points(value)} points"
    ends = "no limits" if lower is None or upper is None else f"95 %: at least {points(lower)}, 95 %: at most {points(upper)}"
    parts = [ends, size([_counts(pair, arguments.criterion)[1] for pair in pairs])]
    parts += [f"{count(found.estimate.unknown, 'unknown trial')} counted both ways"] if found.estimate.unknown else []
    if found.tasks < len(pairs):
        short = f"with fewer than {arguments.k} known trials in one run, counted both ways" if arguments.k > 1 else _UNKNOWN
        parts.append(f"{count(len(pairs) - found.tasks, 'task')} {short}")
    means = f": {_MEANS[said.words]}" if said.words in _MEANS else ""
    return f"{name} {shown} ({', '.join(parts)}); margin {100 * arguments.margin:g}{means}"


def _need(pairs: Sequence[Pair], arguments: Arguments, found: Difference, seed: int) -> Need:
    """Return what it would take to decide."""
    counts = [_counts(pair, arguments.criterion) for pair in pairs]
    if any(min(old.planned, new.planned) < arguments.k for old, new in counts):
        return Need(f"pass^{arguments.k} needs {count(arguments.k, 'trial')} of each task in both runs", trials=arguments.k)
    if found.estimate.value is None:
        return Need("Run again with the same file to get the missing trials")
    known = pass_values(pairs, arguments.criterion, arguments.k)
    values = [new - old for old, new in known if old is not None and new is not None]
    parts = paired_split([old for old, _ in counts], [new for _, new in counts]) if arguments.k == 1 else None
    mean = found.estimate.value
    gap = Gap(
        values,
        # Above minus the margin it is on the way to a pass, else on the way to a confirmed drop.
        -arguments.margin if mean > -arguments.margin else 0.0,
        parts.between if parts else None,
        (parts.within_before or 0.0) + (parts.within_after or 0.0) if parts else 0.0,
        max(new.planned for _, new in counts),
        lambda values: _decided(values, arguments.margin, seed),
        (-1.0, 1.0),
        " in both runs",
    )
    return need(gap)


def _decided(values: Sequence[float], margin: float, seed: int) -> bool:
    """Tell whether the limits of such differences would decide."""
    known = paired_difference.limits(values, seed=seed)
    return known is not None and against_margin(known.one_sided.lower, known.one_sided.upper, margin).value != "inconclusive"
