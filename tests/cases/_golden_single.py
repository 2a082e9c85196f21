"""Groups of the golden file: one candidate beyond pass^k, its standard errors and intervals, and trials that stopped by a rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from seatrial.measure import clusters, effective_wilson, plus_two_t, standard_error, stopped_designs, student_t
from seatrial.measure.beta_posterior import mean_pass_at_k, mean_pass_k
from seatrial.measure.consistency import consistency
from seatrial.measure.g_pass_at_k import g_pass_at_k
from seatrial.measure.pass_k import pass_k, suite_pass_k
from seatrial.measure.stopped_designs import Design
from seatrial.measure.stratified_mean import Stratum, stratified_mean
from seatrial.measure.task_count import TaskCount, counted
from seatrial.measure.variance_split import split
from tests.cases._golden import Check, Group, answered, number, unlike

SEED_SUITE = "items_c_n"
"""Key under which a group gets the file's suite of four tasks, when it means that suite without giving it."""
NEED_SEED_SUITE = frozenset({"se_seed_suite", "end_augmented_t"})
USUAL_SEED_SUITE = ((8, 8), (7, 8), (4, 8), (0, 8))
"""Where the file has no such suite."""


def seed_suite(group) -> list[TaskCount]:
    """Return the counts of the suite of four tasks."""
    return [counted(passed, scored) for passed, scored in group.get(SEED_SUITE, USUAL_SEED_SUITE)]


def design(name: str) -> Design:
    """Return the design that the file names."""
    first = [int(digits) for digits in re.findall(r"\d+", name)]
    if name.startswith("fixed"):
        return stopped_designs.fixed(first[0])
    if name.startswith("pilot"):
        return stopped_designs.pilot(first[0], first[1])
    return stopped_designs.stop_at_failures(1 if "first_failure" in name else first[0], first[-1])


def stopped_designs_path_count(group) -> Iterator[Check]:
    """Unbiased values by paths, designs that must be refused, and what the usual formula would be off by."""
    for name, by_k in group["designs"].items():
        rule = design(name)
        for key, case in by_k.items():
            k, place = int(key), f"{name} k={key}"
            yield Check(f"{place} estimable", stopped_designs.estimable(rule, k), case["unbiased_by_enumeration"])
            for stop in case["estimates"]:
                n, c = stop["n"], stop["c"]
                right = number(stop["est"]) if case["unbiased_by_enumeration"] else "error"
                ours = answered(partial(stopped_designs.value, rule, c, n, k))
                yield Check(f"{place} n={n} c={c}", ours, right)
            ends = [(stop["n"], stop["c"]) for stop in case["estimates"]]
            yield Check(f"{place} stops", stopped_designs.stops(rule), sorted(ends))
            yield from _bias(place, rule, k, case.get("bias_of_naive_Cck_over_Cnk"))


def _bias(place: str, rule: Design, k: int, right) -> Iterator[Check]:
    if right is None:
        yield Check(f"{place} bias of C(c,k)/C(n,k)", answered(partial(stopped_designs.bias_of_fixed_formula, rule, k, 0.5)), "undefined")
        return
    for rate, bias in right.items():
        above, _, below = rate.partition("/")
        found = stopped_designs.bias_of_fixed_formula(rule, k, int(above) / int(below or 1))
        yield Check(f"{place} bias of C(c,k)/C(n,k) at {rate}", found, bias)


def g_pass_at_k_tau(group) -> Iterator[Check]:
    """At least a share of k passes."""
    for case in group:
        n, c, k, tau = case["n"], case["c"], case["k"], case["tau"]
        right = case.get("value", case.get("expect"))
        right = "undefined" if right is None or isinstance(right, str) else number(right)
        yield Check(f"n={n} c={c} k={k} tau={tau:g}", answered(partial(g_pass_at_k, c, n, k, share=tau)), right)


def outcome_consistency(group) -> Iterator[Check]:
    """Two trials end alike; the plug-in is another number."""
    for case in group["cases"]:
        n, c = case["n"], case["c"]
        right = case.get("unbiased")
        ours = answered(partial(consistency, c, n))
        yield Check(f"n={n} c={c}", ours, "undefined" if right is None else number(right))
        for key, biased in case.items():
            if key.startswith("BIASED") and right is not None:
                yield from unlike(f"n={n} c={c} is no plug-in", ours, biased, right)


def se_seed_suite(group) -> Iterator[Check]:
    """Standard error and three intervals of a suite's pass^k."""
    tasks = seed_suite(group)
    for key, case in group.items():
        if not key.isdigit():
            continue
        values = [pass_k(task.passed, task.scored, int(key)) or 0.0 for task in tasks]
        error = standard_error.of_new_tasks(values)
        factor = f"t975_df{len(values) - 1}"
        yield Check(f"k={key} mean", suite_pass_k(tasks, int(key)), number(case["mean"]))
        yield Check(f"k={key} variance", None if error is None else error**2 * len(values), number(case["sample_variance"]))
        yield Check(f"k={key} error", error, case["se"])
        if factor in case:
            yield Check(f"k={key} factor", student_t.factor(len(values) - 1, 0.95), case[factor])
        yield Check(f"k={key} t", student_t.interval(values), case["ci95_t"])
        yield Check(f"k={key} effective trials", effective_wilson.effective_trials(values), case["n_eff"])
        yield Check(f"k={key} Wilson, normal", effective_wilson.interval(values, law="normal"), case["ci95_wilson_neff_z"])
        yield Check(f"k={key} Wilson, t", effective_wilson.interval(values), case["ci95_wilson_neff_t"])


