"""Equal budget: before a dearer candidate is believed, the best that a cheaper one does with the same money."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum
from typing import NamedTuple

from seatrial.base.seeds import derive
from seatrial.compare.contenders import Contender
from seatrial.measure.equal_budget import Baseline, Selector, TaskTrials, ladder, within
from seatrial.measure.paired_difference import difference
from seatrial.records.plane import EqualBudget

SELECTORS: tuple[Selector, ...] = ("oracle", "majority")
"""Those that a run's own verdicts can stand for; a deployable check or a judge is a candidate of its own."""


class _Priced(NamedTuple):
    """A candidate of known cost and success, and what it comes to with more trials."""

    name: str
    cost: float
    """Mean cost of a trial."""
    values: tuple[float, ...]
    """Pass rate of each task."""
    trials: int
    """Fewest scored trials of any task."""
    single: int
    """Tasks that are not tried again."""
    ladders: dict[Selector, tuple[Baseline, ...]]
    """Selector → its baselines by rising k."""


def equal_budgets(found: Sequence[Contender], seed: int) -> tuple[EqualBudget, ...]:
    """Return for each candidate and selector the cheaper candidate that comes to most at its cost.

    Args:
        found: The candidates on their shared tasks.
        seed: Seed of all draws.

    Returns:
        By rising cost of the dearer candidate; nothing for one at whose cost no cheaper candidate can be tried twice.
    """
    known = [priced for one in found if (priced := _priced(one))]
    ordered = sorted(known, key=lambda one: (one.cost, one.name))
    return tuple(row for dear in ordered for row in _rows(dear, ordered, derive(seed, dear.name)))


def _priced(one: Contender) -> _Priced | None:
    """Return a candidate that can be held against a budget; `None`: its cost or success is not known."""
    costs, values = one.cost, one.values(1)
    if costs is None or values is None:
        return None
    tasks = [
        TaskTrials(row.passed, row.scored, cost, min(row.violated, row.scored - row.passed), again=row.stakes == "routine")
        for row, cost in zip(one.rows, costs, strict=True)
    ]
    return _Priced(
        name=one.name,
        cost=fsum(costs) / len(costs),
        values=values,
        trials=min(row.scored for row in one.rows),
        single=sum(not task.again for task in tasks),
        ladders={selector: ladder(tasks, selector=selector) for selector in SELECTORS},
    )


def _rows(dear: _Priced, others: Sequence[_Priced], seed: int) -> Iterator[EqualBudget]:
    """Yield the best baseline of each selector."""
    for selector in SELECTORS:
        rivals = [(one, step) for one in others if one.cost < dear.cost and (step := within(one.ladders[selector], dear.cost))]
        tried = [(one, step) for one, step in rivals if step.k > 1]
        if tried:
            best, step = max(tried, key=lambda pair: (pair[1].success, -pair[1].cost))
            yield _row(dear, best, step, derive(seed, selector))


def _row(dear: _Priced, cheap: _Priced, step: Baseline, seed: int) -> EqualBudget:
    """Return one dearer candidate held against one baseline."""
    return EqualBudget(
        name=dear.name,
        budget=dear.cost,
        value=fsum(dear.values) / len(dear.values),
        baseline=cheap.name,
        selector=step.selector,
        k=step.k,
        attempts=step.attempts,
        success=step.success,
        cost=step.cost,
        violated=step.violated,
        difference=difference(step.successes, dear.values, name="pass^1", seed=seed),
        all_used=step is cheap.ladders[step.selector][-1],
        single=cheap.single,
    )
