"""Several candidates on the plane of cost and value, on the tasks that all of them share.

Every candidate counts on the same tasks (same id, same contract, same kind); what only some have is left out and counted. A candidate's
cost carries that of those it is built on, task by task. Unknown costs and unknown trials leave a candidate without a place, never with
another denominator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import fsum
from typing import Literal, NamedTuple, cast

from msgspec import structs

from seatrial.base.errors import UsageError
from seatrial.base.seeds import derive
from seatrial.base.wording import count, listed
from seatrial.compare.contenders import Contender, contenders
from seatrial.compare.equal_budgets import equal_budgets
from seatrial.compare.lineage import Lineage, lineage_of
from seatrial.compare.naming import distinct_names
from seatrial.measure import cost as costs
from seatrial.measure import cost_per_success, frontier, pass_at_k, pass_k
from seatrial.records.estimate import Estimate
from seatrial.records.graded import COST_UNITS, CostUnit
from seatrial.records.plane import Frontier, Place, Plane, PlaneKind, PlanePoint
from seatrial.records.summary import RunSummary
from seatrial.records.task import KINDS, Kind

SURE = 0.95
"""Share of the reweighings above which a candidate is called dominated."""
WHOLE_CURVE = 8
"""Up to this k every pass^k is given; beyond it only those asked for."""
_NAMED = 6


def plane(
    summaries: Sequence[RunSummary],
    *,
    cost: str = "usd",
    ks: Sequence[int] = (1, 3, 5),
    built_on: Mapping[str, str] | None = None,
    seed: int = 0,
) -> Plane:
    """Return candidates on the plane of cost and value.

    Args:
        summaries: One run a candidate, two or more.
        cost: Unit of the cost axis: `usd`, `tokens`, `calls`, `seconds`.
        ks: The k of each plane; those that no candidate has trials for are left out.
        built_on: Name of a candidate → name of the candidate whose output it starts from.
        seed: Seed of all draws.

    Returns:
        The plane, one part a kind that all runs share.

    Raises:
        UsageError: Fewer than two runs, no task that all share, a wrong unit, a k below 1, or a wrong name in `built_on`.
    """
    if len(summaries) < 2:
        raise UsageError(f"a plane needs two runs or more, not {len(summaries)}.")
    if cost not in COST_UNITS:
        raise UsageError(f"there is no cost unit {cost!r}; known: {', '.join(COST_UNITS)}.")
    if min(ks, default=0) < 1:
        raise UsageError(f"every k must be 1 or more, not {list(ks)}.")
    unit, names = cast("CostUnit", cost), distinct_names(summaries)
    lineage = lineage_of(summaries, names, built_on or {})
    shared: dict[Kind, tuple[Contender, ...]] = {}
    for kind in KINDS:
        if found := contenders(kind, summaries, names, lineage.chains, unit):
            shared[kind] = found
    if not shared:
        raise UsageError("no task is shared by all runs with the same contract, so there is nothing to compare them on.")
    kinds = tuple(_kind(kind, found, unit, ks, derive(seed, "plane", kind)) for kind, found in shared.items())
    return Plane(summaries[0].suite, unit, kinds, tuple(_warnings(kinds, lineage)), _instead(kinds, summaries))


def _instead(kinds: Sequence[PlaneKind], summaries: Sequence[RunSummary]) -> CostUnit | Literal[""]:
    """Return a unit in which the cost of every task is known, where that which was asked for is known of no candidate; empty: none."""
    if any(point.own_cost is not None for kind in kinds for point in kind.points):
        return ""
    rows = [row for one in summaries for row in one.tasks]
    found: CostUnit | None = next((unit for unit in COST_UNITS if all(row.costs.of(unit) is not None for row in rows)), None)
    return found or ""


def _kind(kind: Kind, found: Sequence[Contender], unit: CostUnit, ks: Sequence[int], seed: int) -> PlaneKind:
    """Return the plane of one kind."""
    most = max(min(count.planned for count in one.counts) for one in found)
    asked = [k for k in dict.fromkeys(ks) if k <= most]
    curve = sorted({*range(1, min(most, WHOLE_CURVE) + 1), *asked})
    tasks = len(found[0].rows)
    everything = {row.task for one in found for row in one.summary.tasks if row.kind == kind}
    return PlaneKind(
        kind=kind,
        tasks=tasks,
        left_out=len(everything) - tasks,
        points=tuple(_point(one, unit, curve, derive(seed, one.name)) for one in found),
        frontiers=tuple(_frontier(found, k, derive(seed, "frontier", k)) for k in asked),
        equal_budget=equal_budgets(found, derive(seed, "equal budget")),
    )


def _point(one: Contender, unit: CostUnit, curve: Sequence[int], seed: int) -> PlanePoint:
    """Return one candidate's line."""
    counts, known = one.counts, one.cost
    scored = sum(count.scored for count in counts)
    largest = min(count.scored for count in counts)
    own = [part for part in one.own if part is not None]
    mean = _mean_cost(one, unit, scored, derive(seed, "cost"))
    at = pass_at_k.estimate(counts, largest, seed=derive(seed, "pass@k")) if largest else Estimate("pass@k", None, unit="share")
    return PlanePoint(
        name=one.name,
        candidate=one.summary.candidate,
        built_on=one.chain,
        planned=sum(count.planned for count in counts),
        scored=scored,
        pass_k=tuple(_pass_k(one, k, derive(seed, "pass^k")) for k in curve),
        pass_at=at,
        flaky=sum(0 < count.passed < count.scored for count in counts),
        own_cost=fsum(own) / len(own) if len(own) == len(one.own) else None,
        cost=mean,
        cost_of_set=fsum(known) if known else None,
        cost_per_success=_per_success(one, unit, scored, derive(seed, "per success")),
        note=_note(one, unit),
    )


