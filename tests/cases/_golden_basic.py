"""Groups of the golden file: reliability of tasks and suites, their intervals, single shares, quantiles, zero violations."""

from __future__ import annotations

import math
from collections.abc import Iterator

from seatrial.measure import binomial, dirichlet_ends, one_task, pass_rate, quantile, zero_violations
from seatrial.measure.bounds import bounds
from seatrial.measure.pass_at_k import pass_at_k, suite_pass_at_k
from seatrial.measure.pass_k import STATISTIC as PASS_K
from seatrial.measure.pass_k import estimate as pass_k_estimate
from seatrial.measure.pass_k import pass_k, suite_pass_k
from seatrial.measure.task_count import counted
from tests.cases._golden import DRAWN_TOLERANCE, Check, Group, answered, number, unlike


def pass_k_items(group) -> Iterator[Check]:
    """Values of single tasks, and those that must be undefined or refused."""
    for case in group.get("cases", ()):
        n, c, k = case["n"], case["c"], case["k"]
        yield Check(f"n={n} c={c} k={k} pass^k", pass_k(c, n, k), number(case["pass_hat_k"]))
        yield Check(f"n={n} c={c} k={k} pass@k", pass_at_k(c, n, k), number(case["pass_at_k"]))
        yield from unlike(f"n={n} c={c} k={k} is no plug-in", pass_k(c, n, k), case.get("WRONG_plugin_power"), case["pass_hat_k"])
    for case in group.get("undefined", ()):
        n, c, k = case["n"], case["c"], case["k"]
        right = "error" if case["expect"].startswith("error") else "undefined"
        yield Check(f"n={n} c={c} k={k} pass^k", answered(lambda c=c, n=n, k=k: pass_k(c, n, k)), right)
        yield Check(f"n={n} c={c} k={k} pass@k", answered(lambda c=c, n=n, k=k: pass_at_k(c, n, k)), right)


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
    for name, wrong in group.items():
        for k, value in wrong.items() if name.startswith("WRONG") else ():
            yield from unlike(f"pass^{k} is not the {name[6:].replace('_', ' ')}", suite_pass_k(tasks, int(k)), value, group["pass_hat"][k])
    for k, right in group.get("rounded_2", {}).items():
        yield Check(f"pass^{k} to 2 places", round(pass_k_estimate(tasks, int(k)).value or 0, 2), right)


def runs_11011(group) -> Iterator[Check]:
    """One task by its list of trials."""
    task = counted(sum(group["runs"]), len(group["runs"]))
    yield Check("rate", pass_rate.coverage([task]).of_scored, group["rate"])
    yield from curves(group, [task])
    for key, right in group.items():
        name, _, k = key.rpartition("_")
        if name in ("pass_at", "pass_hat") and k.isdigit():
            yield Check(key, (pass_at_k if name == "pass_at" else pass_k)(task.passed, task.scored, int(k)), number(right))
    if "wilson95" in group:
        yield Check("wilson95", list(binomial.wilson(task.passed, task.scored)), group["wilson95"])


def suite_unequal_trials(group) -> Iterator[Check]:
    """Tasks with different numbers of trials: undefined, or bounds, never a mean over some of them."""
    tasks = [counted(c, n) for c, n in group["items_c_n"]]
    yield Check("pass^1", pass_rate.estimate(tasks).value, number(group["macro_pass_1"]))
    yield Check("pooled rate", pass_rate.coverage(tasks).of_scored, number(group["micro_pooled_rate_not_headline"]))
    yield from curves(group, tasks)
    for key, part in group.items():
        if not (key.startswith("k") and key[1:].isdigit()):
            continue
        k = int(key[1:])
        eligible = [task for task in tasks if task.scored >= k]
        yield Check(f"{key} suite", answered(lambda k=k: suite_pass_k(tasks, k)), "undefined")
        yield Check(f"{key} eligible", [len(eligible), len(tasks)], [part["eligible_items"], part["of"]])
        yield Check(f"{key} eligible mean", suite_pass_k(eligible, k), number(part["eligible_mean"]))
        ends = part["bounds_all_items"]
        yield Check(f"{key} bounds", bounds(tasks, PASS_K, k), [number(ends["lower_ineligible_0"]), number(ends["upper_ineligible_1"])])


