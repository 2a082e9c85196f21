"""Groups of the golden file: one candidate beyond pass^k, its standard errors and intervals, and trials that stopped by a rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial

from seatrial.measure import clusters, effective_wilson, plus_two_t, standard_error, stopped_designs, student_t
from seatrial.measure.beta_posterior import FLAT, mean_pass_at_k, mean_pass_k
from seatrial.measure.consistency import consistency
from seatrial.measure.g_pass_at_k import g_pass_at_k
from seatrial.measure.pass_k import pass_k, suite_pass_k
from seatrial.measure.stopped_designs import Design
from seatrial.measure.stratified_mean import Stratum, stratified_mean
from seatrial.measure.task_count import TaskCount, counted
from seatrial.measure.variance_split import split
from tests.cases._golden import Check, Group, answered, each, given, guarded, number, unlike

SEED_SUITE = "items_c_n"
"""Key under which a group gets the file's suite of four tasks, when it means that suite without giving it."""
NEED_SEED_SUITE = frozenset({"se_seed_suite", "end_augmented_t"})
USUAL_SEED_SUITE = ((8, 8), (7, 8), (4, 8), (0, 8))
"""Where the file has no such suite."""
DESIGNS: dict[str, Callable[..., Design]] = {
    r"fixed_n(\d+)": stopped_designs.fixed,
    r"stop_at_first_failure_max(\d+)": partial(stopped_designs.stop_at_failures, 1),
    r"stop_at_(\d+)_failures?_max(\d+)": stopped_designs.stop_at_failures,
    r"pilot(\d+)_then_(\d+)_(?:only_)?if_(?:flaky|disagree)": stopped_designs.pilot,
}
"""Rules by the names that the file has for them."""


def seed_suite(group) -> list[TaskCount]:
    """Return the counts of the suite of four tasks."""
    return [counted(passed, scored) for passed, scored in group[SEED_SUITE]]


def design(name: str, ends: Iterable[tuple[int, int]]) -> Design:
    """Return the design that the file names; one of another rule is known by where it stops."""
    for pattern, made in DESIGNS.items():
        if found := re.fullmatch(pattern, name):
            return made(*map(int, found.groups()))
    return stopped_designs.listed(ends)


def stopped_designs_path_count(group) -> Iterator[Check]:
    """Unbiased values by paths, designs that must be refused, and what the usual formula would be off by."""
    for name, by_k in group["designs"].items():
        for key, case in by_k.items():
            yield from guarded(f"{name} k={key}", _design(name, int(key), case))


def _design(name: str, k: int, case) -> Iterator[Check]:
    ends = [(stop["n"], stop["c"]) for stop in case["estimates"]]
    rule, place = design(name, ends), f"{name} k={k}"
    unbiased = case.get("unbiased_by_enumeration", stopped_designs.estimable(rule, k))
    yield Check(f"{place} estimable", stopped_designs.estimable(rule, k), unbiased)
    for stop in case["estimates"]:
        n, c, right = stop["n"], stop["c"], number(stop["est"])
        # Of a design without an unbiased value the file has the path count all the same; ours must refuse it.
        yield Check(f"{place} n={n} c={c}", answered(partial(stopped_designs.value, rule, c, n, k)), right if unbiased else "error")
    yield Check(f"{place} stops", [end for end in ends if end not in stopped_designs.stops(rule)], [])
    if "bias_of_naive_Cck_over_Cnk" in case:
        yield from _bias(place, rule, k, case["bias_of_naive_Cck_over_Cnk"])


def _bias(place: str, rule: Design, k: int, right) -> Iterator[Check]:
    if right is None:
        yield Check(f"{place} bias of C(c,k)/C(n,k)", stopped_designs.bias_of_fixed_formula(rule, k, 0.5), None)
        return
    for rate, bias in right.items():
        found = stopped_designs.bias_of_fixed_formula(rule, k, float(Fraction(rate)))
        yield Check(f"{place} bias of C(c,k)/C(n,k) at {rate}", found, number(bias))


def g_pass_at_k_tau(group) -> Iterator[Check]:
    """At least a share of k passes."""
    yield from each(group, _g_pass)


def _g_pass(_, case) -> Iterator[Check]:
    n, c, k, tau = case["n"], case["c"], case["k"], number(case["tau"])
    right = case["value"] if "value" in case else case["expect"]
    word = next((word for word in ("undefined", "error") if str(right).startswith(word)), None)
    yield Check(f"n={n} c={c} k={k} tau={tau:g}", answered(partial(g_pass_at_k, c, n, k, share=tau)), word or number(right))


def outcome_consistency(group) -> Iterator[Check]:
    """Two trials end alike; the plug-in is another number."""
    yield from each(group, _consistency)


def _consistency(_, case) -> Iterator[Check]:
    n, c = case["n"], case["c"]
    yield from given(f"n={n} c={c}", case, {"unbiased": partial(consistency, c, n)})
    for key in (key for key in case if key.startswith("BIASED")):
        yield from unlike(f"n={n} c={c} is no plug-in", answered(partial(consistency, c, n)), case[key], case.get("unbiased"))


def se_seed_suite(group) -> Iterator[Check]:
    """Standard error and three intervals of a suite's pass^k."""
    for key in (key for key in group if key.isdigit()):
        yield from guarded(f"k={key}", _errors(int(key), seed_suite(group), group[key]))