def _pass_k(one: Contender, k: int, seed: int) -> Estimate:
    """Return pass^k, or why it is not available."""
    most = max(count.planned for count in one.counts)
    if k > most:
        return Estimate(f"pass^{k}", None, unit="share", tasks=len(one.rows), note=f"not available: {count(most, 'trial')} a task")
    return pass_k.estimate(one.counts, k, seed=seed)


def _mean_cost(one: Contender, unit: CostUnit, scored: int, seed: int) -> Estimate:
    """Return the mean cost of a trial with everything that the candidate is built on."""
    name = f"{unit} mean"
    if one.cost is None:
        return Estimate(name, None, unit=unit, unknown=one.unknown, note=f"{unit} not known on every task")
    found = costs.mean(name, [[task] for task in one.cost], unit=unit, unknown=one.unknown, seed=seed)
    return structs.replace(found, trials=scored)


def _per_success(one: Contender, unit: CostUnit, scored: int, seed: int) -> Estimate:
    """Return what a passed trial costs."""
    values = one.values(1)
    if one.cost is None or values is None:
        return Estimate(f"{unit} per success", None, unit=unit, note="a cost or a success is not known")
    return cost_per_success.estimate(one.cost, values, unit=unit, trials=scored, seed=seed)


def _note(one: Contender, unit: CostUnit) -> str:
    """Return what a reader must know of a candidate's cost."""
    missing = sum(part is None for part in one.own)
    if missing:
        return f"{unit} not known on {missing:,} of {count(len(one.rows), 'task')}"
    if one.cost is None:
        return f"{unit} of {one.chain[-1]}, which it is built on, is not known"
    return f"{unit} of the trials with a known one; {count(one.unknown, 'trial')} without" if one.unknown else ""


def _frontier(found: Sequence[Contender], k: int, seed: int) -> Frontier:
    """Return the plane of one k: who is on it, where, and how surely."""
    placed = [(one, price, worth) for one in found if (price := one.cost) and (worth := one.values(k))]
    points = [frontier.Point(fsum(price) / len(price), fsum(worth) / len(worth)) for _, price, worth in placed]
    sure = frontier.standing([price for _, price, _ in placed], [worth for _, _, worth in placed], seed=seed)
    plain, convex = frontier.plain(points), frontier.convex(points)
    places = [
        _place(one.name, points[index], (index in plain, index in convex), _certainty(index, [other.name for other, _, _ in placed], sure))
        for index, (one, _, _) in enumerate(placed)
    ]
    there = {place.name for place in places}
    return Frontier(
        k=k,
        places=tuple(sorted(places, key=lambda place: (place.cost, -place.value, place.name))),
        absent=tuple(one.name for one in found if one.name not in there),
    )


class _Certainty(NamedTuple):
    """How sure a place is."""

    p_frontier: float | None
    dominated_by: str
    p_dominated: float | None


def _certainty(index: int, names: Sequence[str], sure: frontier.Standing | None) -> _Certainty:
    """Return how sure the place of one candidate is."""
    if sure is None:
        return _Certainty(None, "", None)
    chances = [row[index] for row in sure.dominates]
    best = max(range(len(names)), key=lambda other: chances[other])
    return _Certainty(sure.on_frontier[index], names[best] if chances[best] > SURE else "", chances[best])


def _place(name: str, point: frontier.Point, on: tuple[bool, bool], sure: _Certainty) -> Place:
    """Return one candidate's place."""
    plain, convex = on
    return Place(name, point.cost, point.value, plain, convex, sure.p_frontier, sure.dominated_by, sure.p_dominated)


def _warnings(kinds: Sequence[PlaneKind], lineage: Lineage) -> Iterator[str]:
    """Yield what a reader must know before the numbers."""
    for one in kinds:
        if one.left_out:
            yield f"{one.kind}: {count(one.left_out, 'task')} that not all runs have, or not with the same contract, left out"
        lost = [f"{point.name} ({point.planned - point.scored:,})" for point in one.points if point.planned > point.scored]
        if lost:
            yield f"{one.kind}: trials of unknown success, neither passed nor failed: {listed(lost, _NAMED)}"
    yield from lineage.warnings(*lineage.runs)
