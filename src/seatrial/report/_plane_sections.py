"""What every renderer says of several candidates on the plane of cost and value: one heading, its tables, its sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from seatrial.base.wording import count
from seatrial.compare.wording import points_with_interval
from seatrial.records.graded import CostUnit
from seatrial.records.plane import EqualBudget, Frontier, Place, Plane, PlaneKind, PlanePoint
from seatrial.report._grid import Grid, Section
from seatrial.report._plain import plain
from seatrial.report._wording import NONE, percent, share

_CURVE = 5
_WORD = {"usd": "cost", "tokens": "tokens", "calls": "calls", "seconds": "seconds"}


def headline(found: Plane) -> str:
    """Return in a few sentences who is on the convex frontier of each kind and who is surely dominated."""
    return " ".join(kind_headline(found, kind) for kind in found.kinds)


def facts(found: Plane) -> str:
    """Return what was compared, on one line."""
    tasks = ", ".join(f"{count(kind.tasks, f'shared {kind.kind} task')}" for kind in found.kinds)
    return (
        f"{plain(found.suite)} · {count(len(found.kinds[0].points), 'candidate')} · {tasks} · a trial's {_WORD[found.unit]} in {found.unit}"
    )


def sections(found: Plane) -> Iterator[Section]:
    """Yield the sections of every kind, then the warnings."""
    for kind in found.kinds:
        yield _candidates(found.unit, kind)
        # Without a place for anyone the heading has said so.
        yield from (_frontier(found.unit, kind, frontier) for frontier in kind.frontiers if frontier.places)
        if kind.equal_budget:
            yield _budgets(found.unit, kind)
    if found.warnings:
        yield Section("Mind", None, tuple(plain(warning) for warning in found.warnings))


def keys(kind: PlaneKind) -> dict[str, str]:
    """Return a short key for each candidate of a kind, A, B, … in the order of the runs: tables and the figure use the same."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    size = len(letters)
    return {
        point.name: letters[index] if index < size else f"{letters[index // size - 1]}{letters[index % size]}"
        for index, point in enumerate(kind.points)
    }


def quantity(value: float | None, unit: CostUnit) -> str:
    """Return a cost with four significant digits; `–` where it is not known.

    Args:
        value: The cost.
        unit: Its unit.
    """
    if value is None:
        return NONE
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return f"${text}" if unit == "usd" else text


def kind_headline(found: Plane, kind: PlaneKind) -> str:
    """Return in a sentence who is on the convex frontier of a kind and who is surely dominated."""
    first = kind.frontiers[0] if kind.frontiers else None
    if first is None or not first.places:
        way_out = f" Known of all: {_WORD[found.instead]}; --cost {found.instead} draws the plane." if found.instead else ""
        told = f"no candidate has both a known {_WORD[found.unit]} and a known success on every shared task"
        return f"{kind.kind.capitalize()}: {told}.{way_out}"
    route = " → ".join(plain(name) for name in first.convex)
    beaten = [f"{plain(place.name)} (by {plain(place.dominated_by)})" for place in first.places if place.dominated_by]
    sure = f"surely dominated: {', '.join(beaten)}" if beaten else "nobody is surely dominated"
    return f"{kind.kind.capitalize()}, pass^{first.k} for its {_WORD[found.unit]}: {route}; {sure}."


def _candidates(unit: CostUnit, kind: PlaneKind) -> Section:
    """Return every candidate with its curve and its cost."""
    ks = [one.name for one in kind.points[0].pass_k]
    shown = ks if len(ks) <= _CURVE else [name for name in ks if name in {f"pass^{one.k}" for one in kind.frontiers}]
    at = sorted({point.pass_at.name for point in kind.points})
    header = ("", "candidate", f"{_WORD[unit]} of the set", *shown, at[0] if len(at) == 1 else "pass@k", "flaky")
    key = keys(kind)
    grid = Grid(header, tuple((key[point.name], *_candidate(unit, point, shown)) for point in kind.points), left=2)
    left_out = f"; {count(kind.left_out, 'task')} left out" if kind.left_out else ""
    title = f"{kind.kind.capitalize()}: {count(kind.tasks, 'task')} that all candidates share{left_out}"
    return Section(title, grid, tuple(_candidate_lines(unit, kind)))


def _candidate(unit: CostUnit, point: PlanePoint, shown: Sequence[str]) -> tuple[str, ...]:
    curve = {one.name: one.value for one in point.pass_k}
    values = (share(curve.get(name)) for name in shown)
    return (plain(point.name), quantity(point.cost_of_set, unit), *values, share(point.pass_at.value), f"{point.flaky:,}")


