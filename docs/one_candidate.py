# ruff: noqa: INP001
"""Write the worked figures of one candidate in `statistics.md`. Run: `python -m docs.one_candidate` prints them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from seatrial.measure import (
    agreement,
    allocation,
    bernoulli_cusum,
    beta_posterior,
    clusters,
    consistency,
    cover,
    dirichlet_ends,
    e_value,
    effective_wilson,
    flaky,
    g_pass_at_k,
    laney_p_prime,
    obrien_fleming,
    plus_two_t,
    pocock,
    rogan_gladen,
    standard_error,
    stopped_designs,
    stratified_mean,
    student_t,
    weighted_kappa,
)
from seatrial.measure.krippendorff_alpha import krippendorff_alpha
from seatrial.measure.pass_k import pass_k
from seatrial.measure.prediction_powered_mean import prediction_powered_mean
from seatrial.measure.task_count import counted
from seatrial.measure.variance_split import split

SUITE = {"A": counted(8, 8), "B": counted(7, 8), "C": counted(4, 8), "D": counted(0, 8)}
"""Four tasks of eight trials: always, nearly always, half of the time, never."""
DAYS = (180, 176, 185, 170, 182)
"""Passes of 200 trials on five days."""
JUDGE = ((118, 5), (2, 0))
"""A judge (rows) and a person (columns), pass and fail."""

Row = tuple[str, str, str]


def table() -> str:
    """Return the figures as a Markdown table."""
    rows = [*_candidate(), *_intervals(), *_designs(), *_plans(), *_watch(), *_judges()]
    lines = (f"| {name} | {question} | {answer} |" for name, question, answer in rows)
    return "\n".join(["| statistic | of what | figure |", "|---|---|---|", *lines])


def _candidate() -> Iterator[Row]:
    tasks = list(SUITE.values())
    found, parts = consistency.estimate(tasks), split(tasks)
    reached = cover.cover(tasks, 0.75)
    names = ", ".join(f"{row.task} {row.passed}/{row.scored} {_ends(row.interval)}" for row in flaky.flaky(SUITE))
    yield "`g_pass_at_k`", "A to D: at least 75 % of 4", f"{g_pass_at_k.estimate(tasks, 4, share=0.75).value:.3f} (pass^4 {_pass_4():.3f})"
    yield "`cover`", "A to D: passed in 75 % of the trials", f"{reached.reached} of {reached.scored} tasks"
    yield "`consistency`", "A to D", f"{found.value:.3f} {_ends((found.lower or 0, found.upper or 0))}"
    yield "`flaky`", "A to D", names
    yield "`variance_split`", "A to D", f"within {parts.within:.3f}, between {parts.between:.3f}, icc {parts.icc:.2f}"
    suite = standard_error.of_this_suite(tasks, 4)
    yield "`standard_error`", "A to D, pass^4", f"new tasks {standard_error.of_new_tasks(_values()):.3f}, this suite {suite:.3f}"
    means = stratified_mean.stratified_mean([stratified_mean.Stratum([1, 1, 0, 1], 0.7), stratified_mean.Stratum([0, 0, 1], 0.3)])
    yield "`stratified_mean`", "3 of 4 at weight 0.7, 1 of 3 at 0.3", f"{means.mean:.3f} (pooled: {4 / 7:.3f})"


def _values() -> list[float]:
    return [pass_k(task.passed, task.scored, 4) or 0.0 for task in SUITE.values()]


def _pass_4() -> float:
    return sum(_values()) / len(SUITE)


def _intervals() -> Iterator[Row]:
    for module in (dirichlet_ends, plus_two_t, effective_wilson, student_t):
        name = module.__name__.rpartition(".")[2]
        both = (_ends(module.interval(values)) for values in (_values(), [1.0] * 20))
        yield f"`{name}`", "A to D, pass^4; and 20 tasks that always pass", "; ".join(both)
    sites = [1, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0.5, 1], list("aaabbccccdee")
    found, errors = clusters.estimate("pass^1", *sites), clusters.errors(*sites)
    answer = f"{_ends((found.lower or 0, found.upper or 0))}; error {errors.cr1:.3f}, as if independent {errors.unclustered:.3f}"
    yield "`clusters`", "12 tasks of 5 sites", answer


def _designs() -> Iterator[Row]:
    for name, design, k in (
        ("4 trials, then 8 where they disagreed", stopped_designs.pilot(4, 8), 4),
        ("stop at the first failure, at most 8", stopped_designs.stop_at_failures(1, 8), 1),
    ):
        bias = stopped_designs.bias_of_fixed_formula(design, k, 0.9) or 0.0
        yield "`stopped_designs`", name, f"C(c, {k}) / C(n, {k}) is off by {100 * bias:+.1f} points at a rate of 0.9"


def _plans() -> Iterator[Row]:
    yield "`beta_posterior`", "8 of 8, k = 8, flat prior", f"{beta_posterior.mean_pass_k(8, 8, 8):.3f} (unbiased: 1)"
    for task_cost in (8, 0):
        found = allocation.allocate(1000, within=0.15, between=0.03, task_cost=task_cost, trial_cost=1)
        question = f"within 0.15, between 0.03, a task costs {task_cost} trials; budget 1,000 trials"
        yield "`allocation`", question, f"{found.tasks:,} tasks × {found.trials} trials, error {found.error:.3f}"


def _watch() -> Iterator[Row]:
    bounds = ", ".join(f"{bound:.3f}" for bound in obrien_fleming.bounds(3, sides=1))
    yield "`obrien_fleming`", "3 looks, one-sided 5 %", f"z {bounds}"
    yield "`pocock`", "3 looks, one-sided 5 %", f"z {pocock.constant(3, sides=1):.3f} at each"
    yield "`e_value`", "3 of 10 passed, against 0.8", f"{e_value.e_value(3, 7, rate=0.8):.1f}: rejected at 5 %, where 20 are needed"
    for threshold in (3, 4, 5):
        alarms = (bernoulli_cusum.run_length(rate, expected=0.9, dropped=0.8, threshold=threshold) for rate in (0.9, 0.8))
        yield (
            "`bernoulli_cusum`",
            f"0.9 to 0.8, threshold {threshold}",
            "{:,.0f} trials to a false alarm, {:,.0f} to a right one".format(*alarms),
        )
    frozen, widened = (laney_p_prime.limits(days, [200] * len(days)).at(200) for days in (DAYS, (*DAYS, 150)))
    if frozen and widened:
        answer = f"lower limit {frozen.lower:.3f}: 150 of 200 alarm; with that day in the window {widened.lower:.3f}: they hide"
        yield "`laney_p_prime`", "five days of 200 trials", answer


def _judges() -> Iterator[Row]:
    found = agreement.agreement(JUDGE)
    seen, missed = agreement.sensitivity(JUDGE).value, agreement.specificity(JUDGE).value
    numbers = f"p_o {found.observed:.3f}, kappa {found.kappa:.3f}, AC1 {found.ac1:.3f}; sensitivity {seen:.2f}, specificity {missed:.2f}"
    yield "`agreement`", "118 both pass, 5 + 2 differ, 0 both fail", numbers
    ordered = ((20, 4, 1), (4, 30, 3), (2, 3, 33))
    kappas = (weighted_kappa.weighted_kappa(ordered, weights=weights) or 0.0 for weights in ("linear", "quadratic"))
    yield "`weighted_kappa`", "83 of 100 alike, 3 two classes apart", "linear {:.3f}, quadratic {:.3f}".format(*kappas)
    alpha = krippendorff_alpha([[1, 2, 3, 3, 2], [1, 2, 3, 2, None], [None, 2, 3, 3, 2]], level="nominal")
    yield "`krippendorff_alpha`", "three raters, five units, two ratings missing", f"{alpha:.3f}"
    corrected = rogan_gladen.rogan_gladen(700, 1000, rogan_gladen.Labelled(90, 100, 80, 100))
    yield "`rogan_gladen`", "judge passes 70 %, sensitivity 0.9, specificity 0.8", f"{corrected.value:.3f} ± {corrected.error:.3f}"
    powered = prediction_powered_mean([1, 0, 1, 1, 0, 1, 0, 1], [1, 0, 1, 0, 0, 1, 1, 1], [1, 1, 0, 1] * 4)
    yield "`prediction_powered_mean`", "8 labels, 16 judged", f"{powered.value:.3f} (labels alone: {powered.people_only:.3f})"


def _ends(ends: Sequence[float] | None) -> str:
    return "no interval" if ends is None else f"[{ends[0]:.3f}, {ends[1]:.3f}]"


if __name__ == "__main__":
    click.echo(table())