def missing_trials(group) -> Iterator[Check]:
    """Unknown trials give bounds and coverage."""
    tasks = [counted(item["c"], item["scored"], item["planned"]) for item in group["items"]]
    for k, right in group["bounds"].items():
        found = pass_k_estimate(tasks, int(k))
        yield Check(f"pass^{k} if all fail", found.bound_low, number(right["all_missing_fail"]))
        yield Check(f"pass^{k} if all pass", found.bound_high, number(right["all_missing_pass"]))
    cover = pass_rate.coverage(tasks)
    scored = [task for task in tasks if task.scored]
    yield Check("tasks without a scored trial", cover.tasks - cover.tasks_scored, group["items_with_no_scored_trial"])
    yield Check("coverage of trials", cover.scored / cover.planned, number(group["coverage_trials"]))
    yield Check("coverage of tasks", cover.tasks_scored / cover.tasks, number(group["coverage_items"]))
    for key, right in group.items():
        if key.startswith("complete_case_pass_1"):
            yield Check("pass^1 of the scored tasks", suite_pass_k(scored, 1), number(right))


def dirichlet_end_atoms(group) -> Iterator[Check]:
    """Moments in closed form, and quantiles."""
    for case in group["cases"]:
        low, high = case.get("range", (0, 1))
        found = dirichlet_ends.moments(case["values"], low=low, high=high)
        yield Check(f"{case['name']} mean", found.mean, number(case["posterior_mean"]))
        yield Check(f"{case['name']} variance", found.variance, number(case["posterior_var"]))
        if "posterior_sd" in case:
            yield Check(f"{case['name']} sd", math.sqrt(found.variance), case["posterior_sd"])
        if "exact_quantiles_025_975_beta" in case:
            ends = dirichlet_ends.interval(case["values"], low=low, high=high, draws=20_000)
            yield Check(f"{case['name']} quantiles", ends, case["exact_quantiles_025_975_beta"], DRAWN_TOLERANCE)


def binomial_ci95(group) -> Iterator[Check]:
    """Three intervals of one share."""
    methods = {"wilson": binomial.wilson, "clopper_pearson": binomial.clopper_pearson, "jeffreys_BCD_ends": binomial.jeffreys}
    for case in group:
        for name, method in methods.items():
            if name in case:
                yield Check(f"{case['x']}/{case['n']} {name}", method(case["x"], case["n"]), case[name])


def quantile_p95(group) -> Iterator[Check]:
    """Nine definitions, Harrell-Davis, ranks, and how many values a finite limit needs."""
    for index, case in enumerate(group.get("cases", ())):
        name = f"case {index} (n={len(case['x'])}, p={case['p']:g})"
        for definition in quantile.DEFINITIONS:
            if definition in case:
                yield Check(f"{name} {definition}", quantile.quantile(case["x"], case["p"], definition=definition), case[definition])
        if "harrell_davis" in case:
            yield Check(f"{name} harrell_davis", quantile.harrell_davis(case["x"], case["p"]), case["harrell_davis"])
    for case in group.get("order_statistic_ci95", ()):
        found = quantile.order_statistic_interval(case["n"], case["p"])
        name = f"ranks n={case['n']} p={case['p']:g}"
        yield Check(name, [found.lower_rank, found.upper_rank], [case["lower_rank"], case["upper_rank"]])
        yield Check(f"{name} coverage", found.coverage, case["coverage"])
    for sided, word in ((2, "two"), (1, "one")):
        key = f"min_n_for_finite_upper_{word}_sided_95"
        if key in group:
            yield Check(key, quantile.trials_for_finite_upper(0.95, sided=sided), group[key])


def single_item_pass_hat_k_by_monotone_transform(group) -> Iterator[Check]:
    """One task alone."""
    for case in group:
        name = f"{case['x']}/{case['n']} k={case['k']}"
        task = counted(case["x"], case["n"])
        yield Check(f"{name} interval", one_task.interval(task, PASS_K, case["k"]), case["ci95_cp_power"])
        yield Check(f"{name} point", pass_k(case["x"], case["n"], case["k"]), case["point_unbiased"])


def zero_violation_bounds(group) -> Iterator[Check]:
    """Rates that no violation still allows, and the units that a bound needs."""
    for case in group.get("bounds", ()):
        yield Check(f"n={case['n']} upper 95 %", zero_violations.allowed_rate(case["n"]), case["upper95_one_sided"])
        yield Check(f"n={case['n']} upper 99 %", zero_violations.allowed_rate(case["n"], confidence=0.99), case["upper99_one_sided"])
        yield Check(f"n={case['n']} two-sided", binomial.clopper_pearson(0, case["n"]).upper, case["upper_two_sided95_CP"])
    for case in group.get("runs_needed", ()):
        name = f"units for a rate of {case['max_rate']:g} at {case['conf']:g}"
        yield Check(name, zero_violations.units_needed(case["max_rate"], confidence=case["conf"]), case["n_needed"])
    if "clustered" in group:
        case = group["clustered"]
        tasks, trials = case["items"], case["items"] * case["trials_per_item"]
        yield Check("guaranteed by tasks", zero_violations.allowed_rate(tasks), case["guaranteed_upper95_any_within_item_dependence"])
        yield Check("if trials were independent", zero_violations.allowed_rate(trials), case["upper95_if_trials_independent"])


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