def _errors(k: int, tasks: Sequence[TaskCount], case) -> Iterator[Check]:
    known = [pass_k(task.passed, task.scored, k) for task in tasks]
    if None in known:
        yield from given(f"k={k}", case, {"mean": suite_pass_k(tasks, k)})
        return
    values = [value for value in known if value is not None]
    error, df = standard_error.of_new_tasks(values), len(values) - 1
    ours = {
        "mean": suite_pass_k(tasks, k),
        "sample_variance": error and error**2 * len(values),
        "se": error,
        f"t975_df{df}": partial(student_t.factor, df, 0.95),
        "ci95_t": partial(student_t.interval, values),
        "n_eff": partial(effective_wilson.effective_trials, values),
        "ci95_wilson_neff_z": partial(effective_wilson.interval, values, law="normal"),
        "ci95_wilson_neff_t": partial(effective_wilson.interval, values),
    }
    yield from given(f"k={k}", case, ours)


def end_augmented_t(group) -> Iterator[Check]:
    """Student's interval with one task at each end."""
    tasks = seed_suite(group)
    for name in (name for name in group if name != SEED_SUITE):
        yield from guarded(name, _plus_two(name, group[name], tasks))


def _plus_two(name: str, case, tasks: Sequence[TaskCount]) -> Iterator[Check]:
    values, low, high = _augmented(name, case, tasks)
    found = plus_two_t.plus_two(values, low=low, high=high)
    yield from given(name, case, {"center": found.centre, "se": found.error, "df": found.df, "ci95": found.interval})
    yield Check(f"{name} cut to the scale", _within(plus_two_t.interval(values, low=low, high=high), low, high), right=True)


def _augmented(name: str, case, tasks: Sequence[TaskCount]) -> tuple[list[float], float, float]:
    """Return values and scale: given, or told by the case's name."""
    if "values" in case:
        return case["values"], *case.get("range", (0, 1))
    count = int(re.findall(r"\d+", name)[-1])
    if name.startswith("seed_k"):
        return [pass_k(task.passed, task.scored, count) or 0.0 for task in tasks], 0, 1
    known = {"all_pass": (1.0, 0), "all_fail": (0.0, 0), "paired_no_difference": (0.0, -1)}
    value, low = next(known[start] for start in known if name.startswith(start))
    return [value] * count, low, 1


def _within(ends: Sequence[float], low: float, high: float) -> bool:
    return low <= ends[0] < ends[1] <= high


def variance_components(group) -> Iterator[Check]:
    """Between tasks and within them."""
    yield from each(group, _split)


def _split(name, case) -> Iterator[Check]:
    scored = [[trial for trial in trials if trial is not None] for trials in case["trials"]]
    found = split([counted(sum(trials), len(trials)) for trials in scored])
    ours = {
        "mean": found.value,
        "var_of_item_means_s2": found.spread,
        "within_trial_var": found.within,
        "between_item_var_unbiased": found.between,
        "icc": found.icc,
        "se_items_random": found.error_new_tasks,
        "se_fixed_suite": found.error_this_suite,
    }
    yield from given(name, case, ours)
    wrong, right = case.get("WRONG_se_trials_independent"), case.get("se_items_random")
    yield from unlike(f"{name} error is not that of independent trials", found.error_new_tasks, wrong, right)


def clustered_se(group) -> Iterator[Check]:
    """Standard errors over clusters."""
    yield from each(group, _clusters)


def _clusters(name, case) -> Iterator[Check]:
    values, of = case["values"], case["cluster"]
    found = clusters.errors(values, of)
    squared = {"var_CR0_miller_eq": found.cr0, "var_CR1": found.cr1, "var_CRV3_jackknife": found.crv3}
    ours = {
        "mean": found.mean,
        "se_CR0": found.cr0,
        "se_CR1": found.cr1,
        "se_CRV3": found.crv3,
        "df": found.clusters - 1,
        "se_unclustered": found.unclustered,
        "ci95_t_CR1": found.interval,
    }
    yield from given(name, case, ours | {key: error and error**2 for key, error in squared.items()})
    few = clusters.interval(values, of, low=min(0, *values), high=max(1, *values))
    yield Check(f"{name} an interval to be printed needs five clusters", few is None, found.clusters < clusters.FEWEST_CLUSTERS)


def beta_posterior_power_moment(group) -> Iterator[Check]:
    """Moments of a posterior; they are not the unbiased values."""
    yield from each(group, _moments)


def _moments(_, case) -> Iterator[Check]:
    c, n, k, prior = case["c"], case["n"], case["k"], tuple(case.get("prior", FLAT))
    ours = {"E_p_pow_k": partial(mean_pass_k, c, n, k, prior=prior), "E_pass_at_k": partial(mean_pass_at_k, c, n, k, prior=prior)}
    yield from given(f"n={n} c={c} k={k}", case, ours)


def stratified(group) -> Iterator[Check]:
    """An aggregate with fixed weights."""
    yield from each(group, _strata)


def _strata(name, case) -> Iterator[Check]:
    found = stratified_mean([Stratum(stratum["values"], stratum["weight"]) for stratum in case["strata"].values()])
    yield from given(name, case, {"mean": found.mean, "var": found.variance})


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
