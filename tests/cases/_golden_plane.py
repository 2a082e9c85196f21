"""Groups of the golden file: the plane of cost and value, and what a simpler candidate does with the same money."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from seatrial.measure import equal_budget, frontier
from tests.cases._golden import Check, Group, answered, each, given, guarded, number


def pareto(group) -> Iterator[Check]:
    """Both frontiers of named points, and retries for the price of a dearer candidate."""
    for points in ("points_name_cost_acc", "points"):
        if points in group:
            yield from _frontiers("points", group[points], group)
    for key, case in group.items():
        if isinstance(case, dict) and "points" in case:
            yield from guarded(key, _frontiers(key, case["points"], case))
        elif isinstance(case, dict) and "cheap" in case:
            yield from guarded(key, _cost_matched(key, case))


def _frontiers(name: str, rows, right) -> Iterator[Check]:
    names = [one for one, _, _ in rows]
    points = [frontier.Point(float(cost), float(value)) for _, cost, value in rows]
    if "nondominated" in right:
        yield Check(f"{name} plain frontier", sorted(names[i] for i in frontier.plain(points)), sorted(right["nondominated"]))
    if "convex_hull_points" in right:
        corners = sorted({points[i] for i in frontier.convex(points)})
        yield Check(f"{name} convex frontier", corners, sorted(right["convex_hull_points"]))


def _cost_matched(name: str, case) -> Iterator[Check]:
    n, c, cost = case["cheap"]["n"], case["cheap"]["c"], case["cheap"]["cost"]
    for key in (key for key in case if key.startswith("retry")):
        k, _, what = key.removeprefix("retry").partition("_")
        found = equal_budget.baseline([equal_budget.TaskTrials(c, n, cost)], int(k))
        ours = found and {"success": found.success, "expected_attempts": found.attempts, "cost": found.cost}.get(what)
        yield Check(f"{name} {key}", ours, number(case[key]))
        if found and case.get("budget_multiple") == int(k):
            yield Check(f"{name} {key} stays within the budget", found.cost <= int(k) * cost, right=True)


def retry_until_success(group) -> Iterator[Check]:
    """Expected attempts and success of retries; undefined when the trials are fewer than the retries."""
    yield from each(group.get("cases", ()), _retry)
    yield from each(group.get("undefined", ()), _without_value)


def _retry(_, case) -> Iterator[Check]:
    n, c, k = case["n"], case["c"], case["k"]
    retried = partial(equal_budget.retry, c, n, k)
    ours = {
        "expected_attempts": partial(equal_budget.expected_attempts, c, n, k),
        "success": lambda: (found := retried()) and found.success,
    }
    yield from given(f"n={n} c={c} k={k}", case, ours)


def _without_value(_, case) -> Iterator[Check]:
    n, c, k = case["n"], case["c"], case["k"]
    right = "error" if str(case.get("expect", "")).startswith("error") else "undefined"
    yield Check(f"n={n} c={c} k={k}", answered(partial(equal_budget.expected_attempts, c, n, k)), right)


GROUPS: dict[str, Group] = {"pareto": pareto, "retry_until_success_max_k": retry_until_success}