def end_augmented_t(group) -> Iterator[Check]:
    """Student's interval with one task at each end."""
    tasks = seed_suite(group)
    for name, case in group.items():
        if name == SEED_SUITE:
            continue
        values, low, high = _augmented(name, case, tasks)
        found = plus_two_t.plus_two(values, low=low, high=high)
        yield Check(f"{name} centre", found.centre, number(case["center"]))
        yield Check(f"{name} error", found.error, case["se"])
        yield Check(f"{name} df", found.df, case["df"])
        yield Check(f"{name} interval", found.interval, case["ci95"])
        yield Check(f"{name} cut to the scale", _within(plus_two_t.interval(values, low=low, high=high), low, high), right=True)


def _augmented(name: str, case, tasks: Sequence[TaskCount]) -> tuple[list[float], float, float]:
    """Return values and scale: given, or told by the case's name."""
    if "values" in case:
        return case["values"], *case.get("range", (0, 1))
    count = int(re.findall(r"\d+", name)[-1])
    if name.startswith("seed_k"):
        return [pass_k(task.passed, task.scored, count) or 0.0 for task in tasks], 0, 1
    return [1.0 if name.startswith("all_pass") else 0.0] * count, -1 if name.startswith("paired") else 0, 1


def _within(ends: Sequence[float], low: float, high: float) -> bool:
    return low <= ends[0] < ends[1] <= high


def variance_components(group) -> Iterator[Check]:
    """Between tasks and within them."""
    found = split([counted(sum(trials), len(trials)) for trials in group["trials"]])
    yield Check("mean", found.value, number(group["mean"]))
    yield Check("variance of the tasks' rates", found.spread, number(group["var_of_item_means_s2"]))
    yield Check("within", found.within, number(group["within_trial_var"]))
    yield Check("between", found.between, number(group["between_item_var_unbiased"]))
    yield Check("icc", found.icc, number(group["icc"]))
    yield Check("error, new tasks", found.error_new_tasks, group["se_items_random"])
    yield Check("error, this suite", found.error_this_suite, group["se_fixed_suite"])
    wrong, right = group.get("WRONG_se_trials_independent"), group["se_items_random"]
    yield from unlike("error is not that of independent trials", found.error_new_tasks, wrong, right)


def clustered_se(group) -> Iterator[Check]:
    """Standard errors over clusters."""
    found = clusters.errors(group["values"], group["cluster"])
    yield Check("mean", found.mean, number(group["mean"]))
    for key, error in (("CR0", found.cr0), ("CR1", found.cr1), ("CRV3", found.crv3)):
        if f"se_{key}" in group:
            yield Check(key, error, group[f"se_{key}"])
        for name in (f"var_{key}", f"var_{key}_miller_eq", f"var_{key}_jackknife"):
            if name in group:
                yield Check(f"{key} squared", None if error is None else error**2, number(group[name]))
    yield Check("degrees of freedom", found.clusters - 1, group["df"])
    yield Check("unclustered", found.unclustered, group["se_unclustered"])
    yield Check("t interval", found.interval(), group["ci95_t_CR1"])
    few = clusters.interval(group["values"], group["cluster"])
    yield Check("an interval to be printed needs five clusters", few is None, found.clusters < clusters.FEWEST_CLUSTERS)


def beta_posterior_power_moment(group) -> Iterator[Check]:
    """Moments of a posterior; they are not the unbiased values."""
    for case in group:
        c, n, k, prior = case["c"], case["n"], case["k"], tuple(case["prior"])
        yield Check(f"n={n} c={c} k={k} p^k", mean_pass_k(c, n, k, prior=prior), number(case["E_p_pow_k"]))
        yield Check(f"n={n} c={c} k={k} pass@k", mean_pass_at_k(c, n, k, prior=prior), number(case["E_pass_at_k"]))


def stratified(group) -> Iterator[Check]:
    """An aggregate with fixed weights."""
    strata = [Stratum(stratum["values"], stratum["weight"]) for stratum in group["strata"].values()]
    found = stratified_mean(strata)
    yield Check("mean", found.mean, number(group["mean"]))
    yield Check("variance", found.variance, number(group["var"]))


GROUPS: dict[str, Group] = {
    "stopped_designs_path_count": stopped_designs_path_count,
    "g_pass_at_k_tau": g_pass_at_k_tau,
    "outcome_consistency": outcome_consistency,
    "se_seed_suite": se_seed_suite,
    "end_augmented_t": end_augmented_t,
    "variance_components": variance_components,
    "clustered_se": clustered_se,
    "beta_posterior_power_moment": beta_posterior_power_moment,
    "stratified_mean": stratified,
}
