"""What a trial costs before and after, as a ratio on the shared tasks.

For each task the log of its mean cost after minus that before; the mean of these with Student's t over tasks, and its exponential: the
geometric mean of the tasks' ratios. A dear task then counts no more than a cheap one, and the skew of costs does no harm. It is not the
ratio of the two bills: budgets are decided on the arithmetic means, which stand beside it.

Assumption: the log ratios of tasks are independent. Source: Student 1908, Biometrika 6, on differences of logs over tasks; costs beside
accuracy as in Kapoor et al. 2024, arXiv:2407.01502.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, fsum, inf, log

from msgspec import structs

from seatrial.base.wording import count
from seatrial.compare.differences import Scale, value_difference
from seatrial.compare.pairing import Pair
from seatrial.records.comparison import CostComparison
from seatrial.records.estimate import Estimate
from seatrial.records.graded import COST_UNITS, CostUnit

FEWEST_TASKS = 5
"""Below this number of tasks no interval is given."""


def compared_costs(pairs: Sequence[Pair], *, seed: int = 0) -> tuple[CostComparison, ...]:
    """Return the costs that both runs know, one line a unit; a unit that one of the runs does not know, or never used, is left out.

    Args:
        pairs: The shared tasks of one kind.
        seed: Seed of the draws.
    """
    return tuple(line for unit in COST_UNITS if (line := _compared(pairs, unit, seed)))


def _compared(pairs: Sequence[Pair], unit: CostUnit, seed: int) -> CostComparison | None:
    """Return the line of one unit; `None`: no task is known on both sides."""
    both = [(pair.before.costs.of(unit), pair.after.costs.of(unit)) for pair in pairs]
    known = [(old, new) for old, new in both if old is not None and new is not None]
    if not known:
        return None
    before, after = (fsum(side) / len(known) for side in zip(*known, strict=True))
    if not before and not after:
        return None
    return CostComparison(unit, before, after, len(known), _ratio(pairs, unit, len(known), seed))


def _ratio(pairs: Sequence[Pair], unit: CostUnit, known: int, seed: int) -> Estimate:
    """Return the geometric mean of the tasks' ratios; tasks that cost nothing on one side have none."""
    positive = [pair for pair in pairs if all(row.costs.of(unit) for row in pair)]
    found = value_difference(positive, lambda row: log(row.costs.of(unit) or 1.0), Scale("cost ratio", "ratio", inf), seed=seed).estimate
    free = known - len(positive)
    note = "; ".join(filter(None, (found.note, f"{count(free, 'task')} that cost nothing on one side left out" if free else "")))
    if found.value is None:
        return structs.replace(found, note=note)
    few = found.tasks < FEWEST_TASKS and found.lower is not None
    lower, upper = (None if end is None or few else exp(end) for end in (found.lower, found.upper))
    return structs.replace(
        found,
        value=exp(found.value),
        lower=lower,
        upper=upper,
        method="" if lower is None else "paired t over the log ratios of tasks",
        note="; ".join(filter(None, (note, f"no interval: fewer than {FEWEST_TASKS} tasks" if few else ""))),
    )
