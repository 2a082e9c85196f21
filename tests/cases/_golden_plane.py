"""Groups of the golden file: the plane of cost and value, and what a simpler candidate does with the same money."""

from __future__ import annotations

from collections.abc import Iterator

from seatrial.measure import equal_budget, frontier
from tests.cases._golden import Check, Group, answered, number


def pareto(group) -> Iterator[Check]:
    """Both frontiers of named points, and retries for the price of a dearer candidate."""
    if "points_name_cost_acc" in group:
        names, points = _points(group["points_name_cost_acc"])
        if "nondominated" in group:
            yield Check("plain frontier", sorted(names[i] for i in frontier.plain(points)), sorted(group["nondominated"]))
        if "convex_hull_points" in group:
            corners = sorted({points[i] for i in frontier.convex(points)})
            yield Check("convex frontier", corners, sorted(group["convex_hull_points"]))
    for key, case in group.items():
        if isinstance(case, dict) and "points" in case:
            names, points = _points(case["points"])
            yield Check(key, [names[i] for i in frontier.plain(points)], case["nondominated"])
        elif isinstance(case, dict) and "cheap" in case:
            yield from _cost_matched(key, case)


def _points(rows) -> tuple[list[str], list[frontier.Point]]:
    return [name for name, _, _ in rows], [frontier.Point(float(cost), float(value)) for _, cost, value in rows]


def _cost_matched(name: str, case) -> Iterator[Check]:
    n, c, cost = case["cheap"]["n"], case["cheap"]["c"], case["cheap"]["cost"]
    for key, right in case.items():
        if not key.startswith("retry"):
            continue
        k, _, what = key.removeprefix("retry").partition("_")
        found = equal_budget.baseline([equal_budget.TaskTrials(c, n, cost)], int(k))
        ours = found and {"success": found.success, "expected_attempts": found.attempts, "cost": found.cost}.get(what)
        yield Check(f"{name} {key}", ours, number(right))


def retry_until_success(group) -> Iterator[Check]:
    """Expected attempts and success of retries; undefined when the trials are fewer than the retries."""
    for case in group["cases"]:
        n, c, k = case["n"], case["c"], case["k"]
        name = f"n={n} c={c} k={k}"
        found = equal_budget.retry(c, n, k) if k <= n and 0 <= c <= n else None
        attempts = answered(lambda c=c, n=n, k=k: equal_budget.expected_attempts(c, n, k))
        if "expected_attempts" in case:
            yield Check(f"{name} expected attempts", attempts, number(case["expected_attempts"]))
        if "success" in case:
            yield Check(f"{name} success", found.success if found else attempts, number(case["success"]))
    for case in group.get("undefined", ()):
        n, c, k = case["n"], case["c"], case["k"]
        right = "error" if str(case.get("expect", "")).startswith("error") else "undefined"
        yield Check(f"n={n} c={c} k={k}", answered(lambda c=c, n=n, k=k: equal_budget.expected_attempts(c, n, k)), right)


GROUPS: dict[str, Group] = {"pareto": pareto, "retry_until_success_max_k": retry_until_success}