def _candidate_lines(unit: CostUnit, kind: PlaneKind) -> Iterator[str]:
    yield f"{_WORD[unit]} of the set: one trial of every shared task; pass^k and pass@k under strict; {NONE}: not available."
    key = keys(kind)
    yield from _unlike(kind, key)
    for point in kind.points:
        if point.built_on and point.own_cost is not None and point.cost_of_set is not None:
            own = quantity(point.own_cost * kind.tasks, unit)
            carried = " and ".join(key.get(name, plain(name)) for name in point.built_on)
            yield f"{key[point.name]} costs {own} of its own and carries the {_WORD[unit]} of {carried}."
        if point.note:
            yield f"{key[point.name]}: {plain(point.note)}."


def _unlike(kind: PlaneKind, key: Mapping[str, str]) -> Iterator[str]:
    """Yield whose pass@k has which k where they differ: such numbers cannot be held against each other."""
    names = sorted({point.pass_at.name for point in kind.points}, reverse=True)
    if len(names) > 1:
        parts = (f"{name} of {', '.join(key[point.name] for point in kind.points if point.pass_at.name == name)}" for name in names)
        yield f"pass@k is {'; '.join(parts)}: as many trials as each task has, so these do not compare with each other."


def _frontier(unit: CostUnit, kind: PlaneKind, frontier: Frontier) -> Section:
    """Return the plane of one k as a table, cheapest first."""
    key = keys(kind)
    header = ("", "candidate", _WORD[unit], f"pass^{frontier.k}", "frontier", "on it", "dominated by")
    grid = Grid(header, tuple(_place(unit, place, key) for place in frontier.places), left=2) if frontier.places else None
    return Section(
        f"{kind.kind.capitalize()}: {_WORD[unit]} of a trial against pass^{frontier.k}", grid, tuple(_frontier_lines(frontier, key))
    )


def _place(unit: CostUnit, place: Place, key: Mapping[str, str]) -> tuple[str, ...]:
    on = "convex" if place.convex else "plain" if place.plain else ""
    beaten = key[place.dominated_by] if place.dominated_by else "not surely" if not place.plain else ""
    return (key[place.name], plain(place.name), quantity(place.cost, unit), share(place.value), on, percent(place.p_frontier), beaten)


def _frontier_lines(frontier: Frontier, key: Mapping[str, str]) -> Iterator[str]:
    if frontier.places:
        added = [key[name] for name in frontier.plain if name not in frontier.convex]
        yield f"convex frontier (what random routing between candidates reaches): {' → '.join(key[name] for name in frontier.convex)}"
        yield f"plain frontier adds: {', '.join(added) or 'nobody'}"
        yield "on it: how often nobody dominates the candidate when the tasks are reweighed; dominated by: in more than 95 % of these."
    if frontier.absent:
        yield f"without a place: {', '.join(key[name] for name in frontier.absent)}"


def _budgets(unit: CostUnit, kind: PlaneKind) -> Section:
    """Return what cheaper candidates do with the money of dearer ones."""
    key = keys(kind)
    header = ("", "held against", "selector", "trials", "success", _WORD[unit], "candidate minus it")
    rows = tuple(_budget(unit, row, key) for row in kind.equal_budget)
    return Section(
        f"{kind.kind.capitalize()}: a cheaper candidate with the same {_WORD[unit]}", Grid(header, rows, left=3), tuple(_budget_lines(kind))
    )


def _budget(unit: CostUnit, row: EqualBudget, key: Mapping[str, str]) -> tuple[str, ...]:
    trials = f"≤ {row.k}" if row.selector == "oracle" else f"{row.k}"
    more = "+" if row.all_used else ""
    cells = (f"{trials}{more}", share(row.success), quantity(row.cost, unit), points_with_interval(row.difference.estimate, unit=""))
    return (key[row.name], f"{key[row.baseline]} {plain(row.baseline)}", row.selector, *cells)


def _budget_lines(kind: PlaneKind) -> Iterator[str]:
    yield "oracle: retried until the grader passes it – an upper bound, since no deployed system has the grader's verdict."
    yield "majority: all trials are taken, and right is what more than half of them are – a lower bound for a vote over end states."
    yield "A check that can be deployed, or a judge, is a candidate of its own. Differences in points with 95 % intervals, paired by task."
    if any(row.all_used for row in kind.equal_budget):
        yield "+: all trials that it has; the money would buy more."
    single = max(row.single for row in kind.equal_budget)
    if single:
        yield f"{count(single, 'task')} where a trial may commit a write: never tried again, first trial counted."
    if any(row.violated for row in kind.equal_budget):
        worst = max(row.violated for row in kind.equal_budget)
        yield f"an attempt that breaks a rule spoils the whole; up to {percent(worst)} of these tasks have one."
