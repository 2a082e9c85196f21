"""Groups of the golden file: reliability of tasks and suites, their intervals, single shares, quantiles, zero violations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from math import sqrt

from seatrial.measure import binomial, dirichlet_ends, one_task, pass_rate, quantile, zero_violations
from seatrial.measure.bounds import bounds
from seatrial.measure.pass_at_k import pass_at_k, suite_pass_at_k
from seatrial.measure.pass_k import STATISTIC as PASS_K
from seatrial.measure.pass_k import estimate as pass_k_estimate
from seatrial.measure.pass_k import pass_k, suite_pass_k
from seatrial.measure.task_count import counted
from tests.cases._golden import DRAWN_TOLERANCE, Check, Group, answered, each, given, number, unlike


def pass_k_items(group) -> Iterator[Check]:
    """Values of single tasks, and those that must be undefined or refused."""
    yield from each(group.get("cases", ()), _pass_k_item)
    yield from each(group.get("undefined", ()), _without_value)


def _pass_k_item(_, case) -> Iterator[Check]:
    n, c, k = case["n"], case["c"], case["k"]
    name = f"n={n} c={c} k={k}"
    yield from given(name, case, {"pass_hat_k": partial(pass_k, c, n, k), "pass_at_k": partial(pass_at_k, c, n, k)})
    wrong = case.get("WRONG_plugin_power")
    yield from unlike(f"{name} is no plug-in", answered(partial(pass_k, c, n, k)), wrong, case.get("pass_hat_k"))


def _without_value(_, case) -> Iterator[Check]:
    n, c, k = case["n"], case["c"], case["k"]
    right = "error" if case["expect"].startswith("error") else "undefined"
    yield Check(f"n={n} c={c} k={k} pass^k", answered(partial(pass_k, c, n, k)), right)
    yield Check(f"n={n} c={c} k={k} pass@k", answered(partial(pass_at_k, c, n, k)), right)


def curves(group, tasks) -> Iterator[Check]:
    """The two curves of a suite."""
    for k, right in group.get("pass_hat", {}).items():
        yield Check(f"pass^{k}", suite_pass_k(tasks, int(k)), number(right))
    for k, right in group.get("pass_at", {}).items():
        yield Check(f"pass@{k}", suite_pass_at_k(tasks, int(k)), number(right))


def suite_seed_4x8(group) -> Iterator[Check]:
    """A suite of equal tasks."""
    tasks = [counted(c, n) for c, n in group["items_c_n"]]
    yield from curves(group, tasks)
    for name in (name for name in group if name.startswith("WRONG")):
        for k, value in group[name].items():
            right = group.get("pass_hat", {}).get(k)
            yield from unlike(f"pass^{k} is not the {name[6:].replace('_', ' ')}", suite_pass_k(tasks, int(k)), value, right)
    for k, right in group.get("rounded_2", {}).items():
        yield Check(f"pass^{k} to 2 places", round(pass_k_estimate(tasks, int(k)).value or 0, 2), right)


def runs_11011(group) -> Iterator[Check]:
    """One task by its list of trials."""
    task = counted(sum(group["runs"]), len(group["runs"]))
    whole = {"rate": pass_rate.coverage([task]).of_scored, "wilson95": partial(binomial.wilson, task.passed, task.scored)}
    yield from given("", group, whole)
    yield from curves(group, [task])
    for key in group:
        if found := re.fullmatch(r"pass_(at|hat)_(\d+)", key):
            value = pass_at_k if found[1] == "at" else pass_k
            yield from given("", group, {key: partial(value, task.passed, task.scored, int(found[2]))})


def suite_unequal_trials(group) -> Iterator[Check]:
    """Tasks with different numbers of trials: undefined, or bounds, never a mean over some of them."""
    tasks = [counted(c, n) for c, n in group["items_c_n"]]
    whole = {"macro_pass_1": pass_rate.estimate(tasks).value, "micro_pooled_rate_not_headline": pass_rate.coverage(tasks).of_scored}
    yield from given("", group, whole)
    yield from curves(group, tasks)
    for key in (key for key in group if re.fullmatch(r"k\d+", key)):
        part, k = group[key], int(key[1:])
        eligible = [task for task in tasks if task.scored >= k]
        yield Check(f"{key} suite", answered(partial(suite_pass_k, tasks, k)), "undefined")
        ours = {"eligible_items": len(eligible), "of": len(tasks), "eligible_mean": partial(suite_pass_k, eligible, k)}
        yield from given(key, part, ours)
        ends = bounds(tasks, PASS_K, k)
        ours = {"lower_ineligible_0": ends and ends.lower, "upper_ineligible_1": ends and ends.upper}
        yield from given(key, part.get("bounds_all_items", {}), ours)


def missing_trials(group) -> Iterator[Check]:
    """Unknown trials give bounds and coverage."""
    tasks = [counted(item["c"], item["scored"], item["planned"]) for item in group["items"]]
    for k, right in group.get("bounds", {}).items():
        found = pass_k_estimate(tasks, int(k))
        low, high = (found.value, found.value) if found.bound_low is None else (found.bound_low, found.bound_high)
        yield from given(f"pass^{k}", right, {"all_missing_fail": low, "all_missing_pass": high})
    cover = pass_rate.coverage(tasks)
    scored = [task for task in tasks if task.scored]
    ours = {
        "items_with_no_scored_trial": cover.tasks - cover.tasks_scored,
        "coverage_trials": lambda: cover.scored / cover.planned,
        "coverage_items": lambda: cover.tasks_scored / cover.tasks,
    }
    complete = {key: partial(suite_pass_k, scored, 1) for key in group if key.startswith("complete_case_pass_1")}
    yield from given("", group, ours | complete)


def dirichlet_end_atoms(group) -> Iterator[Check]:
    """Moments in closed form, and quantiles."""
    yield from each(group, _ends)


def _ends(name, case) -> Iterator[Check]:
    low, high = case.get("range", (0, 1))
    found = dirichlet_ends.moments(case["values"], low=low, high=high)
    yield from given(name, case, {"posterior_mean": found.mean, "posterior_var": found.variance, "posterior_sd": sqrt(found.variance)})
    quantiles = partial(dirichlet_ends.interval, case["values"], low=low, high=high, draws=20_000)
    yield from given(name, case, {"exact_quantiles_025_975_beta": quantiles}, DRAWN_TOLERANCE)


def binomial_ci95(group) -> Iterator[Check]:
    """Three intervals of one share."""
    yield from each(group, _binomial)


def _binomial(_, case) -> Iterator[Check]:
    methods = {"wilson": binomial.wilson, "clopper_pearson": binomial.clopper_pearson, "jeffreys_BCD_ends": binomial.jeffreys}
    x, n = case["x"], case["n"]
    yield from given(f"{x}/{n}", case, {key: partial(method, x, n) for key, method in methods.items()})


def quantile_p95(group) -> Iterator[Check]:
    """Nine definitions, Harrell-Davis, ranks, and how many values a finite limit needs."""
    yield from each(group.get("cases", ()), _quantiles)
    yield from each(group.get("order_statistic_ci95", ()), _ranks)
    for key in group:
        if found := re.fullmatch(r"min_n_for_finite_upper_(one|two)_sided_(\d+)", key):
            sides = 1 if found[1] == "one" else 2
            least = partial(quantile.trials_for_finite_upper, 0.95, confidence=int(found[2]) / 100, sided=sides)
            yield from given("", group, {key: least})


def _quantiles(name, case) -> Iterator[Check]:
    values, share = case["x"], case["p"]
    ours = {which: partial(quantile.quantile, values, share, definition=which) for which in quantile.DEFINITIONS}
    place = f"{name} (n={len(values)}, p={share:g})"
    yield from given(place, case, ours | {"harrell_davis": partial(quantile.harrell_davis, values, share)})


def _ranks(_, case) -> Iterator[Check]:
    found = quantile.order_statistic_interval(case["n"], case["p"])
    yield from given(f"ranks n={case['n']} p={case['p']:g}", case, found._asdict())


def single_item_pass_hat_k_by_monotone_transform(group) -> Iterator[Check]:
    """One task alone."""
    yield from each(group, _one_task)


def _one_task(_, case) -> Iterator[Check]:
    x, n, k = case["x"], case["n"], case["k"]
    ours = {"ci95_cp_power": partial(one_task.interval, counted(x, n), PASS_K, k), "point_unbiased": partial(pass_k, x, n, k)}
    yield from given(f"{x}/{n} k={k}", case, ours)


def zero_violation_bounds(group) -> Iterator[Check]:
    """Rates that no violation still allows, and the units that a bound needs."""
    yield from each(group.get("bounds", ()), _allowed)
    yield from each(group.get("runs_needed", ()), _needed)
    if "clustered" in group:
        case = group["clustered"]
        tasks, trials = case["items"], case["items"] * case["trials_per_item"]
        ours = {
            "guaranteed_upper95_any_within_item_dependence": partial(zero_violations.allowed_rate, tasks),
            "upper95_if_trials_independent": partial(zero_violations.allowed_rate, trials),
        }
        yield from given("clustered", case, ours)


def _allowed(_, case) -> Iterator[Check]:
    n = case["n"]
    ours = {
        "upper95_one_sided": partial(zero_violations.allowed_rate, n),
        "upper99_one_sided": partial(zero_violations.allowed_rate, n, confidence=0.99),
        "upper_two_sided95_CP": lambda: binomial.clopper_pearson(0, n).upper,
    }
    yield from given(f"n={n}", case, ours)
    if "rule_of_three" in case:
        yield Check(f"n={n} is no more than the rule of three", zero_violations.allowed_rate(n) <= case["rule_of_three"], right=True)


def _needed(_, case) -> Iterator[Check]:
    rate, confidence = case["max_rate"], case["conf"]
    name = f"units for a rate of {rate:g} at {confidence:g}"
    yield from given(name, case, {"n_needed": partial(zero_violations.units_needed, rate, confidence=confidence)})


GROUPS: dict[str, Group] = {
    "pass_k_items": pass_k_items,
    "suite_seed_4x8": suite_seed_4x8,
    "runs_11011": runs_11011,
    "suite_unequal_trials": suite_unequal_trials,
    "missing_trials": missing_trials,
    "dirichlet_end_atoms": dirichlet_end_atoms,
    "binomial_ci95": binomial_ci95,
    "quantile_p95": quantile_p95,
    "single_item_pass_hat_k_by_monotone_transform": single_item_pass_hat_k_by_monotone_transform,
    "zero_violations": zero_violation_bounds,
}
